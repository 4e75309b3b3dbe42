// The verbs that have a page. `prune` has two: one for Jobs, one for Pods.
import type { Command, Flag } from '../../src/commands/command.ts';
import { commands } from '../../src/program.ts';

export const verbPages = [
  'delete',
  'prune-jobs',
  'prune-pods',
  'unstick',
  'stop',
  'resume',
  'status',
] as const;

export type VerbPage = (typeof verbPages)[number];

export function verbPage(word: string | undefined): VerbPage {
  const page = verbPages.find(one => one === word);
  if (page === undefined) throw new Error(`"${word}" is no verb with a page: ${verbPages.join(', ')}`);
  return page;
}

/** `prune-pods` is `prune pods`. */
export const spoken = (page: VerbPage): string => page.replace('-', ' ');

export function commandOf(page: VerbPage): Command {
  const [name] = page.split('-');
  const command = commands.find(one => one.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return command;
}

// biome-ignore lint/suspicious/noExplicitAny: only how the flag is written matters here
type Named = readonly [name: string, flag: Flag<any>];

/** Of `prune`, those that this half of it takes: the command itself is asked. */
export const flagsOf = (page: VerbPage): readonly Named[] =>
  Object.entries(commandOf(page).flags).filter(([name]) => takes(page, name));

function takes(page: VerbPage, flag: string): boolean {
  const [, what] = page.split('-');
  if (what === undefined) return true;
  try {
    commandOf(page).options([what], { [flag]: [''] });
    return true;
  } catch (refusal) {
    return !(refusal instanceof Error && refusal.message.includes('has no meaning for'));
  }
}

export function examplesOf(page: VerbPage): Command['examples'] {
  const { examples } = commandOf(page);
  if (page === 'prune-pods') return examples.filter(([line]) => line.startsWith('prune pods'));
  return page === 'prune-jobs' ? examples.filter(([line]) => !line.startsWith('prune pods')) : examples;
}
