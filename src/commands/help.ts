// What --help prints: examples first, then flags by group. Made from the same table that the parser reads.
import { type Contents, type Flag, type FlagGroup, flagGroups, type Page } from './command.ts';

export function help(page: Page | undefined, contents: Contents, columns: number): string {
  return (page === undefined ? overview(contents) : ofPage(page, columns)).join('\n');
}

function overview({ verbs, others }: Contents): string[] {
  const all = [...verbs, ...others];
  const wide = Math.max(...all.map(({ name }) => name.length));
  return [
    'Delete Kubernetes Jobs with everything that belongs to them, prune what is finished or was left behind, free what stays',
    'Terminating, and stop running work with every object and log kept.',
    '',
    'Nothing is changed before the plan was shown and agreed to; "deleted" means that it was seen to be gone.',
    '',
    'Examples:',
    ...verbs.flatMap(({ examples }) => examples.slice(0, 2)).flatMap(exampleLines),
    '',
    'Commands:',
    ...all.map(({ name, about }) => `  ${name.padEnd(wide)}  ${about}`),
    '',
    "Use 'kubectl jobctl VERB --help' for the flags of a verb. Flags go behind the verb.",
  ];
}

function ofPage(page: Page, columns: number): string[] {
  const flags = Object.entries(page.flags);
  return [
    `${capital(page.about)}.`,
    '',
    'Examples:',
    ...page.examples.flatMap(exampleLines),
    '',
    'Usage:',
    `  kubectl jobctl ${[page.name, page.words, flags.length > 0 && '[flags]'].filter(Boolean).join(' ')}`,
    ...flagGroups.flatMap(group =>
      groupLines(
        group,
        flags.filter(([, flag]) => flag.group === group),
        columns,
      ),
    ),
  ];
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const exampleLines = ([line, about]: readonly [string, string]): string[] => [
  `  # ${about}`,
  `  kubectl jobctl ${line}`,
];

// biome-ignore lint/suspicious/noExplicitAny: only how the flag is written matters here
type Named = readonly [name: string, flag: Flag<any>];

function groupLines(group: FlagGroup, flags: readonly Named[], columns: number): string[] {
  if (flags.length === 0) return [];
  const written = flags.map(([name, flag]) => ({ head: headOf(name, flag), about: flag.about }));
  const indent = 8;
  return [
    '',
    `${group}:`,
    ...written.flatMap(({ head, about }) => [head, ...wrap(about, columns - indent, ' '.repeat(indent))]),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: only how the flag is written matters here
function headOf(name: string, flag: Flag<any>): string {
  const letter = flag.letter === undefined ? '    ' : `-${flag.letter}, `;
  const value = flag.placeholder ?? '';
  if (flag.takes === 'nothing') return `  ${letter}--${name}`;
  return flag.takes === 'value' ? `  ${letter}--${name} ${value}` : `  ${letter}--${name}[=${value}]`;
}

function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= Math.max(width, 30))
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map(line => indent + line);
}
