// `kubectl jobctl …` so far → what is to be completed. The words and flags are those of the table that parser and help read.
import type { Contents, Page } from '../commands/command.ts';
import { type Asked, type Choice, listed, nothing, type Part } from './asked.ts';
import { flagPart, helpFlag, valuePart } from './flag.ts';
import { type Line, readLine } from './line.ts';
import { objectPart } from './objects.ts';

/** `typed`: the words behind `kubectl jobctl`, the last of them unfinished or empty. Throws for what the parser does not take. */
export function askedBy(typed: readonly string[], contents: Contents): Asked {
  const [name = '', ...rest] = typed;
  const last = rest.at(-1);
  if (last === undefined) return { ...firstPart(name, contents), texts: {} };
  if (name === 'help') return { ...(rest.length === 1 ? listed(names(contents), last) : nothing), texts: {} };
  const page = [...contents.verbs, ...contents.others].find(one => one.name === name);
  if (page === undefined) return { ...nothing, texts: {} };
  const line = readLine(rest.slice(0, -1), page.flags);
  return { ...partBehind(page, last, line), texts: line.texts };
}

const names = ({ verbs, others }: Contents): Choice[] =>
  [...verbs, ...others].map(({ name, about }) => ({ text: name, about }));

const firstPart = (typed: string, contents: Contents): Part =>
  typed.startsWith('-') ? listed([helpFlag, { text: '--version' }], typed) : listed(names(contents), typed);

function partBehind({ flags, offers }: Page, typed: string, line: Line): Part {
  const { texts, next, words } = line;
  if (next.is === 'value') {
    const flag = flags[next.flag];
    return flag === undefined ? nothing : valuePart(flag, typed, texts);
  }
  if (typed.startsWith('-') && !next.behindDashes) return flagPart(typed, flags, texts);
  if (typeof offers === 'string') return objectPart(typed, offers, line);
  return words.length === 0
    ? listed(
        offers.map(text => ({ text })),
        typed,
      )
    : nothing;
}
