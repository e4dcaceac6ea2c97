/** What the steps of a track tell: where nothing is known of the way, and how long it is. */

import { lonStep } from '../core/angles.js';
import { decidedDistance } from '../geodesy/inverse.js';
import { edgeLength } from '../geodesy/length.js';
import { wayBound } from '../tracks/plausibleFixes.js';
import type { VisitRules } from '../tracks/visitOptions.js';

export interface Place {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
}

/** Whether the way between two fixes is not known: the rule of `findVisits`. */
export function isGap(a: Place, b: Place, rules: VisitRules): boolean {
  if (b.time - a.time > rules.maxGapMs || Math.abs(lonStep(a.lon, b.lon)) === 180) return true;
  const { maxGapMeters } = rules;
  return farthest(a, b) > maxGapMeters && metersOf(a, b, maxGapMeters) > maxGapMeters;
}

/** Whether nothing tells what lies between two fixes: a gap, or a step too long to cross a zone on. */
export function isUnseen(a: Place, b: Place, rules: VisitRules): boolean {
  if (isGap(a, b, rules)) return true;
  const { maxCrossedMeters } = rules;
  return farthest(a, b) >= maxCrossedMeters && metersOf(a, b, maxCrossedMeters) >= maxCrossedMeters;
}

/** Metres of the step from a to b that lie between two times: straight in lon/lat, linear in time. */
export function metersBetween(a: Place, b: Place, from: number, to: number): number {
  const [start, end] = [Math.max(from, a.time), Math.min(to, b.time)];
  if (start >= end) return 0;
  const [lonA, latA] = positionAt(a, b, start);
  const [lonB, latB] = positionAt(a, b, end);
  return edgeLength(lonA, latA, lonB, latB);
}

/** The longitude is not wrapped. */
function positionAt(a: Place, b: Place, time: number): [number, number] {
  if (time === b.time) return [b.lon, b.lat];
  const fraction = (time - a.time) / (b.time - a.time);
  return [a.lon + fraction * lonStep(a.lon, b.lon), a.lat + fraction * (b.lat - a.lat)];
}

/** Metres of the step, for a comparison with `limit`: as `findVisits` compares them. */
function metersOf(a: Place, b: Place, limit: number): number {
  return decidedDistance(a.lon, a.lat, b.lon, b.lat, limit);
}

/** The way along meridian and equator, which is never shorter. */
function farthest(a: Place, b: Place): number {
  return wayBound(b.lat - a.lat, lonStep(a.lon, b.lon));
}
