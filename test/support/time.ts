// One fixed moment for every test that does not need a real clock, and ages counted back from it.

export const now = new Date('2026-03-01T12:00:00Z');

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `2h ago`, `90s ago`, or a moment as the API writes it. */
export function at(moment: string, from: Date = now): Date {
  const [, count, unit] = /^(\d+)([smhd]) ago$/.exec(moment) ?? [];
  if (count !== undefined)
    return new Date(from.getTime() - Number(count) * unitMs[unit as keyof typeof unitMs]);
  const date = new Date(moment);
  if (Number.isNaN(date.getTime()))
    throw new Error(`"${moment}" is neither a moment nor an age such as "2h ago"`);
  return date;
}

/** As the API writes it: whole seconds. */
export const apiTime = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');
