import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { makeClock } from '../../src/core/localClock.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded, volume } from '../volume.js';

const ZONES = [
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'America/Havana',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Apia',
  'Europe/Moscow',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tehran',
  'Pacific/Chatham',
  'Antarctica/Troll',
  'Africa/Casablanca',
  'America/St_Johns',
];
const [FROM, TO] = [Date.UTC(2006, 0, 1), Date.UTC(2027, 0, 1)];
const MINUTE = 60_000;

function temporalEpoch(wallTime: number, timeZone: string): number {
  return Temporal.PlainDateTime.from(new Date(wallTime).toISOString().slice(0, -1)).toZonedDateTime(timeZone)
    .epochMilliseconds;
}

/** Every instant of the 20 years at which the zone's offset changes, as Temporal says. */
function transitions(timeZone: string): Temporal.ZonedDateTime[] {
  const list: Temporal.ZonedDateTime[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(timeZone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds > TO) return list;
    list.push(next);
    at = next;
  }
}

describe('local times equal Temporal’s', () => {
  test.each(ZONES)('%s: around every transition of 20 years', (timeZone) => {
    const clock = makeClock(timeZone);
    const changes = transitions(timeZone);
    expect(changes.length).toBeGreaterThan(timeZone === 'Europe/Moscow' ? 3 : 4);
    for (const change of changes) {
      const before = change.subtract({ milliseconds: 1 });
      const shift = Math.abs(change.offsetNanoseconds - before.offsetNanoseconds) / 1e6;
      const wall = change.epochMilliseconds + before.offsetNanoseconds / 1e6;
      const reach = shift + 3 * 60 * MINUTE;
      const step = LONG ? MINUTE : 15 * MINUTE;
      for (const edge of [0, shift, -shift]) {
        for (const near of [-1000, -1, 0, 1, 1000]) {
          const time = wall + edge + near;
          expect([time, clock.epochOf(time)]).toEqual([time, temporalEpoch(time, timeZone)]);
        }
      }
      for (let time = wall - reach; time <= wall + reach; time += step) {
        if (clock.epochOf(time) !== temporalEpoch(time, timeZone)) {
          expect([time, clock.epochOf(time)]).toEqual([time, temporalEpoch(time, timeZone)]);
        }
      }
    }
  });

  test('at any time, in any of the zones', () => {
    const random = seeded(73);
    for (const timeZone of ZONES) {
      const clock = makeClock(timeZone);
      for (let i = 0; i < volume(4000); i++) {
        const time = Math.floor(FROM + random() * (TO - FROM));
        expect([time, clock.epochOf(time)]).toEqual([time, temporalEpoch(time, timeZone)]);
      }
    }
  });
});

test('more zones than clocks are kept, by turns', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((_, i) => i % 6 === 0);
  expect(zones.length).toBeGreaterThan(50);
  const times = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
  const shown = [...zones, ...zones].flatMap((timeZone) => {
    const clock = makeClock(timeZone);
    return times.map((time) => clock.wallTimeOf(time));
  });
  const expected = zones.flatMap((timeZone) =>
    times.map((time) => {
      const there = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
      return time + there.offsetNanoseconds / 1e6;
    }),
  );
  expect(shown).toEqual([...expected, ...expected]);
});

describe('the rule at a change of the clocks', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00Z', 'a gap moves forward by the gap'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00Z', 'a doubled time means the first'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00Z', 'a gap of 30 minutes'],
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00Z', 'a day that did not take place'],
    ['Europe/Berlin', '1880-01-01T08:00', '1880-01-01T07:06:32Z', 'a mean local time has seconds'],
    ['Africa/Monrovia', '1950-01-01T08:00', '1950-01-01T08:44:30Z', 'west of Greenwich too'],
    ['America/Havana', '2026-03-08T00:00', '2026-03-08T05:00:00Z', 'a midnight that does not exist'],
  ])('%s %s is %s: %s', (timeZone, wall, instant) => {
    expect(new Date(makeClock(timeZone).epochOf(Date.parse(`${wall}Z`)))).toEqual(new Date(instant));
  });
});

test.each(['Mars/Olympus', '', '+03:00', 'GMT+3', undefined, null, 3, {}])('%j is no zone', (timeZone) => {
  const error = errorOf(() => makeClock(timeZone));
  expect([error.code, error.field]).toEqual(['tz-unknown', 'options.timeZone']);
});
