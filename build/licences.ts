// The licences of everything that is in an archive, in one file: Node's, and those of the packages that the lockfile has.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Locked, lockedForProduction } from './lockfile.ts';
import { root } from './places.ts';
import { targets } from './targets.ts';

const nodePackages = new Set(targets.map(({ nodePackage }) => nodePackage));
const rule = '-'.repeat(80);

export function licences(nodeVersion: string, nodeLicence: string): string {
  const packages = lockedForProduction().filter(({ name }) => !nodePackages.has(name));
  const entries = new Map(packages.map(one => [`${one.name} ${one.version}`, textOf(one)]));
  return [
    'kubectl-jobctl contains Node.js and the packages below, each under its own licence.',
    ...[[`Node.js ${nodeVersion}`, nodeLicence] as const, ...entries].flatMap(([title, text]) => [
      rule,
      title,
      rule,
      text.replaceAll('\r\n', '\n').trim(),
    ]),
    '',
  ].join('\n');
}

/** What the package brings; npm packages that bring none still say which it is. */
function textOf({ folder, name, license }: Locked): string {
  const inside = join(root, folder);
  const files = readdirSync(inside).filter(file => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map(file => readFileSync(join(inside, file), 'utf8'));
  if (texts.length > 0) return texts.join('\n\n');
  if (license === undefined) throw new Error(`${name} says nowhere under which licence it is`);
  const { author } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8')) as {
    readonly author?: string | { readonly name: string };
  };
  const by = typeof author === 'object' ? author.name : author;
  return `${license}${by === undefined ? '' : `, ${by}`} (the package has no text of it)`;
}
