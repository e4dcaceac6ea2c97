/**
 * A process for the computations of requests. A computation loads the modules that it alone needs: loading all of them would take most of the
 * time of a process's start.
 */

import { type Fix, type Geozone, lineToPolygon, type Route, ZoneIndex } from 'wayzone';
import type { Trip } from 'wayzone/schemas';
import type { ReadTrack, UnitStay } from 'wayzone/tracks';
import { grouped } from '../grouped.js';
import type { ComputeInput, ComputeName, ComputeOptions, StoredZone } from '../jobs/jobTypes.js';
import { type Pipe, processEnded } from '../jobs/pipe.js';
import { serveJobs } from '../jobs/serveJobs.js';
import type { StreamEvent } from '../stream/streamEvent.js';
import { applyRow } from '../zones/zoneHeads.js';

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

/** Rows and index of a computation. */
interface Given {
  /** As in `ComputeOptions`. */
  readonly readAt: number;
  readonly pages: ReadonlyMap<string, readonly string[]>;
  /** An index, or heads. */
  readonly buffer: Uint8Array | null;
}

type Table = { readonly [Name in ComputeName]: (input: ComputeInput[Name], given: Given) => unknown };

const COMPUTATIONS: Table = {
  async complete({ kind, body }) {
    const { completeRow } = await import('./completeRow.js');
    const { polygon_geometry: corridor, ...row } = completeRow(kind, body) as Partial<Geozone>;
    return corridor === undefined ? row : new Texts(row, corridor);
  },
  async changes({ row, run }) {
    const { checkChanges, checkedChanges } = await import('./completeRow.js');
    const trip = JSON.parse(row) as object;
    if (run !== null) return checkedChanges(trip, run.date, run.timeZone);
    checkChanges(trip);
    return null;
  },
  async filter({ kind, query, language, timeZone }, given) {
    const [{ filterRoutes, filterTrips }, { entryFiller }] = await Promise.all([
      import('wayzone/listing'),
      import('wayzone/schemas'),
    ]);
    const rows = rowsOf<never>(given, 'rows');
    const { max, list } = (kind === 'routes' ? filterRoutes : filterTrips)(rows, query, {
      language,
      timeZone,
    });
    return { max, list: list.map(entryFiller(kind === 'routes' ? 'route' : 'trip', { language })) };
  },
  async zoneList(input, { buffer, pages }) {
    const { listedZones, zonePage } = await import('./listedZones.js');
    return zonePage(listedZones(buffer!, pages.get('changes')!), input);
  },
  async zoneSelection(input, { buffer, pages }) {
    const { listedZones, selectedZones } = await import('./listedZones.js');
    return selectedZones(listedZones(buffer!, pages.get('changes')!), input);
  },
  lineToPolygon: (body) => lineToPolygon(body as Parameters<typeof lineToPolygon>[0]),
  async report({ trip, date, timeZone, now }, given) {
    const [{ rowChanges }, { evaluateTrip }] = await Promise.all([
      import('wayzone/operator'),
      import('wayzone/trips'),
    ]);
    const tracks: Record<string, ReadTrack> = {};
    for (const unitId of given.pages.keys()) tracks[unitId] = await trackOf(given, unitId);
    const changes = rowChanges(trip as Trip, date);
    return evaluateTrip(trip as Trip, date, { tracks }, { timeZone, now, changes });
  },
  async track({ gradation }, given) {
    const { gradeTrack } = await import('wayzone/tracks');
    const track = await trackOf(given);
    return {
      points: Array.from(track.time, (time, i) => ({ time, lon: track.lon[i], lat: track.lat[i] })),
      runs: gradation === null ? [] : gradeTrack(track, gradation),
      rejected: track.rejected,
    };
  },
  async visits(_, given) {
    const { findVisits } = await import('wayzone/tracks');
    return findVisits(await trackOf(given), indexOf(given));
  },
  async ledger({ body, timeZone }, given) {
    const { trackBodyOf, ledgerOf } = await import('./bodyJobs.js');
    return ledgerOf(trackBodyOf(body, 'ledger'), indexOf(given), timeZone, given.readAt);
  },
  async speeding({ body, limits, thresholds }, given) {
    const { trackBodyOf, speedingOfBody } = await import('./bodyJobs.js');
    return speedingOfBody(
      trackBodyOf(body, 'speeding'),
      limits,
      thresholds,
      () => indexOf(given),
      given.readAt,
    );
  },
  async tile({ tile, options }, given) {
    const { zoneTile } = await import('wayzone/tiles');
    return Buffer.from(zoneTile(indexOf(given), tile, options)).toString('base64');
  },
  async match({ body, route }, given) {
    const { trackBodyOf, matchOf } = await import('./bodyJobs.js');
    return matchOf(trackBodyOf(body, 'match'), route as Route, given.readAt);
  },
  async zoneVisits({ most }, given) {
    const { describeEvents } = await import('wayzone/operator');
    type Row = readonly [seq: number, ordinal: number, event: StreamEvent & { readonly unitId: string }];
    const rows = rowsOf<Row>(given, 'events').sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const events = rows.map(([, , event]) => event);
    const visits = [...grouped(events, ({ unitId }) => unitId)].flatMap(([unitId, own]) =>
      describeEvents('visits', own).map(({ enter, exit }) => ({ unitId, enter, exit })),
    );
    return visits.sort((a, b) => b.enter - a.enter || (a.unitId < b.unitId ? -1 : 1)).slice(0, most);
  },
  async suggest({ given: options, timeZone }, given) {
    const { findStays, suggestZones } = await import('wayzone/tracks');
    const {
      min_stay_seconds: minSeconds,
      link_meters: linkMeters,
      min_visits: minVisits,
      min_days: minDays,
    } = options;
    const names = [...given.pages.keys()].filter((name) => name.startsWith('unit '));
    const stays: UnitStay[] = [];
    for (const unitId of names)
      for (const { from, to, centre } of findStays(await trackOf(given, unitId), { minSeconds }))
        stays.push({ unitId, from, to, centre });
    return suggestZones(stays, { linkMeters, minVisits, minDays, timeZone, known: indexOf(given) });
  },
  async movement({ settings }, given) {
    const { detectTrips } = await import('wayzone/tracks');
    return detectTrips(await trackOf(given), settings);
  },
};

