import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions } from '../../src/trips/index.js';
import { LONG, seeded } from '../volume.js';
import { apartWithChanges, changedCase } from './changedRuns.js';
import { cityDay } from './cityDays.js';
import { readPlan } from './days/dayPlan.js';
import { fixesOfScript } from './days/dayScript.js';
import { readDays } from './days/readDays.js';
import { gapRun } from './gapRuns.js';
import { apartFrom, apartIn, slowReportOf } from './manyRuns.js';
import { nightRound } from './nightRounds.js';
import { differences } from './oracle/differences.js';
import { amendedRun } from './oracle/slowAmend.js';
import { DEFAULTS, type Run, type SlowReport } from './oracle/slowModel.js';
import { windowOf } from './oracle/slowPlan.js';
import { countJoints, MAX_JOINTS, reportOf } from './oracle/slowReport.js';
import { amendedTrip } from './randomChanges.js';
import { randomRun } from './randomRuns.js';
import { literalOf, shrinkRun } from './shrinkRun.js';

const FULL = 200_000;
const COUNT = LONG ? FULL : 200;

/** Words that the runs must bring forth, so that the comparison compares something. */
const WORDS: readonly string[] = (
  'scheduled, active, finished, finished_with_violations, aborted, no_data, ' +
  'activation seen, activation planned, activation assumed, point pending, point inside, point passed, ' +
  'point skipped, point missed, point no_data, arrival on_time, arrival early, arrival late, ' +
  'arrival uncertain, departure early, departure late, skipped, missed, early, late, overdue, hasGap, ' +
  'arrival_overdue, point_skipped, trip_finished, trip_aborted'
).split(', ');

/** Seldom enough to be asked of the long run alone; the days have them too. */
const RARE = ['not_started', 'out_of_order', 'point_out_of_order'];

function wordsOf(report: SlowReport): string[] {
  return [
    report.status,
    `activation ${String(report.activation)}`,
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
      const expected = slowReportOf(run);
      if (apartFrom(expected, run).length > 0) {
        const least = shrinkRun(run, (other) => apartIn(other).length > 0);
        expect.fail(`seed ${seed}\n${literalOf(least)}\n${apartIn(least).join('\n')}`);
      }
      for (const word of wordsOf(expected ?? ({ points: [], violations: [], events: [] } as never)))
        seen.add(word);
    }
    expect([...WORDS, ...(LONG ? RARE : [])].filter((word) => !seen.has(word))).toEqual([]);
  });

  test('for the days at some instants, as they were known then', () => {
    const random = seeded(1);
    const found = readDays().flatMap((day) => {
      const { trip, date, options, clock } = readPlan(day.plan);
      const fixes = fixesOfScript(day.script, clock);
      return Array.from({ length: LONG ? 40 : 1 }).flatMap(() => {
        const now = fixes[Math.floor(random() * fixes.length)]!.time;
        const known = fixes.filter(({ time }) => time <= now);
        const [first] = apartIn({ trip, date, fixes: known, options: { ...options, now } });
        return first === undefined ? [] : [`${day.name} at ${new Date(now).toISOString()}: ${first}`];
      });
    });
    expect(found).toEqual([]);
  });
});

/** Where a random amendment of a seed's run leaves the two reports apart; null where the slow model does not say. */
function amendedSeed(seed: number): { readonly run: Run; readonly found: readonly string[] } | null {
  const { trip, date, fixes, options } = randomRun(seeded(seed));
  const random = seeded(seed + 2_000_000);
  const some = fixes[Math.floor(random() * fixes.length)];
  if (some === undefined) return null;
  const at = some.time + Math.floor(random() * 3) * 40_000 - 20_000;
  const amendment = { at, ...amendedTrip(trip, date, random) };
  const track = readTrack([...fixes]);
  const run = at > (options.now ?? at) ? null : amendedRun(trip, date, track, options, amendment);
  if (run === null || countJoints(run) > MAX_JOINTS - 2) return null;
  const report = evaluateTrip(trip, date, track, {
    ...(options as TripOptions),
    changes: [{ type: 'amend', ...amendment }],
  });
  // The way before an amendment is not measured for a start that it plans in the past, nor from a window that it opens earlier.
  const isWider = run.window.from < windowOf(trip, date, { ...DEFAULTS, ...options }).from;
  const found = differences(reportOf(run), report).filter(
    (line) => (run.begun !== null && !isWider) || !line.startsWith('totals.distanceMeters'),
  );
  return { run, found };
}

