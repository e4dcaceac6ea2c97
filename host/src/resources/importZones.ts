/** `POST /geozones/import`: a customer's file as geozones, all or nothing, with every issue of the reading. */

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { completeGeozone, type ForeignData, type Geozone, WayzoneError } from 'wayzone';
import { fromKmz, readCsv, readGeoJson, readGpx, readKml } from 'wayzone/interchange';
import { formatPlatformTime, validateGeozone } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { type WireRow, write } from '../storage/rows.js';
import { timeZoneOf } from './crud.js';

type Chunks = AsyncIterable<Uint8Array>;

const PREPARED_AT_ONCE = 200;

const READERS: Readonly<Record<string, (chunks: Chunks) => Promise<ForeignData>>> = {
  kml: (chunks) => readKml(chunks),
  kmz: async (chunks) => fromKmz(await bytesOf(chunks)),
  geojson: (chunks) => readGeoJson(chunks),
  json: (chunks) => readGeoJson(chunks),
  gpx: (chunks) => readGpx(chunks),
  csv: (chunks) => readCsv(chunks),
};

const ISSUE = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    severity: { type: 'string' },
    field: { type: 'string' },
    message: { type: 'string' },
  },
};

interface Multipart {
  file(): Promise<
    { readonly filename: string; readonly file: Chunks & { readonly truncated: boolean } } | undefined
  >;
}

/** The multipart reader's own errors have no status: a form that ends early is the client's. */
function rethrowBroken(error: unknown): never {
  if (typeof (error as { statusCode?: unknown }).statusCode === 'number') throw error;
  throw refusal(400, 'expected a whole multipart form, received a broken one');
}

function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

async function* chunksOf(
  file: Chunks & { readonly truncated: boolean },
): Chunks & AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    rethrowBroken(error);
  }
  if (file.truncated) throw refusal(413, 'expected a smaller file, received one beyond the limit');
}

async function bytesOf(chunks: Chunks): Promise<Uint8Array> {
  const list: Uint8Array[] = [];
  for await (const chunk of chunks) list.push(chunk);
  return Buffer.concat(list);
}

export function importZones(app: FastifyInstance, context: Context): void {
  const { storage, zones, settings, now } = context;
  declare(app, {
    method: 'POST',
    url: '/geozones/import',
    summary: 'Reads a KML, KMZ, GeoJSON, GPX or CSV file as geozones; all of them are stored, or none',
    tags: ['geozones'],
    minRole: 'MANAGER',
    perMinute: settings.importsPerMinute,
    consumes: ['multipart/form-data'],
    body: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    },
    querystring: { type: 'object', properties: { dry_run: { type: 'string', enum: ['true', 'false'] } } },
    answer: {
      type: 'object',
      required: ['read', 'stored', 'issues'],
      properties: {
        read: { type: 'integer' },
        stored: { type: 'integer' },
        issues: { type: 'array', items: ISSUE },
      },
    },
    async handler(request) {
      const { access, query } = request;
      const file = await (request as unknown as Multipart).file().catch(rethrowBroken);
      if (file === undefined) throw new WayzoneError('required', 'file', 'expected a file, received none');
      const { value, issues } = await readerOf(file.filename)(chunksOf(file.file));
      const failed = issues.some(({ severity }) => severity === 'error');
      const isDry = query['dry_run'] === 'true';
      const created = formatPlatformTime(now(), { timeZone: await timeZoneOf(context, access.companyId) });
      const rows: WireRow[] = [];
      for (const [i, zone] of value.zones.entries()) {
        // Other requests get their turn.
        if (i % PREPARED_AT_ONCE === 0) await setImmediate();
        rows.push(prepared(zone, i, created));
      }
      if (!isDry && !failed && rows.length > 0) {
        const version = await write(storage, access.companyId, async (writer) => {
          await writer.insert('geozones', rows);
          return writer.version;
        });
        await zones.reach(access.companyId, version);
      }
      return { read: rows.length, stored: isDry || failed ? 0 : rows.length, issues };
    },
  });
}

function readerOf(filename: string): (chunks: Chunks) => Promise<ForeignData> {
  const ending = filename.toLowerCase().split('.').at(-1) ?? '';
  const reader = READERS[ending];
  if (reader === undefined)
    throw new WayzoneError(
      'format-unknown',
      'file',
      `expected a file named .${Object.keys(READERS).join(', .')}, received ${filename.slice(0, 60)}`,
    );
  return reader;
}

/** Imported rows get ids of their own: a file that is imported twice does not collide with itself. */
function prepared(zone: Geozone, i: number, created: string): WireRow {
  try {
    const { id: _, ...rest } = zone as Geozone & { readonly id?: string };
    return {
      ...completeGeozone(validateGeozone(rest), { onIssue: () => {} }),
      id: randomUUID(),
      created,
    } as WireRow;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const errors = error.errors.map((one) => ({ ...one, field: `zones[${i}].${one.field}` }));
    throw new WayzoneError(error.code, `zones[${i}].${error.field}`, error.message, { errors });
  }
}
