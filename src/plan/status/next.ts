// The command that deals with a finding, as words. All of them show what they would do, and ask, before they change anything.
import { kindName } from '../../model/kind.ts';
import type { Ref } from '../../model/ref.ts';
import type { NextCommand, StatusFinding } from '../../model/status.ts';

const commandOf = (program: NextCommand['program']) => {
  return (namespace: string, ...words: readonly string[]): NextCommand => ({
    program,
    words: [...words, '-n', namespace],
  });
};

export const jobctl = commandOf('kubectl jobctl');
export const kubectl = commandOf('kubectl');

/** `cronjob/sync`; with its group where kubectl could mean another kind. */
export function typed({ kind, name }: Pick<Ref, 'kind' | 'name'>): string {
  return `${kind.group === 'batch' ? kind.kind.toLowerCase() : kindName(kind)}/${name}`;
}

/** One command for all findings of a sort. What takes a closer look is a look at the one namespace. */
export function nextInShort(namespace: string, findings: readonly StatusFinding[]): NextCommand[] {
  const needing = findings.filter(({ needs }) => needs);
  const commands = [...Map.groupBy(needing, ({ code }) => code)].flatMap(([code, of]) =>
    shortOf(code, namespace, of),
  );
  const look = jobctl(namespace, 'status');
  const isAnswered = commands.length > 0;
  return isAnswered || needing.length === 0 ? commands : [look];
}

function shortOf(
  code: StatusFinding['code'],
  namespace: string,
  findings: readonly StatusFinding[],
): NextCommand[] {
  const [one, more] = findings;
  switch (code) {
    case 'beyond-retention':
    case 'leaked-finished':
    case 'leaked-running':
      return one?.next.slice(0, 1) ?? [];
    case 'stuck':
      return [jobctl(namespace, 'unstick')];
    case 'stopped':
    case 'stop-undone':
      return more === undefined ? (one?.next.slice(0, 1) ?? []) : [jobctl(namespace, 'resume')];
    default:
      return [];
  }
}
