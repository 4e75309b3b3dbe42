// The connection flags that were given, as words for the commands that are shown: pasted, they go to the same cluster as the same user.
import type { Texts } from './command.ts';
import { connection } from './connection.ts';

/** Each command has a namespace of its own; these say how to ask, not whom. */
const notCarried: ReadonlySet<string> = new Set([
  'namespace',
  'request-timeout',
  'disable-compression',
  'warnings-as-errors',
  'v',
]);

export function reachOf(texts: Texts): string[] {
  return Object.entries(connection).flatMap(([name, flag]) => {
    const given = texts[name] ?? [];
    if (notCarried.has(name) || given.length === 0) return [];
    // a secret is not shown, and without it the command would go as somebody else
    if (name === 'token') return ['--token=TOKEN'];
    const meant = 'repeats' in flag && flag.repeats ? given : given.slice(-1);
    return meant.map(text =>
      flag.takes === 'nothing' && text === 'true' ? `--${name}` : `--${name}=${text}`,
    );
  });
}
