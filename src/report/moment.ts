// A moment on the clock of a time zone, as people write it.

/** `2026-03-01 02:15 Europe/Berlin`; UTC where no zone is named. */
export function momentIn(moment: Date, zone: string | undefined): string {
  const named = zone === undefined || zone === '' || zone === 'Local' ? 'UTC' : zone;
  const parts = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: named });
  return `${parts.format(moment)} ${named}`;
}
