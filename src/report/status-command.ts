// The next command as a line that a shell can take. `$ ` is not written, so that it can be copied whole.
import { plain } from '../model/ref.ts';
import type { NextCommand } from '../model/status.ts';

export const commandLine = ({ program, words }: NextCommand): string =>
  plain([program, ...words.map(quoted)].join(' '));

/** Without the program's name, where a heading says it. */
export const shortCommand = ({ program, words }: NextCommand): string =>
  plain([...(program === 'kubectl' ? ['kubectl'] : []), ...words.map(quoted)].join(' '));

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
