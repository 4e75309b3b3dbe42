// The times of a schedule, against those of robfig/cron v3.0.1 (ParseStandard, and TZ= before the schedule for a zone).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OddTimeChange, readSchedule, type Schedule } from '../../../src/plan/schedule.ts';

type Row = readonly [schedule: string, zone: string, after: string, then: string];

function read(schedule: string, zone = ''): Schedule {
  const made = readSchedule(schedule, zone === '' ? undefined : zone);
  assert.ok(typeof made !== 'string', `${schedule}: ${made}`);
  return made;
}

function following(schedule: Schedule, after: string, wanted = 3): string {
  const times: string[] = [];
  let at = schedule.next(new Date(after));
  while (at !== undefined && times.length < wanted) {
    times.push(at.toISOString().replace(/(:00)?\.000Z$/, ''));
    at = schedule.next(at);
  }
  return times.join(' ');
}

const skippedHour: readonly Row[] = [
  [
    '30 2 * * *',
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-30T00:30 2026-03-31T00:30 2026-04-01T00:30',
  ],
  [
    '0 3 * * *',
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-29T01:00 2026-03-30T01:00 2026-03-31T01:00',
  ],
  [
    '*/30 2 * * *',
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-30T00:00 2026-03-30T00:30 2026-03-31T00:00',
  ],
  [
    '0 * * * *',
    'Europe/Berlin',
    '2026-03-28T23:30:00Z',
    '2026-03-29T00:00 2026-03-29T01:00 2026-03-29T02:00',
  ],
  [
    '30 2 29 3 *',
    'Europe/Berlin',
    '2026-03-01T00:00:00Z',
    '2027-03-29T00:30 2028-03-29T00:30 2029-03-29T00:30',
  ],
  [
    '0 9 * * *',
    'Europe/Berlin',
    '2026-03-27T12:00:00Z',
    '2026-03-28T08:00 2026-03-29T07:00 2026-03-30T07:00',
  ],
  [
    '30 2 * * *',
    'America/New_York',
    '2026-03-07T12:00:00Z',
    '2026-03-09T06:30 2026-03-10T06:30 2026-03-11T06:30',
  ],
  [
    '0 3 8 * *',
    'America/New_York',
    '2026-03-07T12:00:00Z',
    '2026-03-08T07:00 2026-04-08T07:00 2026-05-08T07:00',
  ],
  [
    '30 1 29 3 *',
    'Europe/London',
    '2026-03-01T00:00:00Z',
    '2027-03-29T00:30 2028-03-29T00:30 2029-03-29T00:30',
  ],
  [
    '0 9 * * *',
    'Australia/Lord_Howe',
    '2026-10-10T00:00:00Z',
    '2026-10-10T22:00 2026-10-11T22:00 2026-10-12T22:00',
  ],
  ['@weekly', 'Europe/Berlin', '2026-03-24T00:40:00Z', '2026-03-28T23:00 2026-04-04T22:00 2026-04-11T22:00'],
  [
    '@every 90m',
    'Europe/Berlin',
    '2026-03-28T23:17:03.5Z',
    '2026-03-29T00:47:03 2026-03-29T02:17:03 2026-03-29T03:47:03',
  ],
];
const repeatedHour: readonly Row[] = [
  [
    '30 2 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00:00Z',
    '2026-10-25T00:30 2026-10-25T01:30 2026-10-26T01:30',
  ],
  [
    '0 3 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00:00Z',
    '2026-10-25T02:00 2026-10-26T02:00 2026-10-27T02:00',
  ],
  [
    '0 * * * *',
    'Europe/Berlin',
    '2026-10-24T23:30:00Z',
    '2026-10-25T00:00 2026-10-25T01:00 2026-10-25T02:00',
  ],
  [
    '30 2 25 10 *',
    'Europe/Berlin',
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30 2027-10-25T00:30 2028-10-25T00:30',
  ],
  [
    '45 2 * * SUN',
    'Europe/Berlin',
    '2026-10-25T00:50:00Z',
    '2026-10-25T01:45 2026-11-01T01:45 2026-11-08T01:45',
  ],
  [
    '0 2 * * *',
    'Europe/Berlin',
    '2026-10-25T00:00:00Z',
    '2026-10-25T01:00 2026-10-26T01:00 2026-10-27T01:00',
  ],
  [
    '30 1 * * *',
    'America/New_York',
    '2026-10-31T12:00:00Z',
    '2026-11-01T05:30 2026-11-01T06:30 2026-11-02T06:30',
  ],
  [
    '59 1 * * *',
    'America/New_York',
    '2026-11-01T05:59:00Z',
    '2026-11-01T06:59 2026-11-02T06:59 2026-11-03T06:59',
  ],
  [
    '*/15 1-2 * * *',
    'America/New_York',
    '2026-11-01T05:40:00Z',
    '2026-11-01T05:45 2026-11-01T06:00 2026-11-01T06:15',
  ],
  [
    '0 9 * * MON-FRI',
    'America/New_York',
    '2026-10-30T20:00:00Z',
    '2026-11-02T14:00 2026-11-03T14:00 2026-11-04T14:00',
  ],
  [
    '0 9 * * *',
    'Australia/Lord_Howe',
    '2026-04-10T00:00:00Z',
    '2026-04-10T22:30 2026-04-11T22:30 2026-04-12T22:30',
  ],
  [
    '0 0 * * *',
    'Pacific/Auckland',
    '2026-04-04T00:00:00Z',
    '2026-04-04T11:00 2026-04-05T12:00 2026-04-06T12:00',
  ],
  [
    '30 2 * * *',
    'Pacific/Auckland',
    '2026-04-04T00:00:00Z',
    '2026-04-04T13:30 2026-04-04T14:30 2026-04-05T14:30',
  ],
];
const syntax: readonly Row[] = [
  ['0 0 13 * FRI', '', '2026-02-01T00:00:00Z', '2026-02-06T00:00 2026-02-13T00:00 2026-02-20T00:00'],
  ['0 0 */2 * MON', '', '2026-02-01T00:00:00Z', '2026-02-02T00:00 2026-02-03T00:00 2026-02-05T00:00'],
  ['0 0 1-31 * MON', '', '2026-02-01T00:00:00Z', '2026-02-02T00:00 2026-02-03T00:00 2026-02-04T00:00'],
  ['0 0 */1 * MON', '', '2026-02-01T00:00:00Z', '2026-02-02T00:00 2026-02-09T00:00 2026-02-16T00:00'],
  ['0 0 * * 1-5/2', '', '2026-02-01T00:00:00Z', '2026-02-02T00:00 2026-02-04T00:00 2026-02-06T00:00'],
  ['0 0 ? * 0', '', '2026-02-01T00:00:00Z', '2026-02-08T00:00 2026-02-15T00:00 2026-02-22T00:00'],
  ['0 0 1-10/3 JAN,jul ?', '', '2026-02-01T00:00:00Z', '2026-07-01T00:00 2026-07-04T00:00 2026-07-07T00:00'],
  ['*/7 * * * *', '', '2026-02-01T00:40:00Z', '2026-02-01T00:42 2026-02-01T00:49 2026-02-01T00:56'],
  ['5/20 * * * *', '', '2026-02-01T00:40:00Z', '2026-02-01T00:45 2026-02-01T01:05 2026-02-01T01:25'],
  ['*-3 0 1 1 *', '', '2025-12-31T23:59:00Z', '2026-01-01T00:00 2026-01-01T00:01 2026-01-01T00:02'],
  [',3, 0 * * *', '', '2026-02-01T00:40:00Z', '2026-02-02T00:03 2026-02-03T00:03 2026-02-04T00:03'],
  ['+2 0 1 * *', '', '2026-02-01T00:40:00Z', '2026-03-01T00:02 2026-04-01T00:02 2026-05-01T00:02'],
  ['0 0 29 2 *', '', '2026-02-01T00:00:00Z', '2028-02-29T00:00 2032-02-29T00:00 2036-02-29T00:00'],
  ['0 0 31 2 *', '', '2026-02-01T00:00:00Z', ''],
  [
    '15 */6 * * *',
    'Asia/Kathmandu',
    '2026-03-28T12:00:00Z',
    '2026-03-28T12:30 2026-03-28T18:30 2026-03-29T00:30',
  ],
  ['0 0 * * *', 'Asia/Kolkata', '2026-03-28T12:00:00Z', '2026-03-28T18:30 2026-03-29T18:30 2026-03-30T18:30'],
  ['@hourly', '', '2026-02-01T00:40:00Z', '2026-02-01T01:00 2026-02-01T02:00 2026-02-01T03:00'],
  ['@every 1.5h', '', '2026-02-01T00:40:00Z', '2026-02-01T02:10 2026-02-01T03:40 2026-02-01T05:10'],
  [
    '@every 1h0m1.9s',
    '',
    '2026-02-01T00:40:00Z',
    '2026-02-01T01:40:01 2026-02-01T02:40:02 2026-02-01T03:40:03',
  ],
  ['@every 100ms', '', '2026-02-01T00:40:00Z', '2026-02-01T00:40:01 2026-02-01T00:40:02 2026-02-01T00:40:03'],
  ['@every -5m', '', '2026-02-01T00:40:00Z', '2026-02-01T00:40:01 2026-02-01T00:40:02 2026-02-01T00:40:03'],
  [
    'TZ=America/New_York 0 12 * * *',
    '',
    '2026-02-01T00:40:00Z',
    '2026-02-01T17:00 2026-02-02T17:00 2026-02-03T17:00',
  ],
  [
    'CRON_TZ=UTC 0 12 * * *',
    '',
    '2026-02-01T00:40:00Z',
    '2026-02-01T12:00 2026-02-02T12:00 2026-02-03T12:00',
  ],
];

