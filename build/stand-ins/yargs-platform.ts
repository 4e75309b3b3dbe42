// What yargs wants to know about the platform, in the place of its own yargs/lib/platform-shims/esm.mjs.
// That one loads string-width, which builds an Intl.Segmenter at once (19 ms of start-up), assert (5 ms), and reads texts in
// other languages from files that are not there in a binary. They serve its help page; ours is src/commands/help.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { format, inspect } from 'node:util';
// @ts-expect-error it has no types, and only yargs looks at it
import Parser from 'yargs-parser/browser';

function notInThisProgram(): never {
  throw new Error('this part of yargs is not in the binary; see build/stand-ins/yargs-platform.ts');
}

/** yargs writes its help page after each command, whether anybody sees it or not. Nobody does. */
const page = { div: () => undefined, span: () => undefined, toString: () => '' };

/** As y18n, which gives a count only to a text that asks for one. */
function oneOrMany(one: string, many: string, count: number, ...values: readonly unknown[]): string {
  const text = count === 1 ? one : many;
  return format(text, ...(text.includes('%d') ? [count] : []), ...values);
}

function assertSame(isSame: boolean, message?: string): void {
  if (!isSame) throw new Error(message ?? 'an assertion of yargs failed');
}

// biome-ignore lint/style/noDefaultExport: as yargs imports it
export default {
  assert: {
    strictEqual: (actual: unknown, expected: unknown, message?: string) =>
      assertSame(actual === expected, message),
    notStrictEqual: (actual: unknown, unwanted: unknown, message?: string) =>
      assertSame(actual !== unwanted, message),
  },
  cliui: () => page,
  // yargs looks for settings of its own in a package.json near the program: there is none
  findUp: () => undefined,
  getEnv: (name: string) => process.env[name],
  inspect,
  getProcessArgvBin: () => 'kubectl-jobctl',
  mainFilename: process.execPath,
  Parser,
  path: { basename, dirname, extname, relative, resolve, join },
  process: {
    argv: () => process.argv,
    cwd: process.cwd,
    emitWarning: (warning: string | Error, type?: string) => process.emitWarning(warning, type),
    execPath: () => process.execPath,
    exit: notInThisProgram,
    nextTick: process.nextTick,
    stdColumns: null,
  },
  readFileSync,
  readdirSync,
  require: notInThisProgram,
  getCallerFile: notInThisProgram,
  stringWidth: (text: string) => text.length,
  y18n: {
    __: (text: string, ...values: readonly unknown[]) => format(text, ...values),
    __n: oneOrMany,
    getLocale: () => 'en',
    setLocale: () => undefined,
    updateLocale: () => undefined,
  },
};
