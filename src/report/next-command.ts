// The next command as a line that a shell can take. `$ ` is not written, so that it can be copied whole.
import type { Plan } from '../model/plan.ts';
import { plain } from '../model/ref.ts';
import type { NextCommand } from '../model/status.ts';

/** A command, from its program and words. */
export type Typed = (program: NextCommand['program'], ...words: readonly string[]) => string;

/** As the plan's own command was typed: the same cluster, as the same user. */
export const typedFor =
  ({ reach }: Pick<Plan, 'reach'>): Typed =>
  (program, ...words) =>
    commandLine({ program, words: [...words, ...reach] });

/** None for a cluster-scoped object. */
export const inNamespace = (namespace: string | undefined): readonly string[] =>
  namespace === undefined || namespace === '' ? [] : ['-n', namespace];

export const commandLine = ({ program, words }: NextCommand): string =>
  plain([program, ...words.map(quoted)].join(' '));

/** Without the program's name, where a heading says it. */
export const shortCommand = ({ program, words }: NextCommand): string =>
  plain([...(program === 'kubectl' ? ['kubectl'] : []), ...words.map(quoted)].join(' '));

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
