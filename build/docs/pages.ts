// The pages, and what each of them should say now.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBlocks } from './blocks.ts';
import { generated } from './generated.ts';
import { docs, root } from './places.ts';

export interface Page {
  /** As people say it: `docs/stop.md`. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

export const pages = (): Page[] =>
  [
    ['README.md', join(root, 'README.md')] as const,
    ...readdirSync(docs)
      .filter(file => file.endsWith('.md'))
      .sort()
      .map(file => [`docs/${file}`, join(docs, file)] as const),
  ].map(([name, path]) => ({ name, path, text: readFileSync(path, 'utf8') }));

/** Throws where the page has a mark that nobody knows, with its name. */
export function current({ name, text }: Page): string {
  try {
    return withBlocks(text, generated);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
