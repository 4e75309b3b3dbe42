import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Foreseen, ScheduleFacts } from '../../../src/model/schedule.ts';
import { forecast, nextRunOf, servedTime } from '../../../src/plan/missed-runs.ts';

/** Created long before; the last run at noon, the CronJob is resumed a little after three. Wednesday. */
const noon = '2026-06-10T12:00:00Z';
const resumed = new Date('2026-06-10T15:00:20Z');

const facts = (schedule: string, more: Partial<ScheduleFacts> = {}): ScheduleFacts => ({
  schedule,
  timeZone: 'UTC',
  concurrencyPolicy: 'Allow',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  lastScheduledAt: new Date(noon),
  activeCount: 0,
  ...more,
});
const deadline = (startingDeadlineSeconds: number): Partial<ScheduleFacts> => ({ startingDeadlineSeconds });
const active = (concurrencyPolicy: string, activeCount = 1): Partial<ScheduleFacts> => ({
  concurrencyPolicy,
  activeCount,
});
const last = (at: string): Partial<ScheduleFacts> => ({ lastScheduledAt: new Date(at) });

function foresee(of: ScheduleFacts, now = resumed): Foreseen {
  const made = forecast(of, now);
  assert.ok(made.known, JSON.stringify(made));
  return made;
}
const iso = (at: Date | undefined): string =>
  at?.toISOString().replace(/^2026-06-|(:00)?\.000Z$/g, '') ?? 'never';
const told = ({ atOnce, next }: Foreseen): string =>
  `${atOnce.does}, ${atOnce.because}${atOnce.scheduledFor ? `, for ${iso(atOnce.scheduledFor)}` : ''}; next ${iso(next)}`;

const cases: readonly (readonly [name: string, ScheduleFacts, says: string])[] = [
  [
    'the newest missed run starts, the others never',
    facts('0 * * * *'),
    'starts-a-run, a-run-was-missed, for 10T15:00; next 10T16:00',
  ],
  ['none was missed', facts('0 18 * * *'), 'nothing, none-missed; next 10T18:00'],
  [
    'without a last run the creation counts',
    {
      ...facts('0 9 1 1 *', { createdAt: new Date('2025-12-31T00:00:00Z') }),
      lastScheduledAt: undefined,
    } as never,
    'starts-a-run, a-run-was-missed, for 2026-01-01T09:00; next 2027-01-01T09:00',
  ],
  [
    'within the starting deadline',
    facts('0 * * * *', deadline(21)),
    'starts-a-run, a-run-was-missed, for 10T15:00; next 10T16:00',
  ],
  [
    'the starting deadline has passed to the second',
    facts('0 * * * *', deadline(20)),
    'nothing, deadline-passed; next 10T16:00',
  ],
  [
    'a deadline of nothing stops everything',
    facts('0 * * * *', deadline(0)),
    'nothing, deadline-passed; next never',
  ],
  [
    'Forbid waits for the active one',
    facts('0 * * * *', active('Forbid')),
    'starts-when-the-active-one-has-ended, forbid-and-active, for 10T15:00; next 10T16:00',
  ],
  [
    'Forbid without an active one does not wait',
    facts('0 * * * *', active('Forbid', 0)),
    'starts-a-run, a-run-was-missed, for 10T15:00; next 10T16:00',
  ],
  [
    'Replace deletes the active ones',
    facts('0 * * * *', active('Replace', 2)),
    'replaces-the-active-one, replace-and-active, for 10T15:00; next 10T16:00',
  ],
  [
    'Replace with nothing missed leaves the active one alone',
    facts('0 18 * * *', active('Replace')),
    'nothing, none-missed; next 10T18:00',
  ],
  [
    'Allow runs beside the active ones',
    facts('0 * * * *', active('Allow', 3)),
    'starts-a-run, a-run-was-missed, for 10T15:00; next 10T16:00',
  ],
  [
    // Sunday noon: by steps of four hours the controller looks no further back than Sunday morning, and finds none.
    'irregular times: missed, but too long ago for the rough count',
    facts('30 6-16/4 * * 1-5', last('2026-06-01T00:00:00Z')),
    'nothing, missed-too-long-ago; next 15T06:30',
  ],
  ['no such day', facts('0 0 31 2 *'), 'nothing, no-such-time; next never'],
  [
    '@every counts from the last run',
    facts('@every 50m', last('2026-06-10T12:00:07Z')),
    'starts-a-run, a-run-was-missed, for 10T14:30:07; next 10T15:20:07',
  ],
  [
    '@every with a deadline that is shorter never runs',
    facts('@every 50m', deadline(600)),
    'nothing, deadline-passed; next never',
  ],
];

for (const [name, of, says] of cases) {
  const now = name.startsWith('irregular') ? new Date('2026-06-14T12:00:00Z') : resumed;
  test(name, () => assert.equal(told(foresee(of, now)), says));
}

test('S18: after 15 days of every minute the newest is started, and the count stops at a thousand', () => {
  const made = foresee(facts('* * * * *', last('2026-05-26T15:00:00Z')));
  const first = new Date('2026-05-26T15:01:00Z');
  assert.deepEqual(made.missed, { count: 1000, isMore: true, first, last: new Date('2026-06-10T15:00:00Z') });
  assert.equal(told(made), 'starts-a-run, a-run-was-missed, for 10T15:00; next 10T15:01');
  assert.deepEqual(made.caveats, ['more-than-100-missed']);
});