const asTheController = (rows: readonly Row[]): void => {
  for (const [schedule, zone, after, then] of rows)
    assert.equal(following(read(schedule, zone), after), then, `${schedule} in ${zone}`);
};

test('a run in an hour that is skipped does not take place, neither then nor later', () =>
  asTheController(skippedHour));
test('a run in an hour that is repeated takes place twice', () => asTheController(repeatedHour));
test('stars, steps, lists, names, descriptors and zones in the schedule are read as the controller reads them', () =>
  asTheController(syntax));

test('what the controller cannot parse is not guessed', () => {
  const wrong = [
    ...['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 7'],
    ...[
      '5-1 * * * *',
      '1-2-3 * * * *',
      '*/0 * * * *',
      '* * L * *',
      '* * 15W * *',
      '* * * * 5#3',
      '-1 * * * *',
    ],
    ...[', * * * *', '@Hourly', '@reboot', '@every', '@every 5', '@every 1d', 'TZ=UTC', '* * * JANUARY *'],
  ];
  for (const schedule of wrong) assert.equal(readSchedule(schedule), 'schedule-unreadable', schedule);
});

test('a zone is known by its exact name, wherever it is given', () => {
  for (const zone of ['Mars/Olympus', 'europe/berlin', '+02:00'])
    assert.equal(readSchedule('0 9 * * *', zone), 'zone-unknown', zone);
  assert.equal(readSchedule('TZ=Mars/Olympus 0 9 * * *'), 'zone-unknown');
  assert.equal(readSchedule('TZ=Mars/Olympus @every 1h'), 'zone-unknown');
  assert.equal(readSchedule('TZ=UTC 0 9 * * *', 'Mars/Olympus'), 'zone-unknown');
});

