/** Judges the fixes of units: exchanged latitudes and longitudes, and steps faster than any vehicle, which show two units under one name. */

import type { TimedPosition } from '../../core/fix.js';
import { pushTo } from '../../core/pushTo.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';

/** Distance from all others from which a unit is examined, metres. */
export const FAR_UNIT_METERS = 500_000;
/** Largest distance of its mirror image from the others, metres. */
const NEAR_METERS = 50_000;
/** Largest number of units that are compared. */
const MOST = 500;
/** Share of all units that must be around the mirror image: a fleet spread over the world proves nothing. */
const SHARE = 0.8;
/** Speed above which a step is a jump, km/h. Aeroplanes are slower on approach, road vehicles always. */
const MAX_KPH = 400;
/** Length below which a step is noise, metres. */
const NOISE_METERS = 300;
/** Fewest jumps that are not outliers: one wrong position makes two. */
const LEAST_JUMPS = 3;
/** Share of jumps from which fixes are not of one unit. */
const TORN_SHARE = 0.1;
/** Longest step back in time that a clock change explains, milliseconds. */
const CLOCK_CHANGE = 4_000_000;
/** Shortest step that leads to another place, metres. */
const OTHER_PLACE = 2000;

/**
 * Units that seem exchanged, in order of appearance. Of two groups that are mirror images of each other, the smaller one is suspect; of
 * equal groups, the later one.
 */
export function suspectUnits(points: readonly (TimedPosition & { readonly unit: string })[]): string[] {
  const first = new Map<string, TimedPosition>();
  for (const point of points) if (!first.has(point.unit) && first.size < MOST) first.set(point.unit, point);
  const units = [...first];
  const mirrored = units.map(([, a]) => units.flatMap(([, b], k) => (isMirror(a, b) ? [k] : [])));
  if (mirrored.every((list) => list.length === 0)) return [];
  const counts = new Map<number, number>();
  const nearOf = (i: number): number => {
    const known = counts.get(i) ?? units.filter(([, b]) => !isFar(units[i]![1], b)).length;
    counts.set(i, known);
    return known;
  };
  return units.flatMap(([id], i) => {
    const others = mirrored[i]!;
    if (others.length === 0) return [];
    const near = nearOf(i);
    const around = Math.max(...others.map(nearOf));
    if (near + around < SHARE * units.length) return [];
    // For a unit far from the others: the units near it are probably exchanged too.
    const isFewer = others.every((k) => near < nearOf(k) || (near === nearOf(k) && i > k));
    return isFewer ? [id] : [];
  });
}

function isMirror(a: TimedPosition, b: TimedPosition): boolean {
  if (Math.abs(a.lon) > 90 || Math.abs(a.lon - b.lat) > 1 || Math.abs(a.lat - b.lon) > 2) return false;
  return isFar(a, b) && geodesicDistance(a.lat, a.lon, b.lon, b.lat) <= NEAR_METERS;
}

/** Whether two positions are far apart by latitude: a degree of latitude is never shorter than 110 km. */
function isFar(a: TimedPosition, b: TimedPosition): boolean {
  if (110_000 * Math.abs(a.lat - b.lat) > FAR_UNIT_METERS) return true;
  return geodesicDistance(a.lon, a.lat, b.lon, b.lat) > FAR_UNIT_METERS;
}

/** Number of jumps, in order of time. */
function jumpsOf(points: readonly TimedPosition[]): number {
  return jumpsBetween([...points].sort((a, b) => a.time - b.time));
}

/** Number of jumps between consecutive points. */
function jumpsBetween(points: readonly TimedPosition[]): number {
  let jumps = 0;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const meters = stepMeters(a, b);
    if (meters > NOISE_METERS && meters * 3600 > MAX_KPH * Math.max(1, Math.abs(b.time - a.time))) jumps++;
  }
  return jumps;
}

function stepMeters(a: TimedPosition, b: TimedPosition): number {
  if (Math.abs(a.lon - b.lon) + Math.abs(a.lat - b.lat) < 0.001) return 0;
  return geodesicDistance(a.lon, a.lat, b.lon, b.lat);
}

/**
 * Whether the fixes cannot be of one unit. `isOpen`: the zone or the order of dates is unknown, so that a repeated hour may look like two
 * units. Consecutive rows must then jump as well, or go back in time by more than a clock change.
 */
export function isTorn(points: readonly TimedPosition[], isOpen: boolean = false): boolean {
  const areMany = (jumps: number): boolean =>
    jumps >= LEAST_JUMPS && jumps >= TORN_SHARE * (points.length - 1);
  return areMany(jumpsOf(points)) && (!isOpen || areMany(jumpsBetween(points)) || goesBack(points));
}

/** Whether a row goes back in time by more than a clock change, or to another place: the track of another unit begins there. */
function goesBack(points: readonly TimedPosition[]): boolean {
  const sign = (points.at(-1)?.time ?? 0) < (points[0]?.time ?? 0) ? -1 : 1;
  const steps = points.map((point, i) => (i === 0 ? 0 : stepMeters(points[i - 1]!, point)));
  const usual = [...steps].sort((a, b) => a - b)[steps.length >> 1] ?? 0;
  return points.some(({ time }, i) => {
    const back = i === 0 ? 0 : sign * (points[i - 1]!.time - time);
    return back > CLOCK_CHANGE || (back > 0 && steps[i]! > Math.max(OTHER_PLACE, 10 * usual));
  });
}

/** Whether the values of a column divide the fixes into tracks of single units. `isOpen`: as in `isTorn`. */
export function partsWell(
  points: readonly TimedPosition[],
  values: readonly string[],
  isOpen: boolean = false,
): boolean {
  const groups = new Map<string, TimedPosition[]>();
  for (const [i, point] of points.entries()) {
    const value = values[i]!;
    if (value === '') return false;
    pushTo(groups, value, point);
  }
  if (groups.size < 2 || groups.size > 10_000 || groups.size > points.length / 2) return false;
  let jumps = 0;
  for (const group of groups.values())
    jumps += isOpen ? Math.min(jumpsOf(group), jumpsBetween(group)) : jumpsOf(group);
  return jumps * 20 <= jumpsOf(points);
}

/** Median ratio of the given speeds to speeds between fixes in m/s; null if there is too little movement. */
export function speedRatio(
  points: readonly (TimedPosition & { readonly unit: string; readonly speed: number | null })[],
): number | null {
  const ratios: number[] = [];
  const last = new Map<string, TimedPosition & { readonly speed: number | null }>();
  for (const point of points) {
    const before = last.get(point.unit);
    last.set(point.unit, point);
    if (before === undefined || point.speed === null || before.speed === null) continue;
    const seconds = (point.time - before.time) / 1000;
    const meters = stepMeters(before, point);
    const speed = (point.speed + before.speed) / 2;
    if (seconds <= 0 || seconds > 180 || meters < 20 || speed <= 0) continue;
    ratios.push(speed / (meters / seconds));
  }
  if (ratios.length < 3) return null;
  return ratios.sort((a, b) => a - b)[ratios.length >> 1]!;
}

/** The unit of speed whose ratio to m/s is nearest to `ratio`. */
export function likelySpeedUnit(ratio: number): 'mps' | 'knots' | 'mph' | 'kph' {
  const units = [
    ['mps', 1],
    ['knots', 1.943844],
    ['mph', 2.236936],
    ['kph', 3.6],
  ] as const;
  const off = (value: number): number => Math.abs(Math.log(ratio / value));
  return [...units].sort((a, b) => off(a[1]) - off(b[1]))[0]![0];
}
