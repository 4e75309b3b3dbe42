// What `status` prints, by -o; and what --watch draws.
import type { StatusForm } from '../model/options.ts';
import { label, plain } from '../model/ref.ts';
import type { Status } from '../model/status.ts';
import { placeHeading } from './heading.ts';
import { statusDocument } from './status-document.ts';
import { placeLines } from './status-place.ts';
import { placesLines, unreadLines } from './status-places.ts';

export function statusLines(status: Status, form: StatusForm): string[] {
  switch (form) {
    case 'json':
    case 'yaml':
      return [statusDocument(status, form)];
    case 'name':
      return names(status);
    case 'wide':
    case 'text':
      return picture(status, form === 'wide');
  }
}

/** The objects that need somebody. */
function names({ places }: Status): string[] {
  const found = places.flatMap(({ findings }) => findings).filter(({ needs }) => needs);
  return [...new Set(found.flatMap(({ targets }) => targets.map(label)))].map(plain);
}

function picture(status: Status, wide: boolean): string[] {
  const [place] = status.places;
  const one = status.allNamespaces || place === undefined ? undefined : place;
  return [
    placeHeading(status),
    '',
    ...(one === undefined ? placesLines(status, wide) : placeLines(status, one, wide)),
    ...unreadLines(status, wide || one !== undefined),
  ];
}

interface Drawn {
  readonly rows: number;
  /** What kept a newer picture from being drawn. */
  readonly trouble?: string;
}

/** With the moment of the picture, and no more of it than the terminal has lines. */
export function watchLines(status: Status, form: StatusForm, { rows, trouble }: Drawn): string[] {
  const moment = `${status.takenAt.toISOString().slice(11, 19)} UTC, every 2s, Ctrl-C ends`;
  const lines = [
    trouble === undefined ? moment : plain(`${moment}; not read since: ${trouble}`),
    ...statusLines(status, form),
  ];
  // the last row is where the cursor goes after a line break
  const most = Math.max(3, rows - 1);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines (Ctrl-C prints all of it)`];
}
