// The preview of `unstick`: one row for each thing that holds an object, the oldest first; then what can be freed, as commands.
import type { Hold } from '../model/hold.ts';
import { resourceName } from '../model/kind.ts';
import type { Finding, UnstickPlan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import type { NoteCode } from '../model/why.ts';
import { age } from './age.ts';
import { plural } from './counted.ts';
import { heading } from './heading.ts';
import { holdLines } from './hold-lines.ts';
import { inNamespace, type Typed, typedFor } from './next-command.ts';
import { table } from './table.ts';
import { reasons } from './words.ts';

const objectsShown = 30;
const commandsShown = 10;

export function unstickPreview(plan: UnstickPlan, wide = false): string[] {
  return [heading(plan), '', ...rowsOf(plan, wide), ...counted(plan)];
}

function rowsOf(plan: UnstickPlan, wide: boolean): string[] {
  // once a scan is to do something, that is what has to be looked at; the others are counted below
  const isShown = ({ verdict }: Finding) =>
    wide || !plan.isScan || plan.actions.length === 0 || isDone.has(verdict);
  const findings = plan.findings.filter(isShown).sort((a, b) => sinceOf(b) - sinceOf(a));
  const removed = new Set(
    plan.actions.flatMap(({ target, where, remove }) => remove.map(name => `${target.uid} ${where} ${name}`)),
  );
  const fateOf: FateOf = (hold, { target, verdict }) => {
    if (verdict === 'follows') return 'follows';
    if (!removed.has(`${target.uid} ${hold.where} ${hold.finalizer}`)) return undefined;
    return plan.dryRun === 'none' ? 'will' : 'would';
  };
  const typed = typedFor(plan);
  const shown = wide ? findings : findings.slice(0, objectsShown);
  const rows = shown.flatMap(finding => rowsOfOne(finding, isMany(plan), fateOf, typed));
  if (rows.length === 0) return [];
  const header = [...(isMany(plan) ? ['NAMESPACE'] : []), ...['STUCK FOR', 'OBJECT', 'HELD BY', 'VERDICT']];
  const more = findings.length - shown.length;
  return [...table([header, ...rows]), ...(more > 0 ? [`… ${more} more (-o wide shows all)`] : []), ''];
}

const isDone: ReadonlySet<Finding['verdict']> = new Set(['free', 'follows', 'refused']);

const isMany = (plan: UnstickPlan): boolean => plan.allNamespaces || plan.namespaces.length > 1;

function sinceOf({ seen }: Finding): number {
  return seen.as === 'stuck' ? seen.sinceMs : 0;
}

/** The first row names the object; further holds, and what more there is to say of one, follow below it. */
function rowsOfOne(finding: Finding, withNamespace: boolean, fateOf: FateOf, typed: Typed): string[][] {
  const { target, seen } = finding;
  const holds = seen.as === 'stuck' ? seen.holds : [];
  const since = holds.length === 0 || sinceOf(finding) < 0 ? '-' : age(sinceOf(finding));
  const saying = sayingOf(finding);
  const lines = holds.flatMap(hold => {
    const [first = '', ...more] = holdLines(hold, fateOf(hold, finding), typed);
    return [[hold.finalizer === '' ? '-' : hold.finalizer, first], ...more.map(line => ['', line])];
  });
  const told = saying === '' ? lines : [...lines, ['', saying]];
  const rows = holds.length === 0 ? [['-', saying]] : told;
  return rows.map((row, at) => {
    const [place, stuckFor, name] = at === 0 ? [target.namespace ?? '-', since, label(target)] : ['', '', ''];
    return [...(withNamespace ? [place] : []), stuckFor, name, ...row].map(plain);
  });
}

type FateOf = (hold: Hold, finding: Finding) => 'will' | 'would' | 'follows' | undefined;

function sayingOf({ verdict, why }: Finding): string {
  if (verdict === 'free') return '';
  if (verdict === 'follows') return 'goes without further help then';
  const words = why.code === 'held' ? '' : reasons[why.code].row(why.facts ?? {});
  return verdict === 'refused' && words !== '' ? `refused: ${words}` : words;
}

/** Of what these are about nothing is known: that nothing is stuck there must not be said. */
const unreadNotes: ReadonlySet<NoteCode> = new Set(['unreadable', 'unreadable-kinds', 'silent-group']);

function counted(plan: UnstickPlan): string[] {
  const { actions, findings, aftermath } = plan;
  if (findings.length === 0) {
    const isPartly = plan.notes.some(({ code }) => unreadNotes.has(code));
    return [isPartly ? 'Nothing is stuck among what could be read.' : 'Nothing is stuck here.'];
  }
  const stuck = findings.filter(({ seen }) => seen.as === 'stuck' && seen.holds.length > 0);
  if (actions.length === 0)
    return [
      ...(stuck.length === 0 ? [] : [`${plural(stuck.length, 'object')} terminating.`]),
      ...commandsOf(plan),
    ];
  const freed = new Set(actions.map(({ target }) => target.uid)).size;
  const names = actions.reduce((sum, { remove }) => sum + remove.length, 0);
  const verb = plan.dryRun === 'none' ? 'will' : 'would';
  const follows = aftermath.follows.length;
  const stays = stuck.length - freed - follows;
  return [
    [
      `${plural(freed, 'object')} ${verb} be freed of ${plural(names, 'finalizer')}.`,
      ...(follows === 0 ? [] : [`${plural(follows, 'other')} ${verb} go without further help.`]),
      ...(stays === 0 ? [] : [stays === 1 ? '1 stays as it is.' : `${stays} stay as they are.`]),
    ].join(' '),
  ];
}

/** The commands that would free what may be freed, one for each finalizer of a kind. */
function commandsOf(plan: UnstickPlan): string[] {
  const freeable = plan.findings.filter(({ verdict }) => verdict === 'could-be-freed');
  if (freeable.length === 0) return [];
  const lines = Map.groupBy(
    freeable.flatMap(finding => optionsOf(finding).map(finalizer => ({ finding, finalizer }))),
    ({ finding: { target }, finalizer }) => [resourceName(target.kind), finalizer].join('\n'),
  );
  const commands = [...lines.values()].map(group =>
    commandFor(
      group.map(({ finding }) => finding),
      group[0]?.finalizer ?? '',
      typedFor(plan),
    ),
  );
  const more = commands.length - commandsShown;
  return [
    `${freeable.length} can be freed:`,
    ...commands.slice(0, commandsShown).map(command => `  ${command}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

const optionsOf = ({ seen }: Finding): string[] =>
  seen.as !== 'stuck'
    ? []
    : seen.holds
        .filter(
          ({ allowance, where }) =>
            where === 'metadata' && (allowance === 'proven' || allowance === 'if-named'),
        )
        .map(({ finalizer }) => finalizer);

function commandFor(findings: readonly Finding[], finalizer: string, typed: Typed): string {
  const [first] = findings;
  if (first === undefined) return '';
  const { target } = first;
  const isOnePlace = findings.every(finding => finding.target.namespace === target.namespace);
  const place = isOnePlace ? inNamespace(target.namespace) : ['-A'];
  const where = target.namespace === undefined ? [] : place;
  const what = findings.length === 1 ? label(target) : resourceName(target.kind);
  return typed('kubectl jobctl', 'unstick', what, ...where, '--finalizer', finalizer);
}
