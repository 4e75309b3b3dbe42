// The words before the one that is completed, read by the parser's own rules.
import { normalizeArgv } from '../commands/argv.ts';
import type { Flags, Texts } from '../commands/command.ts';

export interface Line {
  /** The flags so far. */
  readonly texts: Texts;
  /** What stands behind the verb and is no flag. */
  readonly words: readonly string[];
  /** What the next word will be. Behind `--` a dash begins a name. */
  readonly next:
    | { readonly is: 'value'; readonly flag: string }
    | { readonly is: 'word'; readonly behindDashes: boolean };
}

/** Nobody can type it: an argument ends at a zero byte. Where the parser puts it, there goes the word that is completed. */
const here = '\0';

/** `words` are those behind the verb. Throws a usage error for what the parser does not take. */
export function readLine(words: readonly string[], flags: Flags): Line {
  const normal = normalizeArgv([...words, here], flags);
  const dashes = normal.indexOf('--');
  const own = dashes < 0 ? normal : normal.slice(0, dashes);
  const behind = dashes < 0 ? [] : normal.slice(dashes + 1);
  const given = own.flatMap(word => {
    const [, name = '', text = ''] = /^--([^=]+)=([\s\S]*)$/.exec(word) ?? [];
    return name in flags ? [{ name, text }] : [];
  });
  const texts: Record<string, string[]> = {};
  for (const { name, text } of given) if (text !== here) texts[name] = [...(texts[name] ?? []), text];
  const flag = given.find(({ text }) => text === here)?.name;
  return {
    texts,
    words: [...own.filter(word => !word.startsWith('--')), ...behind].filter(word => word !== here),
    next: flag === undefined ? { is: 'word', behindDashes: dashes >= 0 } : { is: 'value', flag },
  };
}
