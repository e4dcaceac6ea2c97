import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, type TripReport, TripTracker } from '../../src/trips/index.js';
import { seeded, volume } from '../volume.js';
import { cleared, forgiven, type Judge, jammed, markedByHand, movedBack, shifted } from './laws.js';
import { slowReportOf } from './manyRuns.js';
import { differences } from './oracle/differences.js';
import { type RandomRun, randomRun } from './randomRuns.js';
import { literalOf, shrinkRun } from './shrinkRun.js';

const judge: Judge = ({ trip, date, fixes, options }) =>
  evaluateTrip(trip, date, readTrack(fixes), options as TripOptions);

type Law = (run: RandomRun, random: () => number, judge: Judge) => string | null | undefined;

/** The rules as the slow model reads them. */
const byTheText: Judge = (run) => slowReportOf(run) as unknown as TripReport;

/**
 * Fails with the smallest run that breaks the law; `random` begins anew for each check of a run. TRIPS.md itself breaks some laws in rare
 * runs: such a run passes if the slow model breaks the law with the same words, at most one of `rare` runs.
 */
function holds(law: Law, full: number, rare = Number.POSITIVE_INFINITY): void {
  const count = Math.min(volume(full), 50_000);
  let broken = 0;
  for (let seed = 0; seed < count; seed++) {
    const check = (run: RandomRun, by: Judge = judge): string | null =>
      law(run, seeded(seed + 1_000_000), by) ?? null;
    const run = randomRun(seeded(seed));
    const wrong = check(run);
    if (wrong === null) continue;
    if (rare < Number.POSITIVE_INFINITY && check(run, byTheText) === wrong && ++broken <= count / rare)
      continue;
    const least = shrinkRun(run, (other) => check(other) !== null);
    expect.fail(`seed ${seed}: ${wrong}\n${literalOf(least)}\n${check(least)}`);
  }
}

describe('the laws of fairness', () => {
  test('nobody who is cleared is blamed after fixes are removed', () => {
    let used = 0;
    // Points of one zone are each judged by themselves (T34), and S may be another visit (T12, T13).
    holds(
      (run, random, by) => {
        const from = Math.floor(random() * run.fixes.length);
        const count = 1 + Math.floor(random() * 20);
        used++;
        return cleared(run, from, count, by);
      },
      20_000,
      10_000,
    );
    expect(used).toBeGreaterThan(0);
  });

  test('a larger tolerance never adds a violation to a run that begins as before', () => {
    // A tolerance also moves the time from which visits serve (T27), and the least deviation and blame count before a violation (T28, T29).
    holds((run, random, by) => forgiven(run, 1 + Math.floor(random() * 30), by), 5000, 500);
  });

  test('plan and track shifted together give the same report', () => {
    holds((run, random) => {
      const days = Math.floor(random() * 40) - 20;
      const hours = Math.floor(random() * 24) - 11;
      const later = judge(shifted(run, days, hours));
      const found = differences(
        movedBack(judge(run), 0) as never,
        movedBack(later, days * 86_400_000 + hours * 3_600_000),
      );
      return found[0] ?? null;
    }, 4000);
  });
});

describe('a block of suspect positions', () => {
  test('leaves the report of the track without it, whose step is marked by hand', () => {
    holds((run, random) => {
      const { trip, date, fixes, options } = run;
      // A jump from the first fixes is believed (V4c).
      const after = 3 + Math.floor(random() * fixes.length);
      const [a, b] = [fixes[after], fixes[after + 1]];
      if (!a || !b || b.time - a.time < 10_000 || b.time - a.time > 3_000_000) return null;
      const count = 2 + Math.floor(random() * 3);
      const alike = readTrack(fixes);
      // Only in a track without suspects of its own is the place of the block known.
      if (alike.length !== fixes.length || alike.blind) return null;
      const all = { ...(options as TripOptions) };
      const received = evaluateTrip(trip, date, readTrack(jammed(fixes, after, count)), all);
      const expected = evaluateTrip(trip, date, markedByHand(fixes, after), all);
      return JSON.stringify(received) === JSON.stringify(expected)
        ? null
        : `${count} suspects after fix ${after}: ${differences(expected as never, received).join('; ')}`;
    }, 4000);
  });

  test('of one position leaves no trace', () => {
    holds((run, random) => {
      const { trip, date, fixes, options } = run;
      const after = 3 + Math.floor(random() * fixes.length);
      const [a, b] = [fixes[after], fixes[after + 1]];
      if (!a || !b || b.time - a.time < 10_000 || b.time - a.time > 3_000_000) return null;
      const alike = readTrack(fixes);
      if (alike.length !== fixes.length || alike.blind) return null;
      const all = { ...(options as TripOptions) };
      const received = evaluateTrip(trip, date, readTrack(jammed(fixes, after, 1)), all);
      const expected = evaluateTrip(trip, date, alike, all);
      return JSON.stringify(received) === JSON.stringify(expected)
        ? null
        : `a suspect after fix ${after}: ${differences(expected as never, received).join('; ')}`;
    }, 4000);
  });
});

test('T46: at each prefix the tracker reports what the batch does', () => {
  holds((run, random) => {
    const { trip, date, fixes, options } = run;
    const { now: _now, ...rest } = options as TripOptions & { now?: number };
    const tracker = new TripTracker(trip, date, rest as never);
    for (const [k, fix] of fixes.entries()) {
      tracker.push(fix);
      if (random() > 0.15) continue;
      // V22: with lateness 0, a second fix of a time is a duplicate.
      const seen = fixes.slice(0, k + 1).filter(({ time }, i) => i === 0 || time !== fixes[i - 1]!.time);
      const expected = evaluateTrip(trip, date, readTrack(seen), { ...rest, now: fix.time } as TripOptions);
      const found = differences(expected as never, tracker.report());
      if (found.length > 0) return `after fix ${k}: ${found[0]}`;
    }
    return null;
  }, 1000);
});
