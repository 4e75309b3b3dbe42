// The findings of `status`, each with the commands that deal with it. What needs nobody is only counted, but for -o wide.
import { label, plain } from '../model/ref.ts';
import type { StatusCode, StatusFinding } from '../model/status.ts';
import { plural } from './counted.ts';
import { commandLine } from './next-command.ts';
import { statusWords, stuckWords } from './status-words.ts';

const shownOfOneSort = 10;

/** Told one by one only when everything is. */
const quiet: ReadonlySet<StatusCode> = new Set(['failed-before']);

export function findingLines(findings: readonly StatusFinding[], wide: boolean): string[] {
  return [...Map.groupBy(findings, ({ code }) => code)].flatMap(([code, all]) => {
    const most = wide ? all.length : quiet.has(code) ? 0 : shownOfOneSort;
    const shown = all.slice(0, most);
    const more = all.length - shown.length;
    const rest = `  … ${plural(more, 'more finding')} (${code}; -o wide shows all)`;
    return [...shown.flatMap(linesOf), ...(more > 0 ? [rest] : [])];
  });
}

const linesOf = (finding: StatusFinding): string[] => [
  `  ${sentenceOf(finding)}`,
  ...finding.next.map(command => `    ${commandLine(command)}`),
];

/** `job.batch/x failed 2h ago (BackoffLimitExceeded)` */
export function sentenceOf({ code, targets, facts, hold }: StatusFinding): string {
  const [target] = targets;
  const name = target === undefined ? '' : `${label(target)} `;
  if (code === 'stuck') return plain(`${name}${stuckWords(facts, hold)}`);
  const { of, say } = statusWords[code];
  return plain(`${of === 'one' ? name : ''}${say(facts)}`);
}
