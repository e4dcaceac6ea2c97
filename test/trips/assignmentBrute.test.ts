import { describe, expect, test } from 'vitest';
import type { Visit } from '../../src/tracks/visit.js';
import { assignArbitrary } from '../../src/trips/assignArbitrary.js';
import { assignShared } from '../../src/trips/assignShared.js';
import { assignStrict } from '../../src/trips/assignStrict.js';
import { assignWaiting } from '../../src/trips/assignWaiting.js';
import { isInGaps } from '../../src/trips/gaps.js';
import { type Offer, offersByPoint, type Serving } from '../../src/trips/serving.js';
import type { TripPlan } from '../../src/trips/tripPlan.js';
import type { TripStay } from '../../src/trips/tripStay.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';

interface Case {
  readonly offers: readonly (readonly Offer[])[];
  readonly zones: readonly number[];
  readonly mustServeFirst: boolean;
}

/** Up to five points of up to three zones, and up to six stays; times are few, so that many fall on one instant. */
function randomCase(random: () => number, oneZone: boolean): Case {
  const pick = (count: number): number => Math.floor(random() * count);
  const names = Array.from({ length: 1 + pick(5) }, () => (oneZone ? 0 : pick(3)));
  const zones = names.map((name) => names.indexOf(name));
  const planned = (): number | null => (random() < 0.5 ? null : 10 * pick(8));
  const plan = {
    window: { from: 0, to: 100 },
    points: zones.map((_, index) => ({
      index,
      name: '',
      plannedArrival: planned(),
      plannedDeparture: planned(),
      arrivalToleranceSeconds: 0,
      departureToleranceSeconds: 0,
    })),
  } as unknown as TripPlan;
  const stays: TripStay[] = [];
  for (const zone of new Set(zones)) {
    let time = 5 * pick(4);
    for (let k = pick(4); k > 0; k--) {
      const exit = time + 5 * pick(5);
      const isOpen = k === 1 && random() < 0.3;
      stays.push({
        zone,
        enter: time,
        exit: isOpen ? null : exit,
        left: isOpen || random() < 0.2 ? null : exit,
        isYoung: false,
        visit: {} as Visit,
      });
      time = exit + 5 * (1 + pick(3));
    }
  }
  stays.sort((a, b) => a.enter - b.enter || a.zone - b.zone);
  const ofFirst = stays.filter(({ zone }) => zone === 0);
  const stay = random() < 0.5 ? (ofFirst[pick(ofFirst.length)] ?? null) : null;
  const offers = offersByPoint(stays, {
    plan,
    zones,
    activation: { time: stay?.enter ?? 0, stay, startedInside: false },
    allowSharedVisit: random() < 0.6,
    maxDeviationMs: random() < 0.3 ? 30 : Number.POSITIVE_INFINITY,
  });
  return { offers, zones, mustServeFirst: stay !== null };
}

interface Best {
  served: number;
  off: number;
  arrivals: number[];
}

/** Every way to serve, point by point: the best by the words of DESIGN §5. */
function bruteForce({ offers, mustServeFirst }: Case, isStrict: boolean): Best {
  let best: Best | null = null;
  const arrivals = offers.map(() => Number.POSITIVE_INFINITY);
  const isForced = mustServeFirst && offers[0]!.length > 0;
  const spent = new Set<TripStay>();
  const go = (point: number, served: number, off: number, last: number): void => {
    if (point >= offers.length) {
      const isBetter =
        best === null ||
        served > best.served ||
        (served === best.served &&
          (off < best.off || (off === best.off && isEarlier(arrivals, best.arrivals))));
      if (isBetter) best = { served, off, arrivals: [...arrivals] };
      return;
    }
    if (!(isForced && point === 0)) go(point + 1, served, off, last);
    for (const offer of offers[point]!) {
      if (spent.has(offer.stay) || (isStrict && offer.parts[0]!.arrival < last)) continue;
      spent.add(offer.stay);
      offer.parts.forEach((part, k) => {
        arrivals[point + k] = part.arrival;
      });
      go(
        point + offer.parts.length,
        served + offer.parts.length,
        off + offer.off,
        offer.parts.at(-1)!.arrival,
      );
      offer.parts.forEach((_, k) => {
        arrivals[point + k] = Number.POSITIVE_INFINITY;
      });
      spent.delete(offer.stay);
    }
  };
  go(0, 0, 0, Number.NEGATIVE_INFINITY);
  return best!;
}

