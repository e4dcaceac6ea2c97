/** A track as lines to draw, its parts by speed, and its replay, thinned so that at every moment the unit is near its fixes. */

import { lonStep, wrapLon } from '../core/angles.js';
import type { Track } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { firstWhere } from '../core/numbers.js';
import type { TrackGradation } from '../core/trackSettings.js';
import { blindReason } from '../tracks/blindStep.js';
import type { GradedRun } from '../tracks/index.js';
import { keptIndices, packLine, thin } from './thin.js';

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
function gaplessRanges(track: Track, maxGapMs: number): (readonly [first: number, end: number])[] {
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
function unrolledLons(lons: ArrayLike<number>): number[] {
  const result: number[] = [];
  for (let i = 0; i < lons.length; i++)
    result.push(i === 0 ? lons[0]! : result[i - 1]! + lonStep(lons[i - 1]!, lons[i]!));
  return result;
}

/** Largest distance of the replayed unit from a fix at its time, metres, apart from rounding to about a metre. */
export const REPLAY_TOLERANCE_METERS = 25;
/** Steps per degree: a step is about 1.1 m. */
export const REPLAY_SCALE = 1e5;

/**
 * The parts of the track between gaps. A part is `[seconds after start, lat, lon, …]`, each value as its difference from the one before.
 */
export function packReplay(track: Track, maxGapMs: number, start: number): number[][] {
  return gaplessRanges(track, maxGapMs).map(([first, end]) => packPiece(track, first, end, start));
}

function packPiece({ time, lon, lat }: Track, first: number, end: number, start: number): number[] {
  const times = time.subarray(first, end);
  const lats = lat.subarray(first, end);
  const lons = unrolledLons(lon.subarray(first, end));
  // The distance between positions of the same time.
  const kept = keptIndices(lons.length, REPLAY_TOLERANCE_METERS, (i, from, to) => {
    const span = times[to]! - times[from]!;
    const share = span === 0 ? 0 : (times[i]! - times[from]!) / span;
    const y = lats[from]! + share * (lats[to]! - lats[from]!) - lats[i]!;
    const shrink = Math.cos((lats[i]! * Math.PI) / 180);
    const x = (lons[from]! + share * (lons[to]! - lons[from]!) - lons[i]!) * shrink;
    return x * x + y * y;
  });
  const packed: number[] = [];
  let [seconds, y, x] = [0, 0, 0];
  for (const i of kept) {
    const own = [
      Math.round((times[i]! - start) / 1000),
      Math.round(lats[i]! * REPLAY_SCALE),
      Math.round(lons[i]! * REPLAY_SCALE),
    ] as const;
    packed.push(own[0] - seconds, own[1] - y, own[2] - x);
    [seconds, y, x] = own;
  }
  return packed;
}

/** Colours for speeds from standstill to more than motorways allow, distinguishable on the page. */
export const DEFAULT_GRADATION: TrackGradation = {
  styles: [
    { max: 3, hex_color: '#7A8594' },
    { max: 20, hex_color: '#1585D8' },
    { max: 40, hex_color: '#1BB934' },
    { max: 60, hex_color: '#E6B422' },
    { max: 90, hex_color: '#E6642F' },
    { max: null, hex_color: '#C2185B' },
  ],
};

export interface PageStyle {
  readonly max: number | null;
  readonly color: string;
}

export function pageStyles({ styles }: TrackGradation): PageStyle[] {
  return styles.map(({ max, hex_color }) => ({ max, color: pageColor(hex_color) }));
}

/** The colour, or blue if it is invalid. */
export function pageColor(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : '#1585D8';
}

/** A part of a track: `[index of the style, packed line]`. */
export type PageGrade = readonly [style: number, line: readonly number[]];

export function pageGrades(
  runs: readonly GradedRun[],
  { styles }: TrackGradation,
  toleranceMeters: number,
): PageGrade[] {
  return runs.map(({ hex_color, points }) => [
    styles.findIndex((style) => style.hex_color === hex_color),
    packPositions(points, toleranceMeters),
  ]);
}
