// A flag that is being typed, and its value.
import type { Flag, Flags, Offers, Texts } from '../commands/command.ts';
import { type Choice, listed, nothing, type Part, type Sought } from './asked.ts';
import { isEverywhere, slashedPart } from './objects.ts';

export const helpFlag: Choice = { text: '--help', about: 'examples and flags' };

/** `typed` begins with a dash: the name of a flag, or one with its value in the same word. */
export function flagPart(typed: string, flags: Flags, texts: Texts): Part {
  if (typed !== '-' && !typed.startsWith('--')) return letterPart(typed, flags, texts);
  const equals = typed.indexOf('=');
  if (equals < 0) return listed([...names(flags, texts), helpFlag], typed);
  const flag = flags[typed.slice(2, equals)];
  // the shells put what stands before the `=` in front again. Source: cobra's scripts, `kubectl completion SHELL`
  return flag === undefined ? nothing : valuePart(flag, typed.slice(equals + 1), texts);
}

/** One that was given is offered again only where both would count. */
const names = (flags: Flags, texts: Texts): Choice[] =>
  Object.entries(flags)
    .filter(([name, { repeats }]) => repeats === true || texts[name] === undefined)
    .map(([name, { about }]) => ({ text: `--${name}`, about }));

/** `-n`, `-nbatch`, `-n=batch`. */
function letterPart(typed: string, flags: Flags, texts: Texts): Part {
  const [dash, value] = [typed.slice(0, 2), typed.slice(2)];
  const flag = Object.values(flags).find(({ letter }) => letter === dash.slice(1));
  if (flag === undefined) return nothing;
  if (value === '') return listed([{ text: dash, about: flag.about }], typed);
  if (value.startsWith('=')) return valuePart(flag, value.slice(1), texts);
  if (flag.takes !== 'value') return nothing;
  const part = valuePart(flag, value, texts);
  return { ...part, head: dash + part.head };
}

// biome-ignore lint/suspicious/noExplicitAny: only what is offered matters here
export function valuePart({ takes, offers }: Flag<any>, typed: string, texts: Texts): Part {
  if (takes === 'nothing') return listed([{ text: 'true' }, { text: 'false' }], typed);
  if (offers === undefined) return nothing;
  if (offers === 'owners')
    return slashedPart(typed, { which: 'owners', everywhere: isEverywhere(texts), given: [] });
  return { sought: soughtOf(offers), head: '', typed };
}

function soughtOf(offers: Exclude<Offers, 'owners'>): Sought {
  switch (offers) {
    case 'contexts':
    case 'clusters':
    case 'users':
      return { by: 'kubeconfig', entries: offers };
    case 'namespaces':
    case 'files':
    case 'folders':
      return { by: offers };
    default:
      return { by: 'list', choices: offers.map(text => ({ text })) };
  }
}