test('a hundred missed are told without the warning, one more with it', () => {
  const after = (minutes: number): Foreseen =>
    foresee(facts('* * * * *'), new Date(new Date(noon).getTime() + minutes * 60_000));
  assert.deepEqual([after(100).missed.count, after(100).caveats], [100, []]);
  assert.deepEqual([after(101).missed.count, after(101).caveats], [101, ['more-than-100-missed']]);
});

test('what makes the forecast less sure is said', () => {
  const { timeZone: _, ...anywhere } = facts('0 9 * * *');
  const caveats = (of: ScheduleFacts): readonly string[] => foresee(of).caveats;
  assert.deepEqual(caveats(facts('0 9 * * *')), []);
  assert.deepEqual(caveats(anywhere), ['zone-of-the-controller']);
  assert.deepEqual(caveats({ ...anywhere, schedule: '*/15 * * * *' }), []);
  assert.deepEqual(caveats({ ...anywhere, schedule: 'TZ=UTC 0 9 * * *' }), ['zone-in-the-schedule']);
  assert.deepEqual(caveats(facts('0 9 * * *', deadline(9))), ['deadline-below-10s']);
  assert.deepEqual(caveats(facts('0 9 * * *', deadline(0))), [
    'deadline-below-10s',
    'deadline-prevents-every-run',
  ]);
  assert.deepEqual(caveats(facts('@every 1h')), ['counted-from-the-last-run']);
  const waiting = facts('0 * * * *', { ...active('Forbid'), ...deadline(300) });
  assert.deepEqual(caveats(waiting), ['only-within-the-deadline']);
});

test('what cannot be foreseen is said, with the reason', () => {
  const why = (of: ScheduleFacts, now = resumed): unknown => forecast(of, now);
  assert.deepEqual(why(facts('0 0 * * 7')), { known: false, why: 'schedule-unreadable' });
  assert.deepEqual(why(facts('0 0 * * 0', { timeZone: 'Mars/Olympus' })), {
    known: false,
    why: 'zone-unknown',
  });
  const odd = facts('0 5 * * *', { timeZone: 'Australia/Lord_Howe', ...last('2026-04-03T18:30:00Z') });
  assert.deepEqual(why(odd, new Date('2026-04-06T00:00:00Z')), { known: false, why: 'odd-time-change' });
});

test('skipping: this minute serves, for @every the newest of its own times; nothing that lies before the last run', () => {
  assert.equal(iso(servedTime(facts('0 9 * * *'), resumed)), '10T15:00');
  assert.equal(iso(servedTime(facts('@every 50m', last('2026-06-10T12:00:07Z')), resumed)), '10T14:30:07');
  assert.equal(servedTime(facts('@every 4h'), resumed), undefined);
  assert.equal(servedTime(facts('* * * * *', last('2026-06-10T15:00:00Z')), resumed), undefined);
  assert.equal(servedTime(facts('0 0 * * 7'), resumed), undefined);
});

const instant = fc
  .integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) })
  .map(at => new Date(at - (at % 1000)));
const anyFacts = fc.record({
  schedule: fc.constantFrom(
    '*/5 * * * *',
    '0 9 * * MON-FRI',
    '30 2 * * *',
    '@every 7m',
    '0 0 1 * *',
    '* 1-2 * * *',
  ),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  concurrencyPolicy: fc.constantFrom('Allow', 'Forbid', 'Replace'),
  createdAt: instant,
  activeCount: fc.nat({ max: 2 }),
});
const suspension = fc.integer({ min: 0, max: 15 * 86_400_000 });
const suspended = (check: (of: ScheduleFacts, now: Date) => void): void =>
  fc.assert(
    fc.property(anyFacts, suspension, (of, long) => check(of, new Date(of.createdAt.getTime() + long))),
  );

test('a run that starts was missed and is the newest; the next one is still to come', () =>
  suspended((of, now) => {
    const { missed, atOnce, next } = foresee(of, now);
    if (atOnce.scheduledFor !== undefined) assert.deepEqual(atOnce.scheduledFor, missed.last);
    assert.equal(missed.count === 0, missed.first === undefined);
    assert.ok(missed.last === undefined || (missed.last <= now && missed.last > of.createdAt));
    assert.ok(next !== undefined && next > now);
  }));

test('after the missed runs are served nothing starts at once, and the next run stays where it was', () =>
  suspended((of, now) => {
    const lastScheduledAt = servedTime(of, now) ?? of.createdAt;
    const served = foresee({ ...of, lastScheduledAt }, now);
    assert.deepEqual(served.atOnce, { does: 'nothing', because: 'none-missed' });
    assert.deepEqual(served.next, foresee(of, now).next);
  }));

test('the next run alone is that of the whole forecast', () => {
  fc.assert(
    fc.property(anyFacts, suspension, (of, long) => {
      const now = new Date(of.createdAt.getTime() + long);
      const [alone, whole] = [nextRunOf(of, now), forecast(of, now)];
      assert.equal(alone.known, whole.known);
      if (alone.known && whole.known) assert.deepEqual(alone.next, whole.next);
    }),
  );
});
