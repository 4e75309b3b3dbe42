// What was saved to files, and what could not be.
import type { Event } from '../model/event.ts';
import { label, plain } from '../model/ref.ts';
import type { NotSaved, Saved } from '../model/saving.ts';
import { plural } from './counted.ts';
import type { Lines } from './renderer.ts';

export function savedLines({ dir, files, bytes, notSaved, moment }: Saved): Lines {
  const when = moment === 'before' ? 'before the first write' : 'at the end';
  const line = `saved ${plural(files, 'file')} (${size(bytes)}) to ${plain(dir)} ${when}`;
  return { err: [line, ...notSaved.slice(0, shown).map(notSavedLine), ...more(notSaved)] };
}

export const savingLine = ({ done, total, bytes }: Extract<Event, { type: 'saving' }>): string =>
  `saving ${done}/${total}  ${size(bytes)}`;

const shown = 10;

const more = (all: readonly NotSaved[]): string[] =>
  all.length > shown ? [`  … ${all.length - shown} more that could not be saved`] : [];

const notSavedLine = ({ target, what, problem }: NotSaved): string =>
  plain(`error: ${what}${target === undefined ? '' : ` of ${label(target)}`} not saved: ${problem.text}`);

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
