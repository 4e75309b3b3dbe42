// Loaded into every test file before it: a test that says nothing about its time gets a limit, so that nothing hangs for
// ever. Node has no such setting: the timeout of its runner is for a whole file, whose results would be lost.
import { createRequire, syncBuiltinESMExports } from 'node:module';

type Test = (...args: readonly unknown[]) => unknown;

const timeout = Number(new URL(import.meta.url).searchParams.get('ms') ?? 120_000);

function withLimit(args: readonly unknown[]): readonly unknown[] {
  if (args.some(arg => typeof arg === 'object' && arg !== null)) {
    return args.map(arg => (typeof arg === 'object' && arg !== null ? { timeout, ...arg } : arg));
  }
  const body = args.findIndex(arg => typeof arg === 'function');
  const at = body === -1 ? args.length : body;
  return [...args.slice(0, at), { timeout }, ...args.slice(at)];
}

const nodeTest = createRequire(import.meta.url)('node:test') as Record<'test' | 'it', Test>;
for (const name of ['test', 'it'] as const) {
  const original = nodeTest[name];
  const limited: Test = (...args) => original(...withLimit(args));
  nodeTest[name] = Object.assign(limited, original);
}
syncBuiltinESMExports();
