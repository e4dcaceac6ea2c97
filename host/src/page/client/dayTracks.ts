/** The positions of all units of a day, as they come line by line. */

import { type Api, ApiError } from './api.js';

/** The positions of one unit in time order. */
export interface DayTrack {
  readonly unitId: string;
  /** Seconds after the start of the day. */
  readonly seconds: Float64Array;
  /** `lon, lat, lon, lat, …` */
  readonly lonLat: Float64Array;
}

/** A unit at a time of the day. */
export interface DayPlace {
  readonly lon: number;
  readonly lat: number;
  readonly isMoving: boolean;
  /** Whether the next position is more than `SILENT` seconds away. */
  readonly isSilent: boolean;
}

const SILENT = 600;
/** Degrees in a second above which a unit moves: about 1 m. */
const MOVING = 1e-5;

/** Yields a track for each unit that has positions. */
export async function* dayTracks(
  api: Api,
  from: number,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<DayTrack> {
  const query = new URLSearchParams({ from: String(from), to: String(to), seconds: '20' });
  const response = await api.open(`/fleet/day?${query}`, signal);
  let text = '';
  for await (const part of textsOf(response)) {
    text += part;
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) yield trackOf(line, from);
  }
  if (text !== '') throw new ApiError(0, '', []);
}

async function* textsOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

function trackOf(line: string, from: number): DayTrack {
  const { unitId, fixes } = JSON.parse(line) as {
    readonly unitId: string;
    readonly fixes: readonly (readonly [time: number, lon: number, lat: number])[];
  };
  const seconds = new Float64Array(fixes.length);
  const lonLat = new Float64Array(2 * fixes.length);
  fixes.forEach(([time, lon, lat], i) => {
    seconds[i] = (time - from) / 1000;
    lonLat[2 * i] = lon;
    lonLat[2 * i + 1] = lat;
  });
  return { unitId, seconds, lonLat };
}

/** Where the unit is: between two positions on the straight line, across a silence at the last one; null before the first. */
export function placeAt({ seconds, lonLat }: DayTrack, second: number): DayPlace | null {
  let [low, high] = [0, seconds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (seconds[middle]! <= second) low = middle + 1;
    else high = middle;
  }
  const i = low - 1;
  if (i < 0) return null;
  const [lon, lat] = [lonLat[2 * i]!, lonLat[2 * i + 1]!];
  const gap = low < seconds.length ? seconds[low]! - seconds[i]! : Number.POSITIVE_INFINITY;
  if (gap > SILENT) return { lon, lat, isMoving: false, isSilent: second - seconds[i]! > SILENT };
  const share = (second - seconds[i]!) / gap;
  // The short way across the antimeridian.
  const east = lonLat[2 * low]! - lon;
  const way = east - 360 * Math.round(east / 360);
  const north = lonLat[2 * low + 1]! - lat;
  return {
    lon: lon + share * way,
    lat: lat + share * north,
    isMoving: Math.hypot(way, north) / gap > MOVING,
    isSilent: false,
  };
}
