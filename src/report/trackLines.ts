/** A track as lines to draw, and the position of a unit at a time. */

import { lonStep, wrapLon } from '../core/angles.js';
import type { Track } from '../core/fix.js';
import { firstWhere } from '../core/numbers.js';
import { blindReason } from '../tracks/blindStep.js';

export interface LonLatLine {
  readonly lon: readonly number[];
  readonly lat: readonly number[];
}

/** The track cut at every blind step, and at every one longer than `maxGapMs`. Longitudes continue past ±180. */
export function trackLines(track: Track, maxGapMs: number): LonLatLine[] {
  const lines: { lon: number[]; lat: number[] }[] = [];
  let line: { lon: number[]; lat: number[] } | undefined;
  for (let i = 0; i < track.length; i++) {
    const lon = track.lon[i] as number;
    const lastLon = line?.lon.at(-1);
    if (line === undefined || lastLon === undefined || isTrackGap(track, i, maxGapMs)) {
      line = { lon: [lon], lat: [] };
      lines.push(line);
    } else {
      line.lon.push(lastLon + lonStep(track.lon[i - 1] as number, lon));
    }
    line.lat.push(track.lat[i] as number);
  }
  return lines;
}

/** Whether the way from fix `i` − 1 to `i` was not seen. */
export function isTrackGap(track: Track, i: number, maxGapMs: number): boolean {
  const milliseconds = (track.time[i] as number) - (track.time[i - 1] as number);
  return blindReason(track, i) !== null || milliseconds > maxGapMs;
}

/** The unit's position `[lat, lon]` at `time`, to six decimals: straight between fixes. Outside the track the nearest end. */
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
