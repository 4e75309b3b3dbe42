// The exit codes: their numbers are the product's, their sentences stand here only.
import { exitCodes } from '../../src/errors.ts';
import { markdownTable } from './markdown.ts';

const sentences: Record<keyof typeof exitCodes, string> = {
  done: 'done, or nothing to do',
  error: 'an error before anything was done',
  partial: 'some objects failed or are still there, the rest went through',
  refused: 'refused, and nothing was done',
  timeout: 'timed out: accepted, but not seen to be gone',
  declined: 'you said no',
  bug: 'our own bug',
  interrupted: 'interrupted',
};

export const exitCodeTable = (): string =>
  markdownTable(
    ['code', ''],
    Object.entries(sentences).map(([name, text]) => [
      String(exitCodes[name as keyof typeof exitCodes]),
      text,
    ]),
  );
