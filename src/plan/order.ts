// One stable order for everything that is listed: the same cluster gives the same plan, in whatever order the server answered.
import type { Ref } from '../model/ref.ts';

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function byPlace(a: Ref, b: Ref): number {
  return (
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.kind.group, b.kind.group) ||
    compareText(a.kind.kind, b.kind.kind) ||
    compareText(a.name, b.name) ||
    compareText(a.uid, b.uid)
  );
}

export const inPlaceOrder = <T extends { readonly ref: Ref }>(objects: readonly T[]): T[] =>
  [...objects].sort((a, b) => byPlace(a.ref, b.ref));

/** Newest first: by end, then start, then name; the uid only so that no two are ever equal. */
export function newestFirst(a: Dated, b: Dated): number {
  return (
    b.endedAt.getTime() - a.endedAt.getTime() ||
    (b.startedAt?.getTime() ?? 0) - (a.startedAt?.getTime() ?? 0) ||
    compareText(b.name, a.name) ||
    compareText(b.uid, a.uid)
  );
}

/** As the CronJob controller counts its history (pkg/controller/cronjob byJobStartTime), newest first: what has no start is new. */
export function newestStartFirst(a: Started, b: Started): number {
  const startOf = ({ startedAt }: Started) => startedAt?.getTime() ?? Infinity;
  return startOf(a) === startOf(b) ? compareText(b.name, a.name) : startOf(a) < startOf(b) ? 1 : -1;
}

type Started = Pick<Dated, 'startedAt' | 'name'>;

export interface Dated {
  readonly endedAt: Date;
  readonly startedAt?: Date | undefined;
  readonly name: string;
  readonly uid: string;
}
