/** A thread for the computations of requests: one at a time, because the process ends the thread when a computation takes too long. */

import { parentPort } from 'node:worker_threads';
import { type Fix, type Geozone, lineToPolygon, type Route, ZoneIndex } from 'wayzone';
import { filterRoutes, filterTrips } from 'wayzone/listing';
import { rowChanges } from 'wayzone/operator';
import type { Trip } from 'wayzone/schemas';
import { zoneTile } from 'wayzone/tiles';
import { detectTrips, findVisits, gradeTrack, readTrack } from 'wayzone/tracks';
import { evaluateTrip } from 'wayzone/trips';
import { applyRow } from '../zones/applyRow.js';
import { bodyOf, ledgerOf, matchOf, speedingOf } from './bodyJobs.js';
import { checkChanges, checkedChanges } from './checkedChanges.js';
import { completeRow } from './completeRow.js';
import type { CompanyIndex, ComputeInput, ComputeName, FixPages } from './computeTypes.js';
import { lowerPriority } from './lowerPriority.js';
import type { ZoneRow } from './rowTexts.js';
import { sentError } from './sentError.js';

lowerPriority();

/** Values whose JSON texts are an answer, a line each. */
class Texts {
  readonly #values: readonly unknown[];

  constructor(...values: readonly unknown[]) {
    this.#values = values;
  }

  toString(): string {
    return this.#values.map((value) => JSON.stringify(value)).join('\n');
  }
}

type Table = { readonly [Name in ComputeName]: (input: ComputeInput[Name]) => unknown };

const COMPUTATIONS: Table = {
  complete({ kind, body, stored }) {
    const before = stored === null ? null : (JSON.parse(stored) as object);
    const { polygon_geometry: corridor, ...row } = completeRow(kind, body, before) as Partial<Geozone>;
    return corridor === undefined ? row : new Texts(row, corridor);
  },
  changes({ row, run }) {
    const trip = JSON.parse(row) as object;
    if (run !== null) return checkedChanges(trip, run.date, run.timeZone);
    checkChanges(trip);
    return null;
  },
  filter({ kind, rows, query, language, timeZone }) {
    const list = rowsOf<never>(rows);
    return (kind === 'routes' ? filterRoutes : filterTrips)(list, query, { language, timeZone });
  },
  lineToPolygon: (body) => lineToPolygon(body as Parameters<typeof lineToPolygon>[0]),
  report({ trip, date, timeZone, now, fixes }) {
    const tracks = Object.fromEntries(
      Object.entries(fixes).map(([unitId, pages]) => [unitId, readTrack(fixesOf(pages))]),
    );
    const changes = rowChanges(trip as Trip, date);
    return evaluateTrip(trip as Trip, date, { tracks }, { timeZone, now, changes });
  },
  track({ fixes, gradation }) {
    const track = readTrack(fixesOf(fixes));
    return {
      points: Array.from(track.time, (time, i) => ({ time, lon: track.lon[i], lat: track.lat[i] })),
      runs: gradation === null ? [] : gradeTrack(track, gradation),
      rejected: track.rejected,
    };
  },
  visits: ({ fixes, ...zones }) => findVisits(readTrack(fixesOf(fixes)), indexOf(zones)),
  ledger: ({ body, timeZone, ...zones }) => ledgerOf(bodyOf(body), indexOf(zones), timeZone),
  speeding: ({ body, limits, thresholds, ...zones }) =>
    speedingOf(bodyOf(body), limits, thresholds, () => indexOf(zones)),
  tile: ({ tile, options, ...zones }) =>
    Buffer.from(zoneTile(indexOf(zones), tile, options)).toString('base64'),
  match: ({ body, route }) => matchOf(bodyOf(body), route as Route),
  movement: ({ fixes, settings }) => detectTrips(readTrack(fixesOf(fixes)), settings),
};

function indexOf({ index: buffer, changes }: CompanyIndex): ZoneIndex<Geozone> {
  const index = ZoneIndex.fromBuffer<Geozone>(buffer, { verify: false });
  for (const row of rowsOf<ZoneRow>(changes)) applyRow(index, row);
  return index;
}

function rowsOf<Row>(pages: readonly string[]): Row[] {
  return pages.flatMap((page) => JSON.parse(`[${page}]`) as Row[]);
}

type FixRow = readonly [time: number, lon: number, lat: number, accuracy: number | null, more: object | null];

function fixesOf(pages: FixPages): Fix[] {
  return rowsOf<FixRow>(pages).map(([time, lon, lat, accuracy, more]) => ({
    time,
    lon,
    lat,
    ...(accuracy === null ? {} : { accuracyMeters: accuracy }),
    ...more,
  }));
}

parentPort!.on('message', ({ name, input }: { readonly name: ComputeName; readonly input: unknown }) => {
  try {
    const compute = COMPUTATIONS[name] as (given: unknown) => unknown;
    const result = compute(input);
    parentPort!.postMessage({ text: result instanceof Texts ? String(result) : JSON.stringify(result) });
  } catch (error) {
    parentPort!.postMessage({ error: sentError(error) });
  }
});
