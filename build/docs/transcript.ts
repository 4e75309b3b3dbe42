// A session that was run on the real control plane (docs/transcripts/, written by transcripts.ts), as a page shows it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fenced } from './markdown.ts';
import { transcripts } from './places.ts';

export const transcript = (name: string): string =>
  fenced('', readFileSync(join(transcripts, `${name}.txt`), 'utf8'));
