import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReportInput, ReportUnit, ShownTrip } from '../../src/report/index.js';
import { plural } from '../../src/report/plural.js';
import { PROBLEM_KINDS, type Problem, rankProblems } from '../../src/report/rankProblems.js';
import { reportWordsIn } from '../../src/report/reportWordsIn.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, planTrip, type TripOptions } from '../../src/trips/index.js';
import { DATE, fix, timed, trip } from '../trips/journeys.js';
import { SAMPLE } from './sample.js';

const OPTIONS: TripOptions = { timeZone: 'UTC' };
const [UNIT] = SAMPLE.units as readonly [ReportUnit];
const quiet: ReportUnit = { ...UNIT, sums: [] };

/** A run whose plan is a visit to B between 30 and 90 minutes after the start. */
function run(fixes: readonly ReturnType<typeof fix>[], options: TripOptions = OPTIONS): ShownTrip {
  const own = timed(trip('ABC'));
  const report = evaluateTrip(own, DATE, readTrack([...fixes]), options);
  return { name: own.name, report, plan: planTrip(own, DATE, options).points, shapes: [] };
}

const input = (more: Partial<ReportInput>): ReportInput => ({ ...SAMPLE, units: [quiet], ...more });
const kinds = (problems: readonly Problem[]): string[] => problems.map(({ kind }) => kind);

describe('rankProblems', () => {
  const onTime = run([fix(-5, 'A'), fix(5, 'A'), fix(55, 'B'), fix(80, 'B'), fix(100, 'C'), fix(110, 'C')]);
  const delayed = (...seconds: readonly number[]): ShownTrip => {
    const violations = seconds.map((value, i) => ({
      type: 'late' as const,
      pointIndex: 1,
      which: i === 0 ? ('arrival' as const) : ('departure' as const),
      seconds: value,
    }));
    return { ...onTime, report: { ...onTime.report, violations } };
  };
  const late = delayed(1500, 1800);
  const later = delayed(3000);
  const violated = (type: string, pointIndex: number, seconds: number | null = null): ShownTrip =>
    ({
      ...late,
      report: { ...late.report, violations: [{ type, pointIndex, which: null, seconds }] },
    }) as ShownTrip;

  test('a trip that was late is late once, by its worst time', () => {
    expect(kinds(rankProblems(input({ trips: [onTime] })))).toEqual([]);
    const problems = rankProblems(input({ trips: [late] }));
    expect(problems).toHaveLength(1);
    expect(problems[0]!.amount).toBe(1800);
    const { arrival, departure } = onTime.report.points[1]!;
    expect(arrival).not.toBe(departure);
    expect(problems[0]).toMatchObject({ trip: 0, point: 1, unit: -1, which: 'departure', time: departure });
    const arrived = rankProblems(input({ trips: [delayed(1800, 1500)] }));
    expect(arrived[0]).toMatchObject({ which: 'arrival', time: arrival, amount: 1800 });
  });

  test('the greatest delay comes first, and graver kinds before it', () => {
    const trips = [
      late,
      later,
      violated('missed', 2),
      violated('early', 1, -5000),
      violated('out_of_order', 1),
    ];
    const problems = rankProblems(input({ trips }));
    expect(problems[0]).toMatchObject({ kind: 'missed', trip: 2, point: 2 });
    const delays = problems.filter(({ kind }) => kind === 'late').map(({ trip: i }) => i);
    expect(delays.indexOf(1)).toBeLessThan(delays.indexOf(0));
    expect(kinds(problems).slice(-2)).toEqual(['early', 'out_of_order']);
    expect(problems.find(({ kind }) => kind === 'early')!.amount).toBe(5000);
  });

  test('a run that was not started or not seen is one problem, whatever its points lack', () => {
    const none = run([]);
    const own = (status: string): ShownTrip => ({ ...none, report: { ...none.report, status } }) as ShownTrip;
    expect(kinds(rankProblems(input({ trips: [own('no_data'), own('not_started')] })))).toEqual([
      'not_started',
      'no_data',
    ]);
  });

  test('of a run that cannot be judged the points that were seen still are', () => {
    const run = { ...later, report: { ...later.report, status: 'no_data' as const } };
    expect(kinds(rankProblems(input({ trips: [run] })))).toEqual(['late', 'no_data']);
  });

  test('points that were not seen are no blame: one neutral line at the end', () => {
    const points = late.report.points.map((point) => ({ ...point, status: 'no_data' as const }));
    const unseen = { ...late, report: { ...late.report, violations: [], points } };
    const problems = rankProblems(input({ trips: [unseen, violated('early', 1, -60)] }));
    expect(kinds(problems)).toEqual(['early', 'no_data']);
    expect(problems[1]).toMatchObject({ trip: 0, point: 0, count: 3 });
  });

  test('presence out of hours is summed for a unit and zone, and leads to its longest visit', () => {
    const closed = [
      { visit: 0, from: 0, to: 60_000 },
      { visit: 1, from: 60_000, to: 120_000 },
      { visit: 2, from: 200_000, to: 500_000 },
    ];
    const [first, second] = UNIT.visits as unknown as readonly [
      ReportUnit['visits'][number],
      ReportUnit['visits'][number],
    ];
    const busy = { ...quiet, visits: [first, second, first], conduct: { ...UNIT.conduct, closed } };
    const problems = rankProblems(input({ units: [busy, busy] }));
    expect(
      problems.map(({ unit, zone, amount, count, visit }) => [unit, zone, amount, count, visit]),
    ).toEqual([
      [0, 0, 360, 2, 2],
      [1, 0, 360, 2, 5],
      [0, 1, 60, 1, 1],
      [1, 1, 60, 1, 4],
    ]);
  });

  test('speeding is summed for a unit and limit, and leads to its gravest part', () => {
    const part = (from: number, to: number, zoneId: string | null, maxKph: number): object => ({
      from,
      to,
      zoneId,
      limitKph: 50,
      maxKph,
      distanceMeters: 1,
    });
    const speeding = [
      { parts: [part(0, 1000, 'a', 60), part(1000, 4000, null, 90)] },
      { parts: [part(9000, 11_000, 'a', 80), part(11_000, 12_000, 'a', 70)] },
    ] as unknown as ReportUnit['conduct']['speeding'];
    const fast = { ...quiet, conduct: { ...UNIT.conduct, speeding } };
    const problems = rankProblems(input({ units: [quiet, fast, fast] }));
    expect(
      problems.map(({ unit, zone, amount, count, speeding: i, overKph }) => [
        unit,
        zone,
        amount,
        count,
        i,
        overKph,
      ]),
    ).toEqual([
      [1, 0, 4, 2, 2, 30],
      [2, 0, 4, 2, 6, 30],
      [1, -1, 3, 1, 1, 40],
      [2, -1, 3, 1, 5, 40],
    ]);
  });

  test('gaps are neutral, and last', () => {
    const [sum] = UNIT.sums;
    const measure = { ...sum!.measure, unmeasuredSeconds: 90 };
    const gone = {
      ...quiet,
      sums: [
        { ...sum!, measure },
        { ...sum!, zoneId: 'a', measure },
      ],
    };
    const problems = rankProblems(input({ units: [gone, quiet], trips: [late] }));
    expect(problems.at(-1)).toMatchObject({ kind: 'unseen', amount: 90, unit: 0 });
  });

  test('the order does not depend on the order of trips, and is by kind, then by amount', () => {
    const violation = fc.record({
      type: fc.constantFrom('late', 'missed', 'skipped', 'early', 'out_of_order'),
      pointIndex: fc.integer({ min: 0, max: 2 }),
      seconds: fc.oneof(fc.constant(null), fc.integer({ min: -9000, max: 9000 })),
    });
    fc.assert(
      fc.property(fc.array(fc.array(violation, { maxLength: 5 }), { maxLength: 8 }), (lists) => {
        const trips = lists.map(
          (violations) => ({ ...late, report: { ...late.report, violations } }) as unknown as ShownTrip,
        );
        const problems = rankProblems(input({ trips }));
        for (const [i, problem] of problems.slice(1).entries()) {
          const before = problems[i]!;
          const step = PROBLEM_KINDS.indexOf(problem.kind) - PROBLEM_KINDS.indexOf(before.kind);
          expect(step > 0 || (step === 0 && problem.amount <= before.amount)).toBe(true);
        }
        // Each kind and point of each run once.
        const wanted = lists.flatMap((violations, i) => [
          ...new Set(violations.map(({ type, pointIndex }) => `${i} ${type} ${pointIndex}`)),
        ]);
        expect(problems.map(({ trip: i, kind, point }) => `${i} ${kind} ${point}`).sort()).toEqual(
          wanted.sort(),
        );
        const reversed = rankProblems(input({ trips: trips.toReversed() }));
        const amounts = (list: readonly Problem[]): string[] =>
          list.map(({ kind, amount }) => `${kind} ${amount}`);
        expect(amounts(reversed)).toEqual(amounts(problems));
      }),
    );
  });
});

