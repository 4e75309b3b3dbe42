// `status -A`: a row for each namespace that needs something, the others counted. -o wide: every namespace, and all findings.
import { isJobKind, isPodKind, resourceName } from '../model/kind.ts';
import { plain } from '../model/ref.ts';
import { needsSomebody, type Place, type Status } from '../model/status.ts';
import { plural } from './counted.ts';
import { shortCommand } from './next-command.ts';
import { jobsCell, leakedCell, sourcesCell, stuckCell } from './status-cells.ts';
import { findingLines } from './status-findings.ts';
import { table } from './table.ts';

export function placesLines(status: Status, wide: boolean): string[] {
  const busy = status.places.filter(needsSomebody);
  const shown = wide ? status.places : busy;
  const rows = shown.map(place => [
    plain(place.namespace),
    sourcesCell(status, place),
    jobsCell(place, wide),
    leakedCell(place),
    stuckCell(status, place),
    place.next.map(shortCommand).join(' · '),
  ]);
  const header = ['NAMESPACE', 'CRONJOBS', 'JOBS', 'LEAKED PODS', 'STUCK', 'NEXT: kubectl jobctl …'];
  return [
    ...(rows.length === 0 ? [] : [...table([header, ...rows]), '']),
    ...(wide ? shown.flatMap(findingsOf) : []),
    summary(status, busy.length),
  ];
}

function findingsOf(place: Place): string[] {
  return place.findings.length === 0
    ? []
    : [`${plain(place.namespace)}:`, ...findingLines(place.findings, true), ''];
}

function summary(status: Status, busy: number): string {
  const all = status.places.length;
  const clean = all - busy;
  const isWhole = status.unreadable.length === 0;
  if (all === 0)
    return isWhole
      ? 'No CronJobs, Jobs or Pods of Jobs anywhere.'
      : 'Nothing was found in what could be read.';
  const need = `${busy} of ${plural(all, 'namespace')} ${busy === 1 ? 'needs' : 'need'} something`;
  if (clean === 0) return `${need}.`;
  return isWhole
    ? `${need}; ${clean} ${clean === 1 ? 'is' : 'are'} clean.`
    : `${need}; in the other ${clean} nothing was found in what could be read.`;
}

/** `Not readable: jobs.batch in all namespaces (forbidden)`; under -o wide in the server's words. */
export function unreadLines({ unreadable, allNamespaces, namespaces }: Status, wide: boolean): string[] {
  const place = allNamespaces ? 'all namespaces' : `namespace ${namespaces.join(', ')}`;
  const where = (namespace: string | undefined): string =>
    namespace === undefined ? place : `namespace ${namespace}`;
  const lines = unreadable.map(({ kind, namespace, problem }) =>
    plain(
      `Not readable: ${resourceName(kind)} in ${where(namespace)} (${wide ? problem.text : problem.code})`,
    ),
  );
  const isForbidden = unreadable.some(({ problem }) => problem.code === 'forbidden');
  const isMissing = (is: typeof isJobKind) => unreadable.some(({ kind }) => is(kind));
  return [
    ...lines,
    ...(isMissing(isJobKind) ? ['Without the Jobs no Pod is called leaked and no owner gone.'] : []),
    ...(isMissing(isPodKind) ? ['Without the Pods no Pod is called leaked and no Job idle.'] : []),
    ...(isForbidden && allNamespaces ? ['Where you may read only some namespaces, name one with -n.'] : []),
  ];
}
