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
/** Couriers drive the ways of other vehicles round and round, without trips. Their stops have this length. */
const [COURIERS, COURIER_STOP_MS] = [12, 60_000];
/** The shift of couriers, from the beginning of the day. The first start of the demo falls into its first half hour. */
const [SHIFT_START, SHIFT_END] = [2.9 * 3_600_000, 8.9 * 3_600_000];

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
  const fleet = [...day, ...night, ...gpx].map(({ name, fixes }) => ({ name, fixes: joined(fixes) }));
  const drivers = fleet.filter(({ fixes }) => fixes.some(({ speedKph }) => speedKph! > 0));
  const couriers = Array.from({ length: COURIERS }, (_, i) => ({
    name: `courier-${i + 11}`,
    fixes: rounds(drivers[i % drivers.length]!.fixes, i / COURIERS),
  }));
  return [...fleet, ...couriers].map(({ name, fixes }) => ({ name, fixes: withIgnition(standing(fixes)) }));
}

/** A fix every few seconds on the way. The faults of the files are left out. */
function joined(fixes: readonly Fix[]): Fix[] {
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
  return all;
}

/** The fixes, and some more while the vehicle stands until the day ends. */
function standing(fixes: readonly Fix[]): Fix[] {
  const all = [...fixes];
  const last = all.at(-1)!;
  for (let then = last.time + STANDS_MS; then < DAY_LENGTH; then += STANDS_MS)
    all.push({ ...last, time: then, speedKph: 0 });
  return all;
}

/** The drives of a day that ends where it began, with short stops, again and again through the shift. `phase`: the share of a round at which it begins. */
function rounds(fixes: readonly Fix[], phase: number): Fix[] {
  const isDriven = (i: number): boolean => (fixes[i]?.speedKph ?? 0) > 0;
  const round: Fix[] = [];
  let length = 0;
  fixes.forEach((fix, i) => {
    if (!isDriven(i - 1) && !isDriven(i) && !isDriven(i + 1)) return;
    const before = round.at(-1);
    const span = before === undefined ? 0 : fix.time - fixes[i - 1]!.time;
    length +=
      before?.speedKph === 0 && fix.speedKph === 0 ? COURIER_STOP_MS : Math.min(span, COURIER_STOP_MS);
    round.push({ ...fix, time: length });
  });
  length += COURIER_STOP_MS;
  const all: Fix[] = [];
  for (let start = SHIFT_START - phase * length; start < SHIFT_END; start += length)
    for (const fix of round) {
      const time = Math.round(start + fix.time);
      if (time >= SHIFT_START && time < SHIFT_END) all.push({ ...fix, time });
    }
  return all;
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