function indexOf(given: Given): ZoneIndex<Geozone> {
  const index = ZoneIndex.fromBuffer<Geozone>(given.buffer!, { verify: false });
  for (const row of rowsOf<StoredZone>(given, 'changes')) applyRow(index, row);
  return index;
}

function rowsOf<Row>({ pages }: Given, name: string): Row[] {
  return pages.get(name)!.flatMap((page) => JSON.parse(`[${page}]`) as Row[]);
}

type FixRow = readonly [time: number, lon: number, lat: number, accuracy: number | null, more: object | null];

function fixesOf(given: Given, name: string = 'fixes'): Fix[] {
  return rowsOf<FixRow>(given, name).map(([time, lon, lat, accuracy, more]) => ({
    time,
    lon,
    lat,
    ...(accuracy === null ? {} : { accuracyMeters: accuracy }),
    ...more,
  }));
}

async function trackOf(given: Given, name?: string): Promise<ReadTrack> {
  const { readTrack } = await import('wayzone/tracks');
  return readTrack(fixesOf(given, name), { readAt: given.readAt });
}

/** Buffers of earlier computations by number. */
const kept = new Map<number, Uint8Array>();

serveJobs(async ({ name, options }, pipe) => {
  const { input, pages, buffer, readAt } = options as ComputeOptions;
  const given = { ...(await received(pipe, pages, buffer)), readAt };
  const compute = COMPUTATIONS[name as ComputeName] as (own: unknown, beside: Given) => unknown;
  const result = await compute(input, given);
  return result instanceof Texts ? String(result) : JSON.stringify(result);
});

async function received(
  pipe: Pipe,
  names: readonly string[],
  buffer: ComputeOptions['buffer'],
): Promise<Omit<Given, 'readAt'>> {
  for (const number of buffer?.dropped ?? []) kept.delete(number);
  const chunks = pipe.chunks();
  if (buffer !== null && !buffer.isKept) {
    const bytes = new Uint8Array(buffer.bytes);
    for (let at = 0; at < bytes.length; ) {
      const { value } = await chunks.next();
      bytes.set(value as Uint8Array, at);
      at += (value as Uint8Array).length;
    }
    kept.set(buffer.number, bytes);
  }
  const found = buffer === null ? null : kept.get(buffer.number);
  if (found === undefined) throw processEnded('a process without the buffer');
  const pages = new Map<string, readonly string[]>();
  for (const name of names) {
    const list: string[] = [];
    for (;;) {
      const { value } = await chunks.next();
      if (value === '') break;
      list.push(value as string);
    }
    pages.set(name, list);
  }
  return { pages, buffer: found };
}
