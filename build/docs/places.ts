// Where the documents are.
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..', '..');
export const docs = join(root, 'docs');
export const transcripts = join(docs, 'transcripts');
