// The command that deals with a finding, as words. All of them show what they would do, and ask, before they change anything.
import { type Kind, kindName } from '../../model/kind.ts';
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
export function typed({
  kind,
  name,
}: {
  readonly kind: Pick<Kind, 'group' | 'kind'>;
  readonly name: string;
}): string {
  return `${kind.group === 'batch' ? kind.kind.toLowerCase() : kindName(kind)}/${name}`;
}

/** As `status` was called: the same cluster, as the same user. */
export const reaching =
  (reach: readonly string[]) =>
  ({ program, words }: NextCommand): NextCommand => ({ program, words: [...words, ...reach] });

/** One command for all findings of a sort. What has none that is as short takes a closer look at the one namespace. */
export function nextInShort(namespace: string, findings: readonly StatusFinding[]): NextCommand[] {
  const sorts = Map.groupBy(
    findings.filter(({ needs }) => needs),
    ({ code }) => code,
  );
  // the finished ones first: what still runs is a question of its own
  if (sorts.has('leaked-finished')) sorts.delete('leaked-running');
  const answers = [...sorts].map(([code, of]) => shortOf(code, namespace, of));
  const known = answers.filter(command => command !== undefined);
  return known.length < answers.length ? [...known, jobctl(namespace, 'status')] : known;
}

function shortOf(
  code: StatusFinding['code'],
  namespace: string,
  [one, more]: readonly StatusFinding[],
): NextCommand | undefined {
  switch (code) {
    case 'beyond-retention':
    case 'leaked-finished':
    case 'leaked-running':
      return one?.next[0];
    case 'stuck':
      return jobctl(namespace, 'unstick');
    case 'half-stopped':
      return more === undefined ? one?.next[0] : undefined;
    case 'stopped':
    case 'stop-undone':
      return more === undefined ? one?.next[0] : jobctl(namespace, 'resume');
    default:
      return undefined;
  }
}
