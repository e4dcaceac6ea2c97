import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions } from '../../src/trips/index.js';
import { LONG, seeded, volume } from '../volume.js';
import { apartWithChanges, changedCase } from './changedRuns.js';
import { readPlan } from './days/dayPlan.js';
import { fixesOfScript } from './days/dayScript.js';
import { readDays } from './days/readDays.js';
import { apartIn, slowReportOf } from './manyRuns.js';
import { differences } from './oracle/differences.js';
import { amendedRun } from './oracle/slowAmend.js';
import type { SlowReport } from './oracle/slowModel.js';
import { countJoints, MAX_JOINTS, reportOf } from './oracle/slowReport.js';
import { amendedTrip } from './randomChanges.js';
import { randomRun } from './randomRuns.js';
import { literalOf, shrinkRun } from './shrinkRun.js';

const FULL = 200_000;
const COUNT = LONG ? FULL : Math.min(volume(FULL), 400);

/** Words that the runs must bring forth, so that the comparison compares something. */
const WORDS: readonly string[] = (
  'scheduled, active, finished, finished_with_violations, aborted, no_data, not_started, ' +
  'activation seen, activation planned, activation assumed, point pending, point inside, point passed, ' +
  'point skipped, point missed, point no_data, arrival on_time, arrival early, arrival late, ' +
  'arrival uncertain, departure early, departure late, skipped, missed, early, late, overdue, hasGap, ' +
  'startedInside, arrival_overdue, point_skipped, trip_finished, trip_aborted'
).split(', ');

/** Seldom enough to be asked of the long run alone; the days have them too. */
const RARE = ['out_of_order', 'point_out_of_order'];

function wordsOf(report: SlowReport): string[] {
  return [
    report.status,
    `activation ${String(report.activation)}`,
    ...(report.startedInside ? ['startedInside'] : []),
    ...report.points.flatMap((point) => [
      `point ${point.status}`,
      `arrival ${String(point.arrivalStatus)}`,
      `departure ${String(point.departureStatus)}`,
      ...(point.overdueSeconds === null ? [] : ['overdue']),
      ...(point.visit?.hasGap ? ['hasGap'] : []),
    ]),
    ...report.violations.map(({ type }) => type),
    ...report.events.map(({ type }) => type),
  ];
}

describe('T1 to T45: evaluateTrip gives the report of the slow model, which tries every assignment', () => {
  test(`for ${COUNT} random runs`, () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < COUNT; seed++) {
      const run = randomRun(seeded(seed));
      if (apartIn(run).length > 0) {
        const least = shrinkRun(run, (other) => apartIn(other).length > 0);
        expect.fail(`seed ${seed}\n${literalOf(least)}\n${apartIn(least).join('\n')}`);
      }
      for (const word of wordsOf(slowReportOf(run) ?? ({ points: [], violations: [], events: [] } as never)))
        seen.add(word);
    }
    expect([...WORDS, ...(LONG ? RARE : [])].filter((word) => !seen.has(word))).toEqual([]);
  });

  test('for the days at some instants, as they were known then', () => {
    const random = seeded(1);
    const found = readDays().flatMap((day) => {
      const { trip, date, options, clock } = readPlan(day.plan);
      const fixes = fixesOfScript(day.script, clock);
      return Array.from({ length: LONG ? 40 : 2 }).flatMap(() => {
        const now = fixes[Math.floor(random() * fixes.length)]!.time;
        const known = fixes.filter(({ time }) => time <= now);
        const [first] = apartIn({ trip, date, fixes: known, options: { ...options, now } });
        return first === undefined ? [] : [`${day.name} at ${new Date(now).toISOString()}: ${first}`];
      });
    });
    expect(found).toEqual([]);
  });
});

test('T49: evaluateTrip gives the report of the slow model for 400 random amendments', () => {
  const settled = { points: 0, begun: 0, changed: 0 };
  for (let seed = 0; seed < 400; seed++) {
    const { trip, date, fixes, options } = randomRun(seeded(seed));
    const random = seeded(seed + 2_000_000);
    const some = fixes[Math.floor(random() * fixes.length)];
    if (some === undefined) continue;
    const at = some.time + Math.floor(random() * 3) * 40_000 - 20_000;
    const amendment = { at, ...amendedTrip(trip, date, random) };
    const track = readTrack([...fixes]);
    const run = at > (options.now ?? at) ? null : amendedRun(trip, date, track, options, amendment);
    if (run === null || countJoints(run) > MAX_JOINTS - 2) continue;
    settled.points += run.settled.filter((own) => own !== null).length;
    settled.begun += run.begun === null ? 0 : 1;
    settled.changed += run.visits.flat().filter(({ end }) => end === 'zone-changed').length;
    const report = evaluateTrip(trip, date, track, {
      ...(options as TripOptions),
      changes: [{ type: 'amend', ...amendment }],
    });
    // The way before an amendment is not measured for a start that it plans in the past.
    const found = differences(reportOf(run), report).filter(
      (line) => run.begun !== null || !line.startsWith('totals.distanceMeters'),
    );
    expect([`seed ${seed}`, ...found]).toEqual([`seed ${seed}`]);
  }
  expect(settled.points).toBeGreaterThan(100);
  expect(settled.begun).toBeGreaterThan(100);
  expect(settled.changed).toBeGreaterThan(0);
});

describe('T47 to T50: evaluateTrip gives the report of the slow model for runs with mixed changes', () => {
  test(`for ${LONG ? 1000 : 200} random runs`, () => {
    const kinds: Record<string, number> = {};
    const seen: Record<string, number> = { excused: 0, cancelled: 0, handedOver: 0, goesOn: 0, holes: 0 };
    let compared = 0;
    for (let seed = 0; seed < (LONG ? 1000 : 200); seed++) {
      const own = changedCase(seed, seed % 4 !== 0);
      const result = apartWithChanges(own);
      if (result === null) continue;
      compared++;
      expect([`seed ${seed}`, ...result.found]).toEqual([`seed ${seed}`]);
      const { run, report } = result;
      for (const { type } of own.changes) kinds[type] = (kinds[type] ?? 0) + 1;
      const visits = run.visits.flat();
      seen['excused']! += run.excused.filter(Boolean).length;
      seen['cancelled']! += Number(report.status === 'cancelled');
      seen['handedOver']! += visits.filter(({ end }) => end === 'handed-over').length;
      seen['goesOn']! += visits.filter(({ enter }) => run.handOvers.some(({ at }) => at === enter)).length;
      seen['holes']! += run.holes.filter(({ handed }) => handed !== undefined).length;
    }
    expect(compared).toBeGreaterThan(150);
    expect(Object.keys(kinds).sort()).toEqual(['amend', 'cancel', 'excuse', 'handOver']);
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  });
});
