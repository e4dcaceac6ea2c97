/** The day of the example city's fleet, in milliseconds since its beginning. */

import { readFileSync } from 'node:fs';
import type { Fix } from 'wayzone';
import { fromCsv, fromGpx } from 'wayzone/interchange';
import { readTrack } from 'wayzone/tracks';

export const TIME_ZONE = 'Europe/Moscow';
/** The beginning of the day, epoch milliseconds. */
export const DAY_START: number = Date.UTC(2026, 2, 2, 5);
/** The vehicles' way takes less; then they stand until the day begins anew. */
export const DAY_LENGTH: number = 9 * 3_600_000;
/** The evening of the night vehicle is played with the day of the others. */
export const NIGHT_SHIFT: number = 14 * 3_600_000;
/** Time between two fixes of a driving vehicle, and of a standing vehicle. */
const [DRIVES_MS, STANDS_MS] = [5000, 180_000];
/** Stops up to this length are made with the engine on. */
const SHORT_STOP_MS = 240_000;
/** Fixes that are so near in time are joined by a straight way. */
const JOINED_MS = 30_000;

/** The files of the example city, which the build copies from `fixtures/`. */
const EXAMPLE = new URL('../../dist/example/', import.meta.url);

export interface CityUnit {
  readonly name: string;
  readonly fixes: readonly Fix[];
}

export function cityFile(name: string): Uint8Array {
  return readFileSync(new URL(name, EXAMPLE));
}

export function cityDay(): CityUnit[] {
  const csv = (name: string): CityUnit[] =>
    fromCsv(cityFile(name), { speedUnit: 'kph' }).value.tracks.map(({ unitId, fixes }) => ({
      name: unitId,
      fixes,
    }));
  const day = csv('city-day.csv');
  const night = csv('city-night.csv').map(({ name, fixes }) => ({
    name,
    fixes: fixes.map((fix) => ({ ...fix, time: fix.time + NIGHT_SHIFT })),
  }));
  const gpx = fromGpx(cityFile('city-van.gpx')).value.tracks.map(({ name, fixes }) => ({
    name: name ?? '',
    fixes,
  }));
  return [...day, ...night, ...gpx].map(({ name, fixes }) => ({ name, fixes: played(fixes) }));
}

/** A fix every few seconds on the way, and some while the vehicle stands, until the day ends. The faults of the files are left out. */
function played(fixes: readonly Fix[]): Fix[] {
  const { time, lon, lat, speedKph } = readTrack(fixes);
  const at = (i: number): Fix => ({
    time: time[i]! - DAY_START,
    lon: lon[i]!,
    lat: lat[i]!,
    speedKph: speedKph === null || Number.isNaN(speedKph[i]!) ? 0 : speedKph[i]!,
  });
  const all: Fix[] = [];
  for (let i = 0; i < time.length; i++) {
    const from = at(i);
    all.push(from);
    if (i + 1 === time.length) break;
    const to = at(i + 1);
    const span = to.time - from.time;
    if (span > JOINED_MS) continue;
    for (let part = DRIVES_MS; part < span; part += DRIVES_MS) {
      const share = part / span;
      all.push({
        time: from.time + part,
        lon: from.lon + share * (to.lon - from.lon),
        lat: from.lat + share * (to.lat - from.lat),
        speedKph: from.speedKph! + share * (to.speedKph! - from.speedKph!),
      });
    }
  }
  const last = all.at(-1)!;
  for (let then = last.time + STANDS_MS; then < DAY_LENGTH; then += STANDS_MS)
    all.push({ ...last, time: then, speedKph: 0 });
  return withIgnition(all);
}

/** The ignition is on from the first to the last fix of a drive, and during short stops. */
function withIgnition(fixes: readonly Fix[]): Fix[] {
  const drives = fixes.filter(({ speedKph }) => speedKph! > 0).map(({ time }) => time);
  let next = 0;
  return fixes.map((fix) => {
    while (next < drives.length && drives[next]! < fix.time) next++;
    const [before = Number.NEGATIVE_INFINITY, after = Number.POSITIVE_INFINITY] = [
      drives[next - 1],
      drives[next],
    ];
    return { ...fix, ignition: fix.speedKph! > 0 || after - before <= SHORT_STOP_MS };
  });
}
