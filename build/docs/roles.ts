// The roles: files in docs/roles/ that `kubectl apply -f` takes. test/e2e/readme-roles.test.ts tries each of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { code, fenced, markdownTable } from './markdown.ts';
import { docs } from './places.ts';

const folder = join(docs, 'roles');

/** The file as it is, its comment included. */
export const roleText = (name: string): string =>
  `[${`docs/roles/${name}.yaml`}](roles/${name}.yaml):\n\n${fenced('yaml', readFileSync(join(folder, `${name}.yaml`), 'utf8'))}`;

/** `prefix`: how the page that shows the table reaches docs/. */
export function roleTable(prefix: string): string {
  const files = readdirSync(folder).sort();
  return markdownTable(
    ['role', 'what it is for'],
    files.map(file => {
      const text = readFileSync(join(folder, file), 'utf8');
      const { name } = (parse(text) as { metadata: { name: string } }).metadata;
      return [`[${code(name)}](${prefix}roles/${file})`, commentOf(text)];
    }),
  );
}

/** The lines at the top, as one. */
function commentOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex(line => !line.startsWith('# '));
  return lines
    .slice(0, end)
    .map(line => line.slice(2))
    .join(' ');
}
