// TYPE and NAME, in the two ways in which they are written: `job etl`, `job/etl`.
import type { Objects, Texts } from '../commands/command.ts';
import { which as shared } from '../commands/flags.ts';
import { type Named, nothing, type Part, type Which } from './asked.ts';
import type { Line } from './line.ts';

/** What is chosen by a selector, by --all or from a file has no NAME. */
const choosing = ['selector', 'field-selector', 'all', 'filename'];

/** The word behind these: the parser refuses names beside a selector and beside -A, so none are offered there. */
export function objectPart(typed: string, which: Objects, { words, texts }: Line): Part {
  if (texts['filename'] !== undefined) return nothing;
  const [first] = words;
  const named = !choosing.some(name => texts[name] !== undefined) && !isEverywhere(texts);
  if (first === undefined) return typed.includes('/') ? slashed() : firstPart(typed, which, named);
  if (!named) return nothing;
  if (first.includes('/')) return slashed();
  const types = first.split(',');
  const given = types.flatMap(type => words.slice(1).map(name => ({ type, name })));
  return { sought: { by: 'names', which, types, everywhere: false, given }, head: '', typed };

  function slashed(): Part {
    return named ? slashedPart(typed, { which, everywhere: false, given: words.flatMap(toNamed) }) : nothing;
  }
}

/** A TYPE, or of several the last one; or the NAME of a Job. */
function firstPart(typed: string, which: Which, named: boolean): Part {
  const from = typed.lastIndexOf(',') + 1;
  return {
    sought: { by: 'types', which, slashed: false, jobs: named && from === 0 },
    head: typed.slice(0, from),
    typed: typed.slice(from),
  };
}

interface Slashed {
  readonly which: Which;
  readonly everywhere: boolean;
  readonly given: readonly Named[];
}

/** TYPE/NAME in one word. */
export function slashedPart(typed: string, { which, everywhere, given }: Slashed): Part {
  const slash = typed.indexOf('/');
  if (slash < 0) return { sought: { by: 'types', which, slashed: true, jobs: false }, head: '', typed };
  const types = [typed.slice(0, slash)];
  return {
    sought: { by: 'names', which, types, everywhere, given },
    head: typed.slice(0, slash + 1),
    typed: typed.slice(slash + 1),
  };
}

function toNamed(word: string): Named[] {
  const [type = '', name] = word.split('/');
  return name === undefined ? [] : [{ type, name }];
}

export const isEverywhere = (texts: Texts): boolean =>
  shared['all-namespaces'].read(texts['all-namespaces'] ?? [], '--all-namespaces');
