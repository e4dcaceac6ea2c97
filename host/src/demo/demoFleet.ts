/**
 * Drives the example city's vehicles: its day again and again on today's clock, by the operations that devices and dispatchers call. A start
 * begins within the day, so that the page shows what happened before. A day goes on over a restart.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Fix } from 'wayzone';
import { formatPlatformTime } from 'wayzone/schemas';
import { every } from '../every.js';
import {
  type CityUnit,
  cityDay,
  cityFile,
  DAY_LENGTH,
  DAY_START,
  NIGHT_SHIFT,
  TIME_ZONE,
} from './cityDay.js';

/** Where in the day the first start begins: the vehicles are on their way. */
const FIRST_START = 3.28 * 3_600_000;
const TICK_MS = 2000;
/** Fixes of one request. */
const MOST_FIXES = 2000;
const MINUTE_MS = 60_000;

/** State from which a restart continues. Times are epoch milliseconds. */
interface Played {
  readonly companyId: string;
  /** The beginning of the first day. */
  readonly start: number;
  /** Number of days whose trips are stored. */
  days: number;
  /** All fixes up to this time are stored. */
  upTo: number;
}

export interface DemoOptions {
  readonly app: FastifyInstance;
  /** A token of the example's company. */
  readonly token: string;
  readonly companyId: string;
  /** Where a restart finds how far the day was played. */
  readonly folder: string;
  readonly now: () => number;
}

/** Plays what is due, now and every two seconds, until it is closed. A failed attempt is repeated. */
export function demoFleet(options: DemoOptions): { readonly close: () => void } {
  let player: Promise<() => Promise<void>> | null = null;
  const timer = every(TICK_MS, async () => {
    player ??= demoPlayer(options).catch((error: unknown) => {
      player = null;
      throw error;
    });
    await (await player)();
  });
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Returns the function that plays what is due now. */
export async function demoPlayer({
  app,
  token,
  companyId,
  folder,
  now,
}: DemoOptions): Promise<() => Promise<void>> {
  const ask = async (method: 'GET' | 'POST', url: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.inject({
      method,
      url: `/api_v1${url}`,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    if (answer.statusCode !== 200)
      throw new Error(`expected 200 of ${method} ${url}, received ${answer.statusCode}: ${answer.body}`);
    return answer.json();
  };
  const units = (await ask('GET', '/units')) as readonly { readonly id: string; readonly name: string }[];
  const idOf = new Map(units.map(({ id, name }) => [name, id]));
  // A vehicle that was deleted or renamed drives no more.
  const fleet = cityDay().filter(({ name }) => idOf.has(name));
  const file = join(folder, 'demo.json');
  const played = readPlayed(file, companyId) ?? {
    companyId,
    start: Math.floor((now() - FIRST_START) / MINUTE_MS) * MINUTE_MS,
    days: 0,
    upTo: 0,
  };

  return async () => {
    const until = now();
    // A host that was stopped for long goes on with the day of now.
    const first = Math.max(played.days, Math.floor((until - played.start) / DAY_LENGTH));
    for (let day = first; played.start + day * DAY_LENGTH <= until; day++) {
      for (const trip of tripsOf(played.start + day * DAY_LENGTH)) {
        const id = idOf.get(trip.unit.id);
        if (id !== undefined) await ask('POST', '/trips', { ...trip, unit: { id } });
      }
      played.days = day + 1;
      keep();
    }
    const from = Math.max(played.upTo, played.start + (played.days - 1) * DAY_LENGTH - 1);
    const due = fixesBetween(fleet, played.start, from, until).map(([name, fix]) => ({
      unit_id: idOf.get(name),
      ...fix,
    }));
    if (due.length === 0) return;
    for (let i = 0; i < due.length; i += MOST_FIXES)
      await ask('POST', '/positions', due.slice(i, i + MOST_FIXES));
    played.upTo = until;
    keep();
  };

  function keep(): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(played));
  }
}

function readPlayed(file: string, companyId: string): Played | null {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Played;
    return read.companyId === companyId ? read : null;
  } catch {
    return null;
  }
}

/** The fixes after `from` up to `to`, in time order. `start`: the beginning of the first day. All are epoch milliseconds. */
export function fixesBetween(
  fleet: readonly CityUnit[],
  start: number,
  from: number,
  to: number,
): (readonly [name: string, fix: Fix])[] {
  const found: (readonly [string, Fix])[] = [];
  for (let day = Math.floor((from - start) / DAY_LENGTH); start + day * DAY_LENGTH <= to; day++)
    for (const { name, fixes } of fleet)
      for (const fix of fixes) {
        const time = start + day * DAY_LENGTH + fix.time;
        if (time > from && time <= to) found.push([name, { ...fix, time }]);
      }
  return found.sort(([, a], [, b]) => a.time - b.time);
}

interface PlannedTime {
  readonly time: string;
  readonly after_days?: number;
  readonly deviation_minutes?: number;
}

interface CityTrip {
  readonly name: string;
  readonly unit: { readonly id: string };
  readonly dates: readonly [string];
  readonly points: readonly { readonly arrival?: PlannedTime; readonly departure?: PlannedTime }[];
}

/** The trips of a day that begins at `start`, epoch milliseconds. Their units are still names. */
export function tripsOf(start: number): CityTrip[] {
  const trips = JSON.parse(new TextDecoder().decode(cityFile('city-trips.json'))) as CityTrip[];
  return trips.map((trip) => {
    const shift = start - DAY_START + (trip.unit.id.startsWith('night') ? NIGHT_SHIFT : 0);
    // The city's clock is three hours ahead of UTC in all seasons.
    const moved = ({ time, after_days: days = 0 }: PlannedTime): readonly [date: string, time: string] => {
      const then = Date.parse(`${trip.dates[0]}T${time}:00+03:00`) + days * 86_400_000 + shift;
      const local = formatPlatformTime(then, { timeZone: TIME_ZONE });
      return [local.slice(0, 10), local.slice(11, 16)];
    };
    const all = trip.points
      .flatMap(({ arrival, departure }) => [arrival, departure])
      .flatMap((one) => one ?? []);
    const date = all.map((one) => moved(one)[0]).sort()[0]!;
    const planned = (one: PlannedTime): PlannedTime => {
      const [on, time] = moved(one);
      return { ...one, time, after_days: (Date.parse(on) - Date.parse(date)) / 86_400_000 };
    };
    return {
      ...trip,
      dates: [date],
      points: trip.points.map((point) => ({
        ...point,
        ...(point.arrival === undefined ? {} : { arrival: planned(point.arrival) }),
        ...(point.departure === undefined ? {} : { departure: planned(point.departure) }),
      })),
    };
  });
}
