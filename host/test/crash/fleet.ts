/** A generated fleet that sends on time, late, twice, out of order, and six hours at once. Times are epoch milliseconds. */

import type { Fix } from 'wayzone';
import type { UnitFix } from '../../src/live/fixes.js';

export interface Sending {
  /** Time of sending in milliseconds after the start. */
  readonly at: number;
  readonly one: UnitFix;
}

export interface FleetOptions {
  readonly random: () => number;
  readonly unitIds: readonly string[];
  /** Epoch milliseconds. */
  readonly start: number;
  readonly durationMs: number;
  readonly everyMs: number;
  readonly latenessMs: number;
}

/** Metres per degree of longitude at the latitude of the zones. */
const METERS_PER_DEGREE = 111_320 * Math.cos((56 * Math.PI) / 180);
const HOUR_MS = 3_600_000;
/** Zones lie along a parallel. */
export const ZONES = 40;
const SPACING_METERS = 300;
export const LAT = 56;
export const LON = 44;

export function zoneAt(i: number, width: number = 60): object {
  return {
    name: `Zone ${i}`,
    type: { key: 'circle' },
    geometry: [[LON + (i * SPACING_METERS) / METERS_PER_DEGREE, LAT]],
    width,
  };
}

/** The zones with ids, as rows of the table. */
export function idZones(): object[] {
  return Array.from({ length: ZONES }, (_, i) => ({ id: `z${i}`, ...zoneAt(i) }));
}

/** Units of every second kind drive this long, then rest as long as their kind defines. */
const DRIVE_SECONDS = 40;
const REST_SECONDS = [0, 12, 35, 12, 35] as const;

/** The trip-detector settings of a unit: the defaults, or settings with which rests of half a minute are parkings. */
export function settingsOf(unit: number): object {
  return unit % 4 === 3
    ? {}
    : { tripdetector_minparktime: 20, tripdetector_mintriptime: '10', tripdetector_gpscorrect: unit % 2 };
}

/** A unit that drives to and fro along the zones at its own speed, with rests. */
function wayOf(unit: number, time: number): { readonly place: [number, number]; readonly isMoving: boolean } {
  const rest = REST_SECONDS[unit % REST_SECONDS.length]!;
  const seconds = time / 1000 + unit * 7;
  const round = Math.floor(seconds / (DRIVE_SECONDS + rest));
  const within = seconds - round * (DRIVE_SECONDS + rest);
  const driven = round * DRIVE_SECONDS + Math.min(within, DRIVE_SECONDS);
  const length = ZONES * SPACING_METERS;
  const way = (unit * 733 + driven * speedOf(unit)) % (2 * length);
  const meters = way < length ? way : 2 * length - way;
  return {
    place: [LON + meters / METERS_PER_DEGREE, LAT + (unit % 5) * 0.0001],
    isMoving: within < DRIVE_SECONDS,
  };
}

function speedOf(unit: number): number {
  return 10 + (unit % 17);
}

export function fixAt(unit: number, time: number): Fix {
  const { place, isMoving } = wayOf(unit, time);
  return {
    time: Math.round(time),
    lon: place[0],
    lat: place[1],
    // Some trackers send no speed.
    ...(unit % 6 === 1 ? {} : { speedKph: isMoving ? speedOf(unit) * 3.6 : 0 }),
    ...(unit % 3 === 0 ? { accuracyMeters: 5 } : {}),
  };
}

/** A trip of a unit along its future positions, some of them planned at the wrong time. */
export function tripOf(unit: number, unitId: string, start: number, deviationMinutes: number = 1): object {
  const date = new Date(start).toISOString().slice(0, 10);
  const points = [8, 30, 55, 95].map((seconds, i) => {
    const time = start + seconds * 1000;
    // Every third unit is planned some minutes later.
    const planned = new Date(time + (unit % 3) * 120_000);
    return {
      name: `Point ${i}`,
      type: { key: 'circle' },
      geometry: [wayOf(unit, time).place],
      width: 80,
      arrival: {
        time: planned.toISOString().slice(11, 16),
        after_days: planned.toISOString().slice(0, 10) === date ? 0 : 1,
        deviation_minutes: deviationMinutes,
      },
    };
  });
  return {
    name: `Trip of ${unitId}`,
    unit: { id: unitId },
    activation_type: {
      key: ['time_of_first_point', 'entrance_to_first_point', 'leaving_first_point'][unit % 3],
    },
    passage_order_type: { key: unit % 2 === 0 ? 'strict' : 'arbitrary' },
    dates: [date],
    points,
  };
}

/** The messages in the order of sending. */
export function sendings({
  random,
  unitIds,
  start,
  durationMs,
  everyMs,
  latenessMs,
}: FleetOptions): Sending[] {
  const all: Sending[] = [];
  unitIds.forEach((unitId, unit) => {
    const offset = random() * everyMs;
    // Every hundredth unit was out of coverage for six hours, and sends these fixes at once.
    const silent = unit % 400 === 7 ? 5000 + unit * 10 : 0;
    if (silent > 0)
      for (let time = start - 6 * HOUR_MS; time < start; time += 20_000)
        all.push({ at: silent, one: { unitId, fix: fixAt(unit, time + offset) } });
    for (let at = offset; at < durationMs; at += everyMs) {
      const one = { unitId, fix: fixAt(unit, start + at) };
      const dice = random();
      // Late within the lateness; later than it; twice, the second time less accurate.
      const delay = dice < 0.1 ? random() * latenessMs * 0.5 : dice < 0.12 ? latenessMs + random() * 6000 : 0;
      all.push({ at: Math.max(at + delay, silent), one });
      if (dice > 0.95) all.push({ at: Math.max(at + random() * 2 * latenessMs, silent), one });
      if (dice > 0.98)
        all.push({
          at: at + silent,
          one: { unitId, fix: { ...one.fix, lon: one.fix.lon + 0.0001, accuracyMeters: 40 } },
        });
    }
  });
  return all.sort((a, b) => a.at - b.at);
}