function isEarlier(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((time, i) => time !== b[i]);
  return at >= 0 && a[at]! < b[at]!;
}

function scored(assignment: readonly (Serving | null)[]): Best {
  const off = (serving: Serving | null): number =>
    Math.abs(serving?.arrivalDeviation ?? 0) + Math.abs(serving?.departureDeviation ?? 0);
  return {
    served: assignment.filter((serving) => serving !== null).length,
    off: assignment.reduce((sum, serving) => sum + off(serving), 0),
    arrivals: assignment.map((serving) => serving?.arrival ?? Number.POSITIVE_INFINITY),
  };
}

describe('the best of all ways to serve', () => {
  const CASES = Array.from({ length: volume(30_000) }, (_, k) => randomCase(seeded(k), k % 3 === 0));

  test('in list order', () => {
    CASES.forEach((given, k) => {
      expect([k, scored(assignStrict(given.offers, given.mustServeFirst))]).toEqual([
        k,
        bruteForce(given, true),
      ]);
    });
  });

  test('in any order', () => {
    CASES.forEach((given, k) => {
      const { offers, zones, mustServeFirst } = given;
      expect([k, scored(assignArbitrary(offers, zones, mustServeFirst))]).toEqual([
        k,
        bruteForce(given, false),
      ]);
    });
  });

  test('by waiting: the first point its least deviation, each other one the first visit after its predecessor’s', () => {
    CASES.forEach(({ offers }, k) => {
      const wanted: number[] = [];
      const spent = new Set<TripStay>();
      let last = Number.NEGATIVE_INFINITY;
      while (wanted.length < offers.length) {
        const most = new Map<TripStay, Offer>();
        for (const offer of offers[wanted.length]!) {
          if (offer.parts.length > (most.get(offer.stay)?.parts.length ?? 0)) most.set(offer.stay, offer);
        }
        const open = [...most.values()].filter(({ stay }) => !spent.has(stay) && stay.enter >= last);
        const off = ({ parts: [part] }: Offer): number =>
          Math.abs(part!.arrivalDeviation ?? 0) + Math.abs(part!.departureDeviation ?? 0);
        if (wanted.length === 0) open.sort((a, b) => off(a) - off(b) || a.stay.enter - b.stay.enter);
        const [chosen] = open;
        if (chosen === undefined) break;
        spent.add(chosen.stay);
        wanted.push(...chosen.parts.map(({ arrival }) => arrival));
        last = wanted.at(-1)!;
      }
      const got = assignWaiting(offers).map((serving) => serving?.arrival ?? null);
      expect([k, got]).toEqual([k, offers.map((_, i) => wanted[i] ?? null)]);
    });
  });
});

describe('limits', () => {
  test('twelve points of one zone may share visits in any order, thirteen are too many', () => {
    const points = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
    expect(
      assignShared(
        points(12),
        points(12).map(() => []),
      ).size,
    ).toBe(0);
    expect(
      errorOf(() =>
        assignShared(
          points(13),
          points(13).map(() => []),
        ),
      ),
    ).toMatchObject({
      code: 'limit-points',
      field: 'points',
      message: 'expected at most 12 points of one zone where visits are shared in any order, received 13',
    });
  });

  test('a stretch is in gaps when they cover it, in whatever order and however they touch', () => {
    const gap = (from: number, to: number): { from: number; to: number } => ({ from, to });
    expect(isInGaps([], 1, 2)).toBe(false);
    expect(isInGaps([gap(1, 2)], 1, 2)).toBe(true);
    expect(isInGaps([gap(1, 2)], 1, 2.5)).toBe(false);
    expect(isInGaps([gap(1, 2)], 0.5, 2)).toBe(false);
    expect(isInGaps([gap(2, 3), gap(1, 2)], 1, 3)).toBe(true);
    expect(isInGaps([gap(1, 2), gap(2.1, 3)], 1, 3)).toBe(false);
    expect(isInGaps([gap(0, 9), gap(1, 2)], 1, 8)).toBe(true);
    expect(isInGaps([gap(0, 1)], 1, 1)).toBe(true);
    expect(isInGaps([gap(0, 0.9), gap(2, 3)], 1, 1)).toBe(false);
    expect(isInGaps([gap(-5, -1), gap(0, 3)], 1, 2)).toBe(true);
  });
});
