/** Whether fixes can be of one unit: no step between consecutive fixes is faster than any vehicle. */

import type { TimedPosition } from '../../core/fix.js';
import { pushTo } from '../../core/pushTo.js';
import { geodesicDistance } from '../../geodesy/inverse.js';

/** Faster steps are jumps, km/h. Aeroplanes are slower than this on approach, road vehicles always. */
const MAX_KPH = 400;
/** Shorter steps are noise, metres. */
const NOISE_METERS = 300;
/** Fewer jumps are outliers: one wrong position makes two. */
const LEAST_JUMPS = 3;
/** Share of jumps from which fixes are not of one unit. */
const SHARE = 0.1;

/** Longest step back, in milliseconds, that a change of the clocks explains. */
const CLOCK_CHANGE = 4_000_000;

/** Least step, in metres, that counts as another place. */
const OTHER_PLACE = 2000;

/** Number of jumps, in order of time. */
export function jumpsOf(points: readonly TimedPosition[]): number {
  return jumpsBetween([...points].sort((a, b) => a.time - b.time));
}

/** Number of jumps between points that follow each other. */
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
 * Whether the fixes cannot be of one unit. `isOpen`: the zone or the order of the dates is unknown, so that an hour that comes twice may look like two
 * units. Then rows must jump as they follow each other too, or go back by more than a change of the clocks.
 */
export function isTorn(points: readonly TimedPosition[], isOpen: boolean = false): boolean {
  const areMany = (jumps: number): boolean => jumps >= LEAST_JUMPS && jumps >= SHARE * (points.length - 1);
  return areMany(jumpsOf(points)) && (!isOpen || areMany(jumpsBetween(points)) || goesBack(points));
}

/** Whether a row goes back in time farther than a change of the clocks, or to another place: there the track of another unit begins. */
function goesBack(points: readonly TimedPosition[]): boolean {
  const sign = (points.at(-1)?.time ?? 0) < (points[0]?.time ?? 0) ? -1 : 1;
  const steps = points.map((point, i) => (i === 0 ? 0 : stepMeters(points[i - 1]!, point)));
  const usual = [...steps].sort((a, b) => a - b)[steps.length >> 1] ?? 0;
  return points.some(({ time }, i) => {
    const back = i === 0 ? 0 : sign * (points[i - 1]!.time - time);
    return back > CLOCK_CHANGE || (back > 0 && steps[i]! > Math.max(OTHER_PLACE, 10 * usual));
  });
}

/** Whether a column's values part the fixes into tracks of single units. `isOpen`: as in `isTorn`. */
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

/** Median ratio of given speeds to the speeds between fixes in m/s; null without enough movement. */
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

/** The unit of speed whose ratio to m/s is nearest. */
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
