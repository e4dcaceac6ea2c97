/** The positions of all units of a day, as they come line by line. */

import type { DayTrack } from '../../../../src/report/client/dayTrack.js';
import { type Api, ApiError } from './api.js';

/** The positions of one unit in time order. */
export interface UnitDay extends DayTrack {
  readonly unitId: string;
}

/** Seconds between two positions, above which the unit was silent. */
const SILENT = 600;

/** Yields a track for each unit that has positions. */
export async function* dayTracks(
  api: Api,
  from: number,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<UnitDay> {
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

function trackOf(line: string, from: number): UnitDay {
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
  return { unitId, seconds, lonLat, isBreak: (i) => seconds[i + 1]! - seconds[i]! > SILENT };
}
