// What differs from run to run (addresses, uids, digests, seconds, the order of what goes at once) is written in one way, so that two runs
// of the same story are the same text. Nothing else of what was printed is touched.

/** Names that a controller made up, in the order in which they came. */
const madeUp = ['x2x8n', 'p4k9q', '9etl2', '7hjk2', 'q6wvz'];
const digests = ['14a9c171', '7f3a91c4', 'c05de2b8', '2be1907a', '90ab3c5d'];

export interface Run {
  /** Of the control plane. */
  readonly server: string;
  /** Its folder, and other paths of this machine, with how they are to be written. */
  readonly paths: Readonly<Record<string, string>>;
  /** Prefixes of names that end in five letters of a controller's own: `sync-29367510`. */
  readonly generated: readonly string[];
}

export function steady(text: string, { server, paths, generated }: Run): string {
  let out = text
    .replaceAll(server, 'https://10.0.0.1:6443')
    .replaceAll(/jobctl-test-[a-z0-9-]+(?= \()/g, 'prod-eu');
  for (const [path, name] of Object.entries(paths)) out = out.replaceAll(path, name);
  out = renamed(out, new RegExp(`(?<=\\b(?:${generated.join('|') || 'none'})-)[a-z0-9]{5}\\b`, 'g'), madeUp);
  out = renamed(out, /(?<=\bplan |--confirm )[0-9a-f]{8}\b/g, digests);
  return inOrder(shifted(out).split('\n').map(steadyTimes)).join('\n');
}

/** Moments of a schedule: the first one is always the same, the others are as far from it as they were. */
function shifted(text: string): string {
  const pattern = /\b20\d\d-\d\d-\d\d \d\d:\d\d\b/g;
  const first = text.match(pattern)?.[0];
  if (first === undefined) return text;
  const toMs = (moment: string) => Date.parse(`${moment.replace(' ', 'T')}Z`);
  const by = Date.UTC(2026, 2, 1, 2, 15) - toMs(first);
  return text.replace(pattern, one => new Date(toMs(one) + by).toISOString().slice(0, 16).replace('T', ' '));
}

/** The first of them is the first of `names`, wherever it stands. */
function renamed(text: string, pattern: RegExp, names: readonly string[]): string {
  const found = [...new Set(text.match(pattern))];
  if (found.length > names.length) throw new Error(`more than ${names.length}: ${found.join(', ')}`);
  return text.replace(pattern, one => names[found.indexOf(one)] ?? one);
}

const steadyTimes = (line: string): string =>
  line
    .replace(/\((?:\d+\.\ds|\d+m\d*s?)\)$/, '(0.9s)')
    .replace(/^(\d{1,3}s)( +)/, (_, age: string, gap: string) => '12s'.padEnd(age.length + gap.length))
    .replace(/\b\d{1,3}s ago\b/g, '12s ago')
    .replace(/(stuck for|since|terminating for) \d{1,3}s/g, '$1 12s')
    .replace(/\(\d+(?:\.\d+)? (?:KiB|B)\) to/, '(24 KiB) to')
    .replace(/jobctl-stop-\d{4}-\d\d-\d\dT\d{6}Z/, 'jobctl-stop-2026-03-01T021400Z')
    // who of the two was faster is a matter of milliseconds
    .replace(/ \((?:\d+ )?(?:of them )?by the garbage collector\)/, '')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '3f2b8a54-…');

/** Lines about objects that went at the same time, by their names. */
function inOrder(lines: readonly string[]): string[] {
  const out: string[] = [];
  let same: string[] = [];
  const flush = () => {
    out.push(...same.sort());
    same = [];
  };
  for (const line of lines) {
    if (/^\S+ "\S+" deleted from /.test(line)) same.push(line);
    else {
      flush();
      out.push(line);
    }
  }
  flush();
  return out;
}
