// Server warnings (RFC 7234 `Warning` headers, code 299): each text once.
import { plain } from '../model/ref.ts';

/** The texts of one header, quotes and escapes taken away: `299 - "a", 299 - "b"`. */
export function parseWarnings(header: string): string[] {
  const found = header.matchAll(/\b299\s+\S+\s+"((?:[^"\\]|\\.)*)"/g);
  return [...found].map(([, text]) => plain((text ?? '').replace(/\\(.)/g, '$1')));
}

export class Warnings {
  readonly #seen = new Set<string>();
  readonly #tell: (text: string) => void;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  add(header: string | readonly string[] | undefined): void {
    for (const line of header === undefined ? [] : [header].flat()) {
      for (const text of parseWarnings(line)) {
        if (this.#seen.has(text)) continue;
        this.#seen.add(text);
        this.#tell(text);
      }
    }
  }
}
