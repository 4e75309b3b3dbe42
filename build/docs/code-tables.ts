// Codes with their sentences, as the documents list them. Each sentence is asked of the product's own table.
import type { LeftCode } from '../../src/model/event.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { CauseCode } from '../../src/model/hold.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Refusal } from '../../src/model/refusal.ts';
import type { NoteCode, ReasonCode } from '../../src/model/why.ts';
import { holdWords } from '../../src/report/hold-words.ts';
import { typedFor } from '../../src/report/next-command.ts';
import { refusalWords } from '../../src/report/refusal.ts';
import { statusWords } from '../../src/report/status-words.ts';
import { left, notes, reasons } from '../../src/report/words.ts';
import { code, markdownTable } from './markdown.ts';
import { sentence } from './sentences.ts';
import { type PlannedVerb, verbsOfNote, verbsOfReason } from './verb-codes.ts';
import { spoken } from './verbs.ts';

const typed = typedFor({ reach: [] });
const keysOf = <T extends string>(table: Readonly<Record<T, unknown>>): T[] => Object.keys(table) as T[];

export const reasonTable = (verb: PlannedVerb): string =>
  markdownTable(
    ['code', 'beside the object'],
    keysOf(verbsOfReason)
      .filter(reason => verbsOfReason[reason].includes(verb))
      .map(reason => [code(reason), sentence(reasons[reason].row)]),
  );

export const noteTable = (verb: PlannedVerb): string =>
  markdownTable(
    ['code', 'below the plan'],
    keysOf(verbsOfNote)
      .filter(note => verbsOfNote[note].includes(verb))
      .flatMap(note => saidInNote(note).map(text => [code(note), text])),
  );

export const allReasons = (): string =>
  markdownTable(
    ['code', 'beside the object', 'counted as', 'verbs'],
    keysOf<ReasonCode>(reasons).map(reason => [
      code(reason),
      sentence(reasons[reason].row),
      sentence(reasons[reason].many),
      verbsOfReason[reason].map(spoken).join(', '),
    ]),
  );

/** Some sentences are made of one of several; each of those has its line. */
const variants: Partial<Record<NoteCode, readonly Readonly<Record<string, string>>[]>> = {
  'at-once': [
    { does: 'nothing', because: 'none-missed' },
    { does: 'nothing', because: 'deadline-passed' },
    { does: 'nothing', because: 'missed-too-long-ago' },
    { does: 'nothing', because: 'no-such-time' },
    { does: 'starts-a-run' },
    { does: 'starts-when-the-active-one-has-ended' },
    { does: 'replaces-the-active-one' },
    { does: 'skipped' },
  ],
  'forecast-caveat': [
    'zone-of-the-controller',
    'zone-in-the-schedule',
    'more-than-100-missed',
    'deadline-below-10s',
    'deadline-prevents-every-run',
    'counted-from-the-last-run',
    'only-within-the-deadline',
  ].map(caveat => ({ caveat })),
  'forecast-unknown': ['schedule-unreadable', 'zone-unknown', 'odd-time-change'].map(why => ({ why })),
};

const saidInNote = (note: NoteCode): readonly string[] =>
  (variants[note] ?? [{}]).map(facts => sentence(one => notes[note](one, typed), facts));

export const leftTable = (): string =>
  markdownTable(
    ['code', 'why it is still there', 'what to do'],
    keysOf<LeftCode>(left).map(one => [
      code(one),
      sentence(left[one].why, one === 'in-grace' ? { of: 'N' } : {}),
      sentence(left[one].next),
    ]),
  );

/** A finalizer's own words are in its own table: `known` is not given here. */
export const causeTable = (): string =>
  markdownTable(
    ['code', 'what is the matter', 'what to do'],
    keysOf<CauseCode>(holdWords).map(cause => [
      code(cause),
      sentence(facts => holdWords[cause].why(facts, 'FINALIZER'), { known: undefined }),
      sentence(facts => holdWords[cause].next(facts, 'FINALIZER', typed), { known: undefined, first: 'POD' }),
    ]),
  );

const ofOnePod = { kind: 'Pod', beside: undefined };

export const statusTable = (): string =>
  markdownTable(
    ['code', 'what is said'],
    [
      ...keysOf(statusWords).map(finding => [code(finding), sentence(statusWords[finding].say, ofOnePod)]),
      [code('stuck'), 'stuck for AGE, and what holds it'],
    ],
  );

/** With a verb that may be refused so. */
const refusals: Record<Refusal['code'], Plan['verb']> = {
  'targets-refused': 'delete',
  'finalizer-not-named': 'unstick',
  'no-right': 'delete',
  'no-right-to-save': 'stop',
  'too-many': 'delete',
  'plan-changed': 'delete',
  'changed-meanwhile': 'delete',
  'no-terminal': 'delete',
  quiet: 'delete',
  'no-terminal-to-choose-on': 'delete',
};

export const refusalTable = (): string =>
  markdownTable(
    ['code', 'why', 'what would let it be'],
    keysOf(refusals).map(refusal => {
      const words = (facts: Facts) => refusalWords({ code: refusal, facts }, refusals[refusal]);
      return [code(refusal), sentence(facts => words(facts).why), sentence(facts => words(facts).next)];
    }),
  );
