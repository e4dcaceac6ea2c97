/** The strict search beside all assignments (small trips, every one of them), and beside itself without a limit of labels (larger ones). */

import { describe, expect, test } from 'vitest';
import { CouldBe } from '../../src/trips/assign/due.js';
import { heldPoints } from '../../src/trips/assign/heldPoints.js';
import type { Score } from '../../src/trips/assign/label.js';
import { Costs, NEVER, SharedStays, servingOf } from '../../src/trips/assign/serving.js';
import type { StrictRules } from '../../src/trips/assign/stayCandidates.js';
import { StrictSearch } from '../../src/trips/assign/strictSearch.js';
import type { TripPlan } from '../../src/trips/plan/planTrip.js';
import { Holes } from '../../src/trips/seen/holes.js';
import type { TripStay } from '../../src/trips/seen/tripStay.js';
import { LONG, seeded } from '../volume.js';

const MINUTE = 60_000;
/** Zone, entry and exit. */
type Interval = readonly [zone: number, enter: number, exit: number];

function rulesOf(
  zones: readonly number[],
  plans: readonly (number | null)[],
  given: readonly Interval[],
  isStop: (k: number) => boolean,
): StrictRules {
  const stays = given
    .map(
      ([zone, enter, exit], k): TripStay => ({
        zone: zones.indexOf(zone),
        enter: enter * MINUTE,
        exit: exit * MINUTE,
        arrival: [enter * MINUTE, enter * MINUTE],
        isArrivalSeen: true,
        isFromNowhere: false,
        isFirstFix: false,
        lastInside: 0,
        departure: [exit * MINUTE, exit * MINUTE],
        isStop: isStop(k),
        isSeenStop: isStop(k),
        isYoung: false,
        gaps: [],
        parts: [],
        visit: {} as never,
      }),
    )
    .filter(({ zone }) => zone >= 0)
    .sort((a, b) => a.enter - b.enter || a.zone - b.zone);
  const points = plans.map((plan, index) => ({
    index,
    name: '',
    plannedArrival: plan === null ? null : plan * MINUTE,
    plannedDeparture: null,
    arrivalToleranceSeconds: plan === null ? null : 120,
    departureToleranceSeconds: null,
  }));
  const plan: TripPlan = {
    tripId: '',
    date: '',
    timeZone: 'UTC',
    window: { from: -1e9, to: 1e9 },
    leadFrom: -1e9,
    points,
  };
  const own = zones.map((zone) => zones.indexOf(zone));
  return {
    stays,
    zones: own,
    costs: new Costs({ plan, excused: zones.map(() => false) }),
    shared: new SharedStays({ plan, zones: own, allowSharedVisit: false, now: 1e9, lastOnes: null }),
    isWindowOver: true,
    forFirst: stays.filter(({ zone }) => zone === 0),
    after: NEVER,
    begin: NEVER,
    couldBe: new CouldBe(new Holes([], 130, () => 0), own, points, 0, -1e9, 1e9),
    hasVague: false,
    excused: zones.map(() => false),
    windowFrom: -1e9,
    threshold: -1e9,
    isFirstUnseen: false,
    isCounted: () => true,
    held: heldPoints(
      zones.map(() => null),
      own,
      true,
    ),
  };
}

/** The score as a list in which less is better, with the entries. */
type Worth = readonly number[];

/** The best of all assignments. */
function bestOfAll({ stays, zones, costs, forFirst, begin }: StrictRules): Worth {
  let best: Worth | null = null;
  const extend = (taken: readonly (TripStay | null)[], turn: number, worth: readonly number[]): void => {
    const point = taken.length;
    if (point === zones.length) {
      const all = [...worth, ...taken.map((stay) => stay?.enter ?? Number.POSITIVE_INFINITY)];
      if (best === null || isLess(all, best)) best = all;
      return;
    }
    // A seen stop at a zone that the list has not had, before the turn of the point before (T28).
    const isFirst = zones[point] === point && turn > NEVER;
    const isPassed = stays.some(
      (stay) => stay.zone === zones[point] && stay.isSeenStop && stay.enter >= begin && stay.exit! < turn,
    );
    const [served, stops, blame, before, off] = worth as [number, number, number, number, number];
    const blamed = blame + (isFirst && isPassed ? 1 : 0);
    const own = stays.filter(
      (stay) => stay.zone === zones[point] && !taken.includes(stay) && stay.exit! >= turn,
    );
    for (const stay of point === 0 ? forFirst : own) {
      const cost = costs.of(point, servingOf(stay), turn);
      extend([...taken, stay], Math.max(turn, stay.enter), [
        served - 1,
        stops - (stay.isStop ? 1 : 0),
        blamed + costs.blame,
        before + (stay.enter < turn ? 1 : 0),
        off + cost,
      ]);
    }
    if (point > 0 || forFirst.length === 0)
      extend([...taken, null], turn, [served, stops, blamed, before, off]);
  };
  extend([], NEVER, [0, 0, 0, 0, 0]);
  return best!;
}

function isLess(a: Worth, b: Worth): boolean {
  const k = a.findIndex((value, i) => value !== b[i]);
  return k >= 0 && a[k]! < b[k]!;
}

const listOf = ({ served, stops, blame, before, off }: Score): number[] => [
  -served,
  -stops,
  blame,
  before,
  off,
];

