/** A track as lines to draw, and the position of a unit at a time. */

import { lonStep, wrapLon } from '../core/angles.js';
import type { Track } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { firstWhere } from '../core/numbers.js';
import { blindReason } from '../tracks/blindStep.js';
import { packLine, thin } from './thin.js';

export interface LonLatLine {
  readonly lon: readonly number[];
  readonly lat: readonly number[];
}

/** The track cut at every blind step, and at every step longer than `maxGapMs`. Longitudes continue past ±180. */
export function trackLines(track: Track, maxGapMs: number): LonLatLine[] {
  return gaplessRanges(track, maxGapMs).map(([first, end]) => ({
    lon: unrolledLons(track.lon.subarray(first, end)),
    lat: Array.from(track.lat.subarray(first, end)),
  }));
}

/** Index ranges `[first, end)` of fixes without a gap between them. */
export function gaplessRanges(track: Track, maxGapMs: number): (readonly [first: number, end: number])[] {
  const pieces: (readonly [number, number])[] = [];
  let first = 0;
  for (let i = 1; i <= track.length; i++) {
    if (i < track.length && !isTrackGap(track, i, maxGapMs)) continue;
    pieces.push([first, i]);
    first = i;
  }
  return pieces;
}

/** Whether the step from fix `i` − 1 to `i` is a gap. */
function isTrackGap(track: Track, i: number, maxGapMs: number): boolean {
  const milliseconds = (track.time[i] as number) - (track.time[i - 1] as number);
  return blindReason(track, i) !== null || milliseconds > maxGapMs;
}

/** The unit's position `[lat, lon]` at `time`, six decimals, straight between fixes. Before and after the track: its nearest end. */
export function positionAtTime(track: Track, time: number): [number, number] {
  const low = firstWhere(0, track.length - 1, (i) => track.time[i]! >= time);
  const lon = track.lon[low] ?? 0;
  const lat = track.lat[low] ?? 0;
  const here = track.time[low] ?? time;
  if (low === 0 || here <= time) return [sixDecimals(lat), sixDecimals(lon)];
  const before = track.time[low - 1] as number;
  const share = (time - before) / (here - before);
  const fromLon = track.lon[low - 1] as number;
  const fromLat = track.lat[low - 1] as number;
  return [
    sixDecimals(fromLat + share * (lat - fromLat)),
    sixDecimals(wrapLon(fromLon + share * lonStep(fromLon, lon))),
  ];
}

/** Rounds to six decimals, the resolution of a packed line. */
export function sixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Positions as a packed line. */
export function packPositions(positions: readonly Position[], toleranceMeters: number): number[] {
  const lat = positions.map((position) => position[1]);
  const lon = unrolledLons(positions.map((position) => position[0]));
  return packLine(lon, lat, thin(lon, lat, toleranceMeters));
}

/** Longitudes without a jump at the antimeridian. */
export function unrolledLons(lons: ArrayLike<number>): number[] {
  const result: number[] = [];
  for (let i = 0; i < lons.length; i++)
    result.push(i === 0 ? lons[0]! : result[i - 1]! + lonStep(lons[i - 1]!, lons[i]!));
  return result;
}
