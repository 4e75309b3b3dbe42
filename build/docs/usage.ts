// How a verb is called: its line, its examples, its flags by group. Made from the table that parser, help and completion read.
import { type Flag, flagGroups } from '../../src/commands/command.ts';
import { connection } from '../../src/commands/connection.ts';
import { code, fenced, markdownTable } from './markdown.ts';
import { commandOf, examplesOf, flagsOf, type VerbPage } from './verbs.ts';

export function usageOf(page: VerbPage): string {
  const { name, words } = commandOf(page);
  return fenced('', `kubectl jobctl ${[name, words, '[flags]'].filter(Boolean).join(' ')}`);
}

export function examplesTable(page: VerbPage): string {
  const examples = examplesOf(page);
  const wide = Math.max(...examples.map(([line]) => line.length));
  return fenced(
    'sh',
    examples.map(([line, about]) => `kubectl jobctl ${line.padEnd(wide)}  # ${about}`).join('\n'),
  );
}

/** Every group but the connection flags, which all verbs share and the reference lists. */
export function flagTables(page: VerbPage): string {
  const flags = flagsOf(page);
  return flagGroups
    .filter(group => group !== 'Connection')
    .flatMap(group => {
      const own = flags.filter(([, flag]) => flag.group === group);
      return own.length === 0 ? [] : [`**${group}**\n\n${flagTable(own)}`];
    })
    .join('\n\n');
}

export const connectionTable = (): string => flagTable(Object.entries(connection));

// biome-ignore lint/suspicious/noExplicitAny: only how the flag is written matters here
const flagTable = (flags: readonly (readonly [string, Flag<any>])[]): string =>
  markdownTable(
    ['flag', 'what it does'],
    flags.map(([name, flag]) => [written(name, flag), flag.about]),
  );

// biome-ignore lint/suspicious/noExplicitAny: only how the flag is written matters here
function written(name: string, { letter, takes, placeholder = '' }: Flag<any>): string {
  const short = letter === undefined ? '' : `${code(`-${letter}`)}, `;
  if (takes === 'nothing') return short + code(`--${name}`);
  return short + code(takes === 'value' ? `--${name} ${placeholder}` : `--${name}[=${placeholder}]`);
}
