import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, TripTracker } from '../../src/trips/index.js';
import { LONG, seeded } from '../volume.js';
import { type GapRunKind, gapRun } from './gapRuns.js';
import { differences } from './oracle/differences.js';
import type { SlowReport } from './oracle/slowReport.js';
import { slowSource } from './oracle/slowSource.js';
import { jointsOf } from './oracle/slowStays.js';
import { slowEvaluate, slowRun } from './oracle/slowTrip.js';
import { randomCase } from './visitCases.js';

/** How often each status occurred. */
class Tally {
  readonly #seen = new Map<string, number>();

  add(report: SlowReport): void {
    const { status, activation, points, violations, events } = report;
    this.#count(status);
    this.#count(`activation ${String(activation)}`);
    for (const point of points) {
      this.#count(point.status);
      this.#count(`arrival ${String(point.arrivalStatus)}`);
      this.#count(`departure ${String(point.departureStatus)}`);
      if (point.visit?.hasGap) this.#count('hasGap');
      if (point.overdueSeconds !== null) this.#count('overdue');
    }
    for (const { type } of [...violations, ...events]) this.#count(type);
  }

  #count(word: string): void {
    this.#seen.set(word, (this.#seen.get(word) ?? 0) + 1);
  }

  missing(words: string): string[] {
    return words.split(', ').filter((word) => (this.#seen.get(word) ?? 0) < 2);
  }
}

const WORDS =
  'scheduled, not_started, no_data, active, aborted, finished, finished_with_violations, ' +
  'activation seen, activation planned, activation assumed, activation null, ' +
  'pending, passed, skipped, missed, out_of_order, early, late, overdue, ' +
  'arrival on_time, arrival early, arrival late, arrival uncertain, departure uncertain, departure on_time, ' +
  'point_left, departure_early, departure_late, trip_activated, point_skipped, point_entered, arrival_early, ' +
  'arrival_late, arrival_overdue, point_out_of_order, trip_finished, trip_aborted';

const KINDS: Readonly<Record<string, GapRunKind>> = {
  'on the plain': {},
  'by drivers who do as planned': { isBlameless: true },
  'across the antimeridian': { middle: [179.98, -17.5] },
  'in the far north': { middle: [25.7, 71.1] },
  'in the spring night that loses an hour': {
    timeZone: 'Europe/Berlin',
    date: '2026-03-29',
    midnight: Date.parse('2026-03-28T23:00Z'),
    firstMinutes: 95,
  },
  'in the autumn night that has one twice': {
    timeZone: 'America/New_York',
    date: '2026-11-01',
    midnight: Date.parse('2026-11-01T04:00Z'),
    firstMinutes: 50,
  },
};

describe('row 72: evaluateTrip equals the slow reference that tries every assignment', () => {
  test.each(Object.entries(KINDS))('of tracks with gaps %s', (name, kind) => {
    const isMain = name === 'on the plain';
    const count = LONG ? (isMain ? 20_000 : 3000) : isMain ? 350 : 60;
    const tally = new Tally();
    const apart: number[] = [];
    for (let seed = 0; seed < count; seed++) {
      const { trip, date, fixes, options } = gapRun(seeded(seed), kind);
      const source = slowSource(trip, fixes, options);
      // 2^n ways to join visits across gaps are tried.
      if (jointsOf(slowRun(trip, date, source, options)) > 5) continue;
      const expected = slowEvaluate(trip, date, source, options);
      const received = evaluateTrip(trip, date, readTrack(fixes), options as TripOptions);
      if (differences(expected, received).length > 0) apart.push(seed);
      tally.add(expected);
    }
    expect(apart).toEqual([]);
    if (isMain) expect(tally.missing(`${WORDS}, hasGap`)).toEqual([]);
  });

  test('of visits with gaps', () => {
    const count = LONG ? 20_000 : 700;
    const tally = new Tally();
    const apart: number[] = [];
    for (let seed = 0; seed < count; seed++) {
      const { trip, date, source, options } = randomCase(seeded(seed));
      if (jointsOf(slowRun(trip, date, source, options)) > 5) continue;
      const expected = slowEvaluate(trip, date, source, options);
      const received = evaluateTrip(trip, date, source, options);
      if (differences(expected, received).length > 0) apart.push(seed);
      tally.add(expected);
    }
    expect(apart).toEqual([]);
    expect(tally.missing(`${WORDS}, inside, hasGap`)).toEqual([]);
  });
});

test('a stream with any order within the lateness and with snapshots ends with the same report', () => {
  const count = LONG ? 4000 : 120;
  for (let seed = 0; seed < count; seed++) {
    const random = seeded(seed);
    const { trip, date, fixes, options: all } = gapRun(random);
    const { now: given, ...options } = all;
    const end = fixes.at(-1)?.time ?? 0;
    const now = Math.max(given ?? 0, end);
    const latenessSeconds = 1200;
    // A fix of the next day waits for its confirmation; here the day ends before.
    const usable = fixes.filter(({ time }, i) => i === 0 || time - fixes[i - 1]!.time < 80_000_000);
    const delayed = usable
      .map((fix) => ({ fix, at: fix.time + random() * latenessSeconds * 1000 }))
      .sort((a, b) => a.at - b.at)
      .map(({ fix }): Fix => fix);
    let tracker = new TripTracker(trip, date, { ...(options as TripOptions), latenessSeconds });
    const cuts = new Set([0, 1, 2].map(() => Math.floor(random() * delayed.length)));
    delayed.forEach((fix, i) => {
      if (cuts.has(i)) tracker = TripTracker.restore(trip, JSON.stringify(tracker.snapshot()));
      tracker.push(fix);
    });
    if (now > (usable.at(-1)?.time ?? 0)) tracker.advance(now);
    const expected = evaluateTrip(trip, date, readTrack(usable), { ...(options as TripOptions), now });
    expect({ seed, ...tracker.report() }).toEqual({ seed, ...expected });
  }
});
