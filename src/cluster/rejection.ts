// Who refused a change: the server says it in the text of its message and nowhere else. Each pattern is held by a test on the real
// server (test/e2e/unstick-rejected.test.ts). Sources: k8s.io/apiserver pkg/admission/plugin/webhook and policy, apimachinery
// pkg/api/validation, apiextensions-apiserver pkg/apiserver/conversion.
import type { Rejection } from '../model/problem.ts';

type Reader = (found: RegExpExecArray) => Rejection;

const patterns: readonly (readonly [RegExp, Reader])[] = [
  [
    /failed calling webhook "([^"]+)"(?:: (?:failed to call webhook: )?(?:Post "([^"?]+))?)?/,
    ([, name = '', address = '']) => ({ by: 'silent-webhook', name, address }),
  ],
  [/admission webhook "([^"]+)" does not support dry run/, ([, name = '']) => ({ by: 'no-dry-run', name })],
  [/admission webhook "([^"]+)" denied the request/, ([, name = '']) => ({ by: 'webhook', name })],
  [
    /AdmissionPolicy '([^']+)'(?: with binding '([^']+)')? denied request/,
    ([, name = '', binding = '']) => ({ by: 'policy', name, binding }),
  ],
  [
    /conversion webhook for ([^ ]+, Kind=\S+) failed: (?:Post "([^"?]+))?/,
    ([, kind = '', address = '']) => ({ by: 'conversion', kind, address }),
  ],
  [
    /metadata\.finalizers(?:\[\d+\])?: Invalid value: "([^"]*)": name is neither a standard/,
    ([, name = '']) => ({ by: 'finalizer-name', name }),
  ],
  // our patch names finalizers and nothing else: what the server complains about was changed by an admission plugin on the way
  [
    /\bspec\b[^ ]*: (?:Forbidden|Invalid value): .*(?:may not change fields|immutable)/s,
    () => ({ by: 'mutation' }),
  ],
];

export function rejectionIn(message: string): Rejection | undefined {
  for (const [pattern, read] of patterns) {
    const found = pattern.exec(message);
    if (found !== null) return read(found);
  }
  return undefined;
}