test('where the clock is changed at midnight or by half an hour nothing is said', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['0 5 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z'],
    ['*/7 3 * * *', 'Australia/Lord_Howe', '2026-04-04T15:26:49Z'],
    ['30 5 8 * *', 'America/Havana', '2026-03-08T03:00:00Z'],
    ['0 12 * * *', 'Africa/Cairo', '2026-04-23T20:00:00Z'],
  ];
  for (const [schedule, zone, after] of rows)
    assert.throws(() => read(schedule, zone).next(new Date(after)), OddTimeChange, `${schedule} in ${zone}`);
});

test('the zone of the controller matters unless the schedule is the same in every zone', () => {
  const zoneIs = (schedule: string, zone?: string): string => read(schedule, zone).zoneIs;
  assert.equal(zoneIs('0 9 * * *'), 'of-the-controller');
  assert.equal(zoneIs('0 * * * *'), 'of-the-controller');
  assert.equal(zoneIs('*/7 * * * *'), 'of-the-controller');
  assert.equal(zoneIs('*/5 * * * *'), 'without-meaning');
  assert.equal(zoneIs('* * * * *'), 'without-meaning');
  assert.equal(zoneIs('@every 1h'), 'without-meaning');
  assert.equal(zoneIs('0 9 * * *', 'Europe/Berlin'), 'named');
  assert.equal(zoneIs('TZ=Europe/Berlin 0 9 * * *'), 'in-the-schedule');
  assert.equal(zoneIs('TZ=Local 0 9 * * *'), 'of-the-controller');
});

test('every time is later than the one before, and nothing lies between the two', () => {
  const minute = 60_000;
  const schedules = ['*/20 1-3 * * *', '30 2 * * *', '0 0 1,15 * MON', '5 4 29 2 *', '0 */6 * JAN-MAR,OCT *'];
  const from = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2032, 0) });
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC');
  fc.assert(
    fc.property(
      fc.constantFrom(...schedules),
      zones,
      from,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...of) => {
        const [text, zone, start, part] = of;
        const schedule = read(text, zone);
        const next = schedule.next(new Date(start)) as Date;
        assert.ok(next.getTime() > start && next.getTime() % minute === 0);
        const between = start + Math.floor((next.getTime() - 1 - start) * part);
        assert.deepEqual(schedule.next(new Date(between)), next);
      },
    ),
  );
});