/** Seeds whose reports once differed: each violated a rule of TRIPS.md in one of the two models. */
const ONCE_APART: readonly (readonly [string, readonly number[], (seed: number) => readonly string[]])[] = [
  [
    'random runs',
    [
      2540, 103_996, 106_819, 114_419, 142_722, 192_889, 705_221, 706_119, 706_814, 707_875, 708_747, 711_022,
      711_528, 711_720, 712_249, 720_716, 1_016_157,
    ],
    (seed) => apartIn(randomRun(seeded(seed))),
  ],
  [
    'runs with gaps',
    [
      500_006, 701_034, 701_144, 701_330, 702_419, 702_973, 703_075, 703_552, 703_683, 703_996, 704_012,
      704_305, 704_956, 706_533, 709_171, 904_089, 904_272, 905_834, 906_053, 915_836,
    ],
    (seed) => apartIn(gapRun(seeded(seed))),
  ],
  [
    'days in a city',
    [703_397, 704_347, 705_651, 707_166, 708_289, 708_552, 708_763, 709_091, 709_323, 915_764],
    (seed) => apartIn(cityDay(seeded(seed))),
  ],
  [
    'changed runs',
    [
      2_134, 2_699, 700_697, 701_199, 701_628, 701_836, 701_857, 702_317, 702_832, 703_152, 703_361, 705_221,
      707_947, 709_426, 709_483, 711_022, 712_249, 712_953, 714_632, 730_191, 908_591, 911_384, 911_761,
    ],
    (seed) => apartWithChanges(changedCase(seed, seed % 4 !== 0))!.found,
  ],
  [
    'amended runs',
    [
      185, 2_134, 2_699, 700_210, 700_246, 700_600, 700_806, 701_225, 701_628, 702_075, 702_345, 702_729,
      703_198, 704_457, 706_359, 707_566, 709_449, 710_631, 710_764, 711_548, 711_837, 712_514, 730_191,
      730_314, 900_972, 901_540, 903_714, 907_830, 910_526, 915_634, 916_879,
    ],
    (seed) => amendedSeed(seed)!.found,
  ],
];

test.each(ONCE_APART)('%s that once differed', (_name, seeds, found) => {
  expect(seeds.map((seed) => [seed, ...found(seed)])).toEqual(seeds.map((seed) => [seed]));
});

test.each([
  ['runs with gaps', gapRun],
  ['days in a city', cityDay],
  ['rounds at night', nightRound],
] as const)('T1 to T45: %s give the report of the slow model', (_name, make) => {
  for (let seed = 0; seed < (LONG ? 3000 : 30); seed++)
    expect([`seed ${seed}`, ...apartIn(make(seeded(seed)))]).toEqual([`seed ${seed}`]);
});

const AMENDED = LONG ? 2000 : 80;
test(`T49: evaluateTrip gives the report of the slow model for ${AMENDED} random amendments`, () => {
  const settled = { points: 0, begun: 0, changed: 0 };
  for (let seed = 0; seed < AMENDED; seed++) {
    const result = amendedSeed(seed);
    if (result === null) continue;
    const { run, found } = result;
    settled.points += run.settled.filter((own) => own !== null).length;
    settled.begun += run.begun === null ? 0 : 1;
    settled.changed += run.visits.flat().filter(({ end }) => end === 'zone-changed').length;
    expect([`seed ${seed}`, ...found]).toEqual([`seed ${seed}`]);
  }
  expect(settled.points).toBeGreaterThan(AMENDED / 4);
  expect(settled.begun).toBeGreaterThan(AMENDED / 4);
  expect(settled.changed).toBeGreaterThan(0);
});

describe('T47 to T50: evaluateTrip gives the report of the slow model for runs with mixed changes', () => {
  test(`for ${LONG ? 1000 : 60} random runs`, () => {
    const kinds: Record<string, number> = {};
    const seen: Record<string, number> = { excused: 0, cancelled: 0, handedOver: 0, goesOn: 0, holes: 0 };
    let compared = 0;
    for (let seed = 0; seed < (LONG ? 1000 : 60); seed++) {
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
    expect(compared).toBeGreaterThan(LONG ? 750 : 45);
    expect(Object.keys(kinds).sort()).toEqual(['amend', 'cancel', 'excuse', 'handOver']);
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  });
});
