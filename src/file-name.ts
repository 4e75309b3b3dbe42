// Names of the cluster as file names: one name, one file name, whatever the name is and whatever the file system.
import { createHash } from 'node:crypto';

// a file system may know no difference between A and a, so capital letters are written out as well
const written = /[^a-z0-9._-]/gu;
/** Device names of Windows, with any ending: `nul.txt` is the device too. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/;
const mostBytes = 200;

/** Lower-case ASCII without separators; never `.` or `..`, never a device, short enough for an ending. Two names never give the same. */
export function toFileName(name: string): string {
  const escaped = name
    .replace(written, spelled)
    .replace(/^\.|\.$|^$/g, one => (one === '' ? '%' : spelled(one)))
    .replace(device, found => spelled(found.slice(0, 1)) + found.slice(1));
  return escaped.length <= mostBytes ? escaped : shortened(escaped);
}

const spelled = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** `~` stands in no other name. The ending stays, for who opens the file. */
function shortened(name: string): string {
  const [ending = ''] = /(?:\.[a-z]{1,8}){0,3}$/.exec(name) ?? [];
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, mostBytes - 17 - ending.length)}~${digest}${ending}`;
}