function found(rules: StrictRules, limit?: number): { worth: Worth; most: number } {
  const search = new StrictSearch(rules, limit);
  const { assignment, score } = search.run();
  const entries = assignment.map((serving) => serving?.arrival ?? Number.POSITIVE_INFINITY);
  return { worth: [...listOf(score), ...entries], most: search.most };
}

/** All lists of `length` numbers below `below`. */
const lists = (length: number, below: number): number[][] =>
  length === 0
    ? [[]]
    : lists(length - 1, below).flatMap((list) =>
        Array.from({ length: below }, (_, value) => [...list, value]),
      );

/** All orders of the ends of `count` intervals, which begin in their own order. */
function ordersOf(count: number): (readonly [number, number])[][] {
  const found: (readonly [number, number])[][] = [];
  const extend = (
    open: readonly number[],
    begun: readonly (readonly [number, number])[],
    time: number,
  ): void => {
    if (time === 2 * count) {
      found.push([...begun]);
      return;
    }
    if (begun.length < count) extend([...open, begun.length], [...begun, [time, -1]], time + 1);
    for (const k of open)
      extend(
        open.filter((own) => own !== k),
        begun.map((own, i) => (i === k ? ([own[0], time] as const) : own)),
        time + 1,
      );
  };
  extend([], [], 0);
  return found;
}

/** The zones of points, named in order of their first place. */
const zonePatterns = (length: number): number[][] =>
  lists(length, 3).filter((list) => list.every((zone, i) => zone <= Math.max(-1, ...list.slice(0, i)) + 1));

/** Visits of one zone do not overlap. */
const areApart = (visits: readonly Interval[]): boolean =>
  visits.every(([zone, enter], k) =>
    visits.slice(0, k).every(([other, , exit]) => other !== zone || exit < enter),
  );

describe('the strict search finds the best of all assignments', () => {
  const most = LONG ? 4 : 3;
  test.each([1, 2, 3, 4])(
    `of every trip of %i points in up to 3 zones, with up to ${most} visits in every order`,
    (length) => {
      const patterns = zonePatterns(length);
      let count = 0;
      for (let visits = 1; visits <= most; visits++)
        for (const order of ordersOf(visits))
          for (const ofVisits of lists(visits, 3)) {
            const given = order.map(([enter, exit], k): Interval => [ofVisits[k]!, 10 * enter, 10 * exit]);
            if (!areApart(given)) continue;
            for (const zones of patterns) {
              const random = seeded(count++);
              // Without plans, planned at the visits in the order of the list, and planned at random.
              const plans = zones.map((_, i) => [null, 10 * i, Math.floor(90 * random())][count % 3]!);
              const isStop = (): boolean => count % 4 !== 0 || random() < 0.5;
              const stops = given.map(isStop);
              const rules = rulesOf(zones, plans, given, (k) => stops[k]!);
              const { worth } = found(rules);
              if (worth.join() !== bestOfAll(rules).join())
                expect.fail(JSON.stringify({ zones, plans, given, stops, worth, best: bestOfAll(rules) }));
            }
          }
      expect(count).toBeGreaterThan(length);
    },
  );
});

describe('the limit of labels', () => {
  /** 40 visits of `under` zones or more that repeat in the list, of which at most `under` are under way at once. */
  function largeRules(seed: number, under: number): StrictRules {
    const random = seeded(seed);
    const zones = under + Math.floor(6 * random());
    const list = Array.from({ length: zones * 2 + Math.floor(4 * random()) }, (_, i) =>
      random() < 0.8 ? i % zones : Math.floor(zones * random()),
    );
    const given: Interval[] = [];
    for (let time = 0; given.length < 40; time += 5 + Math.floor(20 * random())) {
      const exit = time + 5 + Math.floor(900 * random());
      const zone = Math.floor(zones * random());
      const open = given.filter((own) => own[2] >= time);
      if (open.length < under && open.every((own) => own[0] !== zone)) given.push([zone, time, exit]);
    }
    const plans = list.map((_, i) => (random() < 0.7 ? i * 20 + Math.floor(60 * random()) : null));
    return rulesOf(list, plans, given, () => random() < 0.85);
  }

  test('is not reached with 9 visits under way at once, so that the result is that without it', () => {
    let largest = 0;
    for (let seed = 0; seed < (LONG ? 3000 : 40); seed++) {
      const rules = largeRules(seed, 9);
      const [limited, free] = [found(rules), found(rules, Number.POSITIVE_INFINITY)];
      largest = Math.max(largest, free.most);
      if (free.most <= 32) expect([seed, ...limited.worth]).toEqual([seed, ...free.worth]);
    }
    expect(largest).toBeGreaterThan(4);
    if (!LONG) expect(largest).toBeLessThanOrEqual(32);
  });

  test('with 20 under way it is reached, and the result is nearly always that without it, and serves as many points', () => {
    let [reached, apart] = [0, 0];
    const count = LONG ? 500 : 15;
    for (let seed = 0; seed < count; seed++) {
      const rules = largeRules(seed, 20);
      const [limited, free] = [found(rules), found(rules, Number.POSITIVE_INFINITY)];
      if (free.most > 32) reached++;
      if (limited.worth.join() !== free.worth.join()) apart++;
      expect([seed, limited.worth[0]]).toEqual([seed, free.worth[0]]);
    }
    expect(reached).toBeGreaterThan(0);
    expect(apart).toBeLessThanOrEqual(Math.ceil(count / 50));
  });
});
