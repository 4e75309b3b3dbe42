// The program as chunks of CommonJS: one for what every run needs, one for each thing that src loads late.
// esbuild splits only ES modules, and a single executable loads only CommonJS, so it goes over the program twice.
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { build, type Metafile, transform } from 'esbuild';
import { lessOfLibraries } from './less-of-libraries.ts';
import { root } from './places.ts';

export interface Bundle {
  /** The main script of the binary. */
  readonly start: string;
  /** By the name under which start.ts asks for them, in a stable order. */
  readonly chunks: ReadonlyMap<string, string>;
}

// Names stay as they are: errors are told apart by theirs, and a stack in a bug report can be read.
const small = {
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  charset: 'ascii',
} as const;

export async function bundle(): Promise<Bundle> {
  const modules = await bundleModules();
  const chunks = await Promise.all(
    [...modules]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, text]) => [name, await toCommonJs(text)] as const),
  );
  return { start: await bundleStart(), chunks: new Map(chunks) };
}

async function bundleModules(): Promise<Map<string, string>> {
  const { outputFiles, metafile } = await build({
    ...small,
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'chunks',
    chunkNames: '[name]-[hash]',
    metafile: true,
    write: false,
    plugins: [lessOfLibraries],
  });
  assertWhole(metafile);
  return new Map(outputFiles.map(({ path, text }) => [`./${basename(path)}`, text]));
}

/** ws and debug try them, and do without. */
const optional = new Set(['bufferutil', 'utf-8-validate', 'supports-color']);

/** What is not in the bundle would be looked for beside the binary, and not be there. */
function assertWhole({ outputs }: Metafile): void {
  const missing = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !isBuiltin(path) && !optional.has(path));
  if (missing.length > 0) throw new Error(`not in the bundle: ${missing.map(({ path }) => path).join(', ')}`);
}

async function toCommonJs(text: string): Promise<string> {
  if (text.includes('import.meta.url')) throw new Error('a module asks where its file is: there are none');
  // import() would go past start.ts, and look for a file
  const { code } = await transform(text, { ...small, format: 'cjs', supported: { 'dynamic-import': false } });
  return code;
}

async function bundleStart(): Promise<string> {
  const { outputFiles } = await build({
    ...small,
    absWorkingDir: root,
    entryPoints: ['build/start.ts'],
    bundle: true,
    format: 'cjs',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
