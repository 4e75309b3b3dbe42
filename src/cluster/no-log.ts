// Why there is no log in an answer: there is none, the Pod is gone, or it cannot be had. Only the first two are no failures.
//
// How a node says that there is none: pkg/kubelet/kubelet_pods.go, validateContainerLogStatus (the same in Kubernetes 1.34 to 1.37).
// The API server passes a 400 on with the kubelet's words, and a 404 without them. Held by test/e2e/logs.test.ts.
import type { Problem } from '../model/problem.ts';
import { type Fields, fieldsOf, textOf } from './adapt-meta.ts';
import type { LogRead } from './contract.ts';
import { problemOfAnswer } from './problem.ts';
import type { Answer } from './request.ts';

const words = [
  /previous terminated container ".*" in pod ".*" not found/,
  /container ".*" in pod ".*" is waiting to start/,
  // its status says nothing of this container
  /container ".*" in pod ".*" is not available/,
  // it ended before a container was made
  /container ".*" in pod ".*" is terminated/,
];

/** Of any answer but a 200. */
export function noLog({ status, body }: Answer, pod: string): LogRead {
  // pkg/registry/core/pod/strategy.go, LogLocation: "If pod has not been assigned a host, return an empty location"
  if (status === 204) return { state: 'absent', text: 'the Pod has no node' };
  const problem = problemOfAnswer(status, body, { name: pod });
  if (status === 400 && words.some(pattern => pattern.test(problem.text)))
    return { state: 'absent', text: problem.text };
  return status === 404 ? notFound(body, pod, problem) : { state: 'unreadable', problem };
}

/** Three of them: of the Pod, of its Node (named as a Pod), and of the kubelet (`pods/log`), which does not know the Pod. */
function notFound(body: string, pod: string, problem: Problem): LogRead {
  const { kind, name } = detailsIn(body);
  if (kind !== 'pods') return { state: 'unreadable', problem };
  if (name === pod) return { state: 'gone' };
  const text = `Error from server (NotFound): nodes "${textOf(name)}" not found`;
  return { state: 'unreadable', problem: { code: 'not-found', status: 404, text } };
}

function detailsIn(body: string): Fields {
  try {
    return fieldsOf(fieldsOf(JSON.parse(body))['details']);
  } catch {
    return {};
  }
}
