// Puts the commands into one yargs program. All parser settings live here; yargs only hands over text.
import type { Argv } from 'yargs';
import { normalizeArgv } from './commands/argv.ts';
import type { Command, Contents, Flags, Page, Texts } from './commands/command.ts';
import { completionPage, readShell } from './commands/completion.ts';
import { deleteCommand } from './commands/delete.ts';
import { pruneCommand } from './commands/prune.ts';
import { resumeCommand } from './commands/resume.ts';
import { statusCommand } from './commands/status.ts';
import { stopCommand } from './commands/stop.ts';
import { unstickCommand } from './commands/unstick.ts';
import { type EarlyEnd, usageError } from './errors.ts';

export const commands: readonly Command[] = [
  deleteCommand,
  pruneCommand,
  unstickCommand,
  stopCommand,
  resumeCommand,
  statusCommand,
];

const versionPage: Page = {
  name: 'version',
  words: '',
  about: 'print the version',
  flags: {},
  offers: [],
  examples: [['version', 'kubectl-jobctl and its number']],
};

export const contents: Contents = { verbs: commands, others: [completionPage, versionPage] };

/** What the command line asks for. `show` is text for standard output, with nothing else to do. */
export type Asked =
  | {
      readonly do: 'run';
      readonly command: Command;
      readonly words: readonly string[];
      readonly texts: Texts;
    }
  | { readonly do: 'show'; readonly text: string }
  /** From kubectl, while a word is completed; not for people, so help does not name it. */
  | { readonly do: 'complete'; readonly typed: readonly string[] };

/** Throws a usage error; never ends the process, never writes. */
export async function readCommandLine(
  argv: readonly string[],
  version: string,
  columns: number,
): Promise<Asked> {
  const [verb, ...rest] = argv;
  if (verb === '__complete') return { do: 'complete', typed: rest };
  if (verb === 'version' || verb === '--version') return { do: 'show', text: `kubectl-jobctl v${version}` };
  if (verb === undefined) return { do: 'show', text: await helpText(undefined, columns) };
  const command = commands.find(candidate => candidate.name === verb);
  const asksForHelp = verb === 'help' || verb === '-h' || verb === '--help';
  if (asksForHelp) return { do: 'show', text: await helpText(rest[0], columns) };
  if (verb === completionPage.name) return { do: 'show', text: await completionText(rest, columns) };
  if (command === undefined) throw unknownCommand(verb);
  const normal = normalizeArgv(argv, command.flags);
  // never among values, names or what stands behind --: a Job may be called help
  const own = normal.slice(0, normal.includes('--') ? normal.indexOf('--') : undefined);
  if (own.includes('--help')) return { do: 'show', text: await helpText(command.name, columns) };
  assertKnown(own, command);
  const parsed = await parseWith(command, normal);
  return { do: 'run', command, ...parsed };
}

/** yargs would find it too, but help, version and what is often mistyped shall not wait until it is loaded. */
function assertKnown(normal: readonly string[], { name, flags }: Command): void {
  const [unknown] = normal
    .filter(word => word.startsWith('--'))
    .map(word => word.slice(2).split('=', 1)[0] ?? '')
    .filter(flag => !Object.hasOwn(flags, flag));
  if (unknown !== undefined)
    throw usageError(`unknown flag: --${unknown}`, `See 'kubectl jobctl ${name} --help' for usage.`);
}

function unknownCommand(verb: string): EarlyEnd {
  if (verb.startsWith('-')) {
    return usageError(
      `flags go behind the verb: kubectl jobctl VERB ${verb} …`,
      "See 'kubectl jobctl --help' for usage.",
    );
  }
  return usageError(
    `unknown command "${verb}" for "kubectl jobctl"`,
    "See 'kubectl jobctl --help' for usage.",
  );
}

// The traps that these settings close: numbers made of names (1e5), dots in names, greedy arrays, German messages, exits.
async function parser(argv: readonly string[]): Promise<Argv> {
  const { default: yargs } = await import('yargs');
  return yargs([...argv])
    .scriptName('kubectl jobctl')
    .locale('en')
    .exitProcess(false)
    .fail(false)
    .strict()
    .version(false)
    .help(false)
    .parserConfiguration({
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'camel-case-expansion': false,
      'boolean-negation': false,
      'short-option-groups': false,
    });
}

async function parseWith(
  command: Command,
  argv: readonly string[],
): Promise<{ words: string[]; texts: Texts }> {
  const program = withCommand(await parser(argv), command);
  try {
    const parsed = await program.parseAsync();
    const texts = Object.fromEntries(
      Object.keys(command.flags).flatMap(name =>
        parsed[name] === undefined ? [] : [[name, toTexts(parsed[name])]],
      ),
    );
    return { words: toTexts(parsed['words'] ?? []), texts };
  } catch (problem) {
    throw usageError(inKubectlWords(problem), `See 'kubectl jobctl ${command.name} --help' for usage.`);
  }
}

const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

function inKubectlWords(problem: unknown): string {
  const message = problem instanceof Error ? problem.message : String(problem);
  const [, unknown] = /^Unknown arguments?: ([^,]+)/.exec(message) ?? [];
  return unknown === undefined ? message : `unknown flag: --${unknown}`;
}

function withCommand(program: Argv, command: Command): Argv {
  return program.command(`${command.name} [words..]`, command.about, built =>
    withFlags(built, command.flags),
  );
}

function withFlags(program: Argv, flags: Flags): Argv {
  program.positional('words', { type: 'string', array: true });
  for (const [name, flag] of Object.entries(flags)) {
    program.option(name, {
      type: 'string',
      array: true,
      describe: flag.about,
      group: `${flag.group}:`,
    });
  }
  return program;
}

async function completionText(words: readonly string[], columns: number): Promise<string> {
  if (words.includes('-h') || words.includes('--help')) return await helpText(completionPage.name, columns);
  const shell = readShell(words);
  const { completionScript } = await import('./report/completion-script.ts');
  return completionScript(shell);
}

async function helpText(about: string | undefined, columns: number): Promise<string> {
  const { help } = await import('./commands/help.ts');
  const page = [...contents.verbs, ...contents.others].find(({ name }) => name === about);
  return help(page, contents, Math.min(columns, 110));
}
