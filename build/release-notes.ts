// npm run --silent release:notes -- vX.Y.Z: what the changelog says of the version that is to be released. The first step of
// the workflow: a tag that does not fit ends it here, with a reason, before anything was built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { notesFor } from './changelog.ts';
import { root } from './places.ts';

const [, , tag = 'not given'] = process.argv;
try {
  process.stdout.write(notesFor(tag, manifest.version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8')));
} catch (error) {
  process.stderr.write(`error: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
