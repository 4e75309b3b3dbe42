// Puts the commands into one yargs program. All parser settings live here; yargs only hands over text.
import yargs, { type Argv } from 'yargs';
import { normalizeArgv } from './commands/argv.ts';
import type { Command, Flags, Texts } from './commands/command.ts';
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

/** What the command line asks for. `show` is text for standard output, with nothing else to do. */
export type Asked =
  | {
      readonly do: 'run';
      readonly command: Command;
      readonly words: readonly string[];
      readonly texts: Texts;
    }
  | { readonly do: 'show'; readonly text: string };

/** Throws a usage error; never ends the process, never writes. */
export async function readCommandLine(
  argv: readonly string[],
  version: string,
  columns: number,
): Promise<Asked> {
  const [verb] = argv;
  if (verb === 'version' || verb === '--version') return { do: 'show', text: `kubectl-jobctl v${version}` };
  if (verb === undefined) return { do: 'show', text: await helpText([], columns) };
  const command = commands.find(candidate => candidate.name === verb);
  const asksForHelp = verb === 'help' || verb === '-h' || verb === '--help';
  if (asksForHelp) return { do: 'show', text: await helpText(argv.slice(1, 2), columns) };
  if (command === undefined) throw unknownCommand(verb);
  const normal = normalizeArgv(argv, command.flags);
  // never among values, names or what stands behind --: a Job may be called help
  const own = normal.slice(0, normal.includes('--') ? normal.indexOf('--') : undefined);
  if (own.includes('--help')) return { do: 'show', text: await helpText([command.name], columns) };
  const parsed = await parseWith(command, normal);
  return { do: 'run', command, ...parsed };
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
function parser(argv: readonly string[]): Argv {
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
  const program = withCommand(parser(argv), command);
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

async function helpText(path: readonly string[], columns: number): Promise<string> {
  const { help } = await import('./commands/help.ts');
  const command = commands.find(candidate => candidate.name === path[0]);
  return help(command, commands, Math.min(columns, 110));
}
