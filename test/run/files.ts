// Which test files a word of the command line means, and what each of them needs.
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

export interface TestFile {
  /** Absolute. */
  readonly path: string;
  /** As people say it: `test/e2e/delete.test.ts`. */
  readonly name: string;
  readonly needsControlPlane: boolean;
  /** It starts a control plane of its own, with a real node. */
  readonly needsNode: boolean;
  /** Minutes instead of seconds, or it takes servers away: runs alone, after the others. */
  readonly isHeavy: boolean;
}

const root = resolve(import.meta.dirname, '..', '..');
const tests = join(root, 'test');

function toTestFile(path: string): TestFile {
  const name = relative(root, path).split(sep).join('/');
  const needsNode = name.endsWith('.node.test.ts');
  return {
    path,
    name,
    needsControlPlane:
      /^test\/(e2e|cluster|contract)\//.test(name) && !name.endsWith('/fake.test.ts') && !needsNode,
    needsNode,
    isHeavy: /\.(heavy|keda|node)\.test\.ts$/.test(name) || name.startsWith('test/package/'),
  };
}

const needsKeda = ({ name }: TestFile): boolean => name.endsWith('.keda.test.ts');

/** Every test file below a folder, in a stable order: one that exists is run, without being listed anywhere. */
function filesBelow(folder: string): TestFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .sort()
    .map(path => toTestFile(join(folder, path)));
}

/** Seconds, no cluster. */
export const checkFiles = (): TestFile[] =>
  filesBelow(tests).filter(file => !file.needsControlPlane && !file.isHeavy);

export const allFiles = (): TestFile[] => filesBelow(tests).filter(file => !needsKeda(file));

/** They start control planes of their own, and with them an operator that takes ten minutes to build. */
export const kedaFiles = (): TestFile[] => filesBelow(tests).filter(needsKeda);

/** What depends on the version of Kubernetes. */
export const controlPlaneFiles = (): TestFile[] =>
  filesBelow(tests).filter(file => file.needsControlPlane || file.needsNode);

/** Files and folders as someone typed them. */
export function namedFiles(names: readonly string[]): TestFile[] {
  return names.flatMap(name => {
    const path = resolve(name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined)
      throw new Error(`${name} does not exist; say check, all, matrix, keda, or name test files`);
    return found.isDirectory() ? filesBelow(path) : [toTestFile(path)];
  });
}
