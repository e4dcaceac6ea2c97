/**
 * T20: where a unit stood, over whole lists of fixes without a hole between them. The stays are those of `StayMachine`, which has tests of its own.
 */

import { StayMachine } from '../../../src/tracks/stays/stayMachine.js';
import {
  addFix,
  LAT,
  LON,
  markLast,
  noRing,
  noStayState,
  TIME,
  WIDTH,
  WITNESS,
} from '../../../src/tracks/stays/stayState.js';
import type { Bounds, Settings, SlowFix } from './slowModel.js';
import { isHandedOver, isHole, stepOf } from './slowSteps.js';

/** Kept, because each stay asks for them. */
const known = new WeakMap<readonly SlowFix[], SlowRests>();

interface SlowRests {
  readonly seen: readonly Bounds[];
  /** T22: fixes that report no speed over 3 km/h may scatter by noise as widely as at a place of 50 m. */
  readonly possible: readonly Bounds[];
}

export function slowRests(fixes: readonly SlowFix[], settings: Settings): SlowRests {
  const before = known.get(fixes);
  if (before) return before;
  const { serviceSeconds, parkedMeters } = settings;
  const parts = split(fixes, (a, b) => {
    const step = stepOf(a, b);
    return isHandedOver(step) || isHole(step, settings);
  });
  const slow = parts.flatMap((part) =>
    split(part, (a, b) => !isSlow(a) || !isSlow(b)).filter(([first]) => isSlow(first!)),
  );
  const off = parts.flatMap((part) =>
    split(part, (a, b) => !isOff(a) || !isOff(b)).filter(([first]) => isOff(first!)),
  );
  /** A unit at 3 km/h crosses the place in the time. */
  const near = Math.max(15, Math.min(50, (serviceSeconds * 3) / 3.6 / 2));
  const seen = [
    ...parts.flatMap((part) => restsIn(part, serviceSeconds, near, parkedMeters)),
    ...parts.flatMap((part) => restsIn(part, Math.max(serviceSeconds, 120), 50, parkedMeters)),
    ...off.flatMap((part) => restsIn(part, serviceSeconds, Math.max(near, parkedMeters), parkedMeters)),
  ];
  const rests = {
    seen,
    // From two minutes on the place of a seen rest is as wide.
    possible: near < 50 ? slow.flatMap((part) => restsIn(part, serviceSeconds, 50, parkedMeters)) : [],
  };
  known.set(fixes, rests);
  return rests;
}

const isSlow = ({ speed }: SlowFix): boolean => (speed ?? 0) <= 3;

const isOff = (fix: SlowFix): boolean => fix.ignition === false && isSlow(fix);

/** The fixes in parts, divided where two neighbours are apart. */
function split(
  fixes: readonly SlowFix[],
  areApart: (a: SlowFix, b: SlowFix) => boolean,
): readonly (readonly SlowFix[])[] {
  const parts: SlowFix[][] = [];
  fixes.forEach((fix, i) => {
    if (i === 0 || areApart(fixes[i - 1]!, fix)) parts.push([]);
    parts.at(-1)!.push(fix);
  });
  return parts;
}

/** From the first fix at a place to the last one known to be there. */
function restsIn(fixes: readonly SlowFix[], seconds: number, meters: number, sleepMeters: number): Bounds[] {
  const numbers = (value: (fix: SlowFix) => number | null): Float64Array =>
    Float64Array.from(fixes, (fix) => value(fix) ?? -1);
  const columns = {
    time: numbers(({ time }) => time),
    lon: numbers(({ place }) => Math.round(place[0] * 1e7) / 1e7),
    lat: numbers(({ place }) => Math.round(place[1] * 1e7) / 1e7),
    speedKph: numbers(({ speed }) => speed),
    ignition: null,
    mileageMeters: numbers(({ mileage }) => mileage),
    mileageDeltaMeters: numbers(({ mileageDelta }) => mileageDelta),
  };
  const nothing = (): void => {};
  const machine = new StayMachine(
    {
      dwellMs: seconds * 1000,
      radiusMeters: meters,
      leaveMeters: 2 * meters,
      minSpeedKph: 3,
      needsIgnition: false,
      sleepMeters,
      maxGapMs: 1e15,
      endsBySilence: false,
    },
    {
      takesWays: false,
      isWaiting: false,
      start: nothing,
      step: nothing,
      begin: nothing,
      end: nothing,
      close: nothing,
    },
  );
  const [state, ring] = [noStayState(), noRing()];
  const found = new Map<number, [number, number]>();
  const note = (): void => {
    const timeOf = (entry: number): number => ring.recent[(entry & ring.mask) * WIDTH + TIME]!;
    if (!state.isStay) return;
    const rest = found.get(state.origin) ?? [timeOf(state.origin), 0];
    found.set(state.origin, [rest[0], timeOf(state.last)]);
  };
  fixes.forEach(({ time, speed }, i) => {
    const isLong = i > 0 && time - fixes[i - 1]!.time >= seconds * 1000;
    if (isLong && markLast(ring)) machine.marked(state, ring);
    ring.last[TIME] = time;
    ring.last[LON] = columns.lon[i]!;
    ring.last[LAT] = columns.lat[i]!;
    ring.last[WITNESS] = speed === null ? 0 : speed < 3 ? 1 : -1;
    machine.attach(ring, columns);
    machine.next(state, i, addFix(ring, seconds * 100, isLong || i === 0));
    ring.oldest = state.oldest;
    note();
    // A rest begins with its window.
    if (!state.isStay) machine.settle(state, ring, Math.min(state.first, ring.newest));
  });
  return [...found.values()];
}