describe('the words of problems', () => {
  const NUMBERS = [0, 1, 2, 4, 5, 11, 21, 22, 25, 111];
  test.each(['en', 'ru'])('each kind has every form of %s', (language) => {
    const words = reportWordsIn(language);
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    expect(Object.keys(words.problems).sort()).toEqual([...PROBLEM_KINDS].sort());
    expect(Object.keys(words.problem).sort()).toEqual([...PROBLEM_KINDS].sort());
    const all = [...Object.values(words.problems), words.timesCount, words.pointsCount, words.partsCount];
    for (const own of all) {
      expect(Object.keys(own).sort()).toEqual([...forms].sort());
      for (const count of NUMBERS) expect(plural(language, own, count)).not.toBe('');
    }
  });

  test('both languages have the same values in each text', () => {
    const keys = (text: string): string[] =>
      (text.match(/\{\w+\}/g) ?? []).filter((key) => key !== '{count}').sort();
    const [english, russian] = [reportWordsIn('en'), reportWordsIn('ru')];
    for (const kind of PROBLEM_KINDS) {
      expect(keys(russian.problems[kind]!.one)).toEqual(keys(english.problems[kind]!.one));
      expect(keys(russian.problem[kind]!)).toEqual(keys(english.problem[kind]!));
    }
  });

  test('numbers take their forms', () => {
    const { problems } = reportWordsIn('ru');
    const text = (count: number): string =>
      plural('ru', problems['late']!, count).replace('{count}', String(count));
    expect([1, 3, 5, 21].map(text)).toEqual(['1 опоздание', '3 опоздания', '5 опозданий', '21 опоздание']);
  });
});
