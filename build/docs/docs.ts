// node build/docs/docs.ts [--check]: rewrites the generated parts of README.md and docs/, or says which of them are stale.
import { writeFileSync } from 'node:fs';
import { current, pages } from './pages.ts';

const stale = pages().filter(page => current(page) !== page.text);
const isCheck = process.argv.includes('--check');
for (const page of stale) {
  if (!isCheck) writeFileSync(page.path, current(page));
  process.stdout.write(`${page.name} ${isCheck ? 'is stale: node build/docs/docs.ts' : 'written'}\n`);
}
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;
