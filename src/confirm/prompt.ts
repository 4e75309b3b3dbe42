// The questions themselves. inquirer is loaded on the first one; everything is asked on stderr; the default is no.
import { declined, type EarlyEnd } from '../errors.ts';

/** Streams to ask on. Both are terminals, or there is no asking. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

export interface Choice {
  readonly value: string;
  readonly name: string;
  /** Ticked at first. */
  readonly checked: boolean;
}

export async function askYesOrNo(terminal: Terminal, question: string): Promise<boolean> {
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({
    input: terminal.input,
    output: terminal.output,
    signal: terminal.signal,
  });
  const ask = prompt([{ type: 'confirm', name: 'yes', message: question, default: false }]);
  return (await orDeclined(ask)).yes === true;
}

/** True only when exactly the word was typed. */
export async function askWord(terminal: Terminal, question: string, word: string): Promise<boolean> {
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({
    input: terminal.input,
    output: terminal.output,
    signal: terminal.signal,
  });
  const ask = prompt([{ type: 'input', name: 'typed', message: question }]);
  return String((await orDeclined(ask)).typed).trim() === word;
}

/** The values of what was ticked. */
export async function askWhich(
  terminal: Terminal,
  question: string,
  choices: readonly Choice[],
): Promise<Set<string>> {
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({
    input: terminal.input,
    output: terminal.output,
    signal: terminal.signal,
  });
  const ask = prompt([
    { type: 'checkbox', name: 'chosen', message: question, choices: [...choices], pageSize: 15, loop: false },
  ]);
  return new Set((await orDeclined(ask)).chosen as string[]);
}

/** Ctrl-C and an input that ends are a no. inquirer names them ExitPromptError and AbortPromptError. */
async function orDeclined<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (problem) {
    const name = problem instanceof Error ? problem.name : '';
    if (name === 'ExitPromptError' || name === 'AbortPromptError') throw leftAtQuestion();
    throw problem;
  }
}

const leftAtQuestion = (): EarlyEnd => declined('nothing was changed');
