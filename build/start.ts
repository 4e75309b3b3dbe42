// The main script of the binary: it loads the chunks of the program from the assets inside, each when it is asked for.
// Node's single executables take one CommonJS script and no files beside it, so there is nothing to import from.
// Source: https://nodejs.org/docs/latest-v22.x/api/single-executable-applications.html ("require(id) ... is not file based").
import { getRawAsset } from 'node:sea';
import { compileFunction } from 'node:vm';

interface Chunk {
  exports: unknown;
}

type Load = (name: string) => unknown;

const loaded = new Map<string, Chunk>();

/** Never a file: what lies in a node_modules near the binary is none of its parts. */
function builtin(name: string): unknown {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error(`there is no ${name} in this binary`);
  return found;
}

/** Chunks name each other as esbuild writes it, `./chunk-ABC.js`; everything else is a module of Node's own. */
const load: Load = name => {
  if (!name.startsWith('./')) return builtin(name);
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const chunk: Chunk = { exports: {} };
  loaded.set(name, chunk);
  // ASCII only, as esbuild writes it: no decoding, and one byte a character in memory
  const source = Buffer.from(getRawAsset(name)).toString('latin1');
  const run = compileFunction(source, ['module', 'exports', 'require'], { filename: name });
  run(chunk, chunk.exports, load);
  return chunk.exports;
};

load('./main.js');
