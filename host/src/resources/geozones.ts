/** Geozones: read, write, list, map, corridor, export. */

import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import {
  completeGeozone,
  type Geozone,
  type GeozoneGroup,
  lineToPolygon,
  notFound,
  WayzoneError,
} from 'wayzone';
import {
  type GpxContent,
  toFeatureCollection,
  toKmz,
  writeFeatureCollection,
  writeGpx,
  writeKml,
  writeZoneCsv,
} from 'wayzone/interchange';
import { type FilterQuery, filterGeozones, selectForExport } from 'wayzone/listing';
import {
  ExportRequestSchema,
  FilterQuerySchema,
  filterAnswerSchema,
  GeozoneInputSchema,
  GeozoneSchema,
  LineToPolygonAnswerSchema,
  LineToPolygonRequestSchema,
  MapFeatureCollectionSchema,
  validateGeozone,
} from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { readRow, readRows, type StoredRow, write } from '../storage/rows.js';
import { declareRead, declareWrites, type Kind, languageOf } from './crud.js';
import { importZones } from './importZones.js';

type Zone = Geozone & { readonly id: string };

const TAG = 'geozones';
const POSITION = { type: 'object', required: ['position'], properties: { position: { type: 'string' } } };

export function geozonesResource(app: FastifyInstance, context: Context): void {
  const { zones, storage } = context;
  const kind: Kind = {
    table: 'geozones',
    url: '/geozones',
    tag: TAG,
    notFound: 'geozone',
    inputSchema: GeozoneInputSchema,
    schema: GeozoneSchema,
    readRole: 'VIEWER',
    writeRole: 'MANAGER',
    complete: (body, stored) =>
      completeGeozone(validateGeozone(body), { stored: stored as unknown as Geozone | null }),
  };

  declareRead(app, kind, async ({ companyId }, ids) =>
    ids === undefined || ids.includes(',')
      ? [...(await zones.zonesOf(companyId)).rows.values()].map((row): StoredRow => ({ row, version: 0 }))
      : oneOf(await readRow(storage.db, 'geozones', companyId, ids.trim())),
  );
  declareWrites(app, context, kind);

  declare(app, {
    method: 'DELETE',
    url: '/admin/geozones/:id',
    summary: 'Marks a geozone of any company as deleted',
    tags: [TAG],
    minRole: 'SUPER_ADMIN',
    params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    answer: GeozoneSchema,
    async handler({ params }) {
      const id = params['id']!;
      const owner = await storage.db
        .selectFrom('geozones')
        .select('company_id')
        .where('id', '=', id)
        .where('is_delete', '=', false)
        .executeTakeFirst();
      if (owner === undefined) throw notFound('geozone', id);
      const companyId = owner.company_id;
      const [row, version] = await write(storage, companyId, async (writer) => {
        const stored = await readRow(writer.trx, 'geozones', companyId, id);
        if (stored === null || stored.row.is_delete === true) throw notFound('geozone', id);
        const deleted = { ...stored.row, is_delete: true };
        await writer.update('geozones', deleted);
        return [deleted, writer.version] as const;
      });
      await zones.reach(companyId, version);
      return row;
    },
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/filter',
    summary: 'A page of the geozones that match',
    tags: [TAG],
    minRole: 'VIEWER',
    body: FilterQuerySchema,
    answer: filterAnswerSchema(GeozoneSchema),
    async handler(request) {
      const { rows } = await zones.zonesOf(request.access.companyId);
      return filterGeozones([...rows.values()], request.body as FilterQuery, {
        language: languageOf(request),
      });
    },
  });

  declare(app, {
    method: 'GET',
    url: '/geozones/map',
    summary: 'The geozones that are shown on the map, as GeoJSON',
    tags: [TAG],
    minRole: 'VIEWER',
    answer: MapFeatureCollectionSchema,
    handler: async ({ access }) => toFeatureCollection((await zones.zonesOf(access.companyId)).rows.values()),
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/line_to_polygon',
    summary: 'The corridor of a line as one ring',
    tags: [TAG],
    minRole: 'VIEWER',
    body: LineToPolygonRequestSchema,
    answer: LineToPolygonAnswerSchema,
    handler: ({ body }) => lineToPolygon(body as Parameters<typeof lineToPolygon>[0]),
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/export_kml',
    summary: 'Geozones as a file: kml (default), kmz, geojson, gpx or csv',
    tags: [TAG],
    minRole: 'VIEWER',
    body: ExportRequestSchema,
    querystring: { type: 'object', properties: { format: { type: 'string', enum: Object.keys(FORMATS) } } },
    answer: { type: 'string' },
    produces: Object.values(FORMATS).map(({ type }) => type),
    async handler({ access, body, query }, reply) {
      const format = formatOf(query['format'] ?? (body as { format?: unknown } | null)?.format);
      const { rows } = await zones.zonesOf(access.companyId);
      const groups = (await readRows(storage.db, 'geozone_groups', access.companyId))
        .map(({ row }) => row as unknown as GeozoneGroup & { is_delete?: boolean })
        .filter((group) => group.is_delete !== true);
      const selected = selectForExport([...rows.values()], groups, (body ?? {}) as object);
      reply.header('content-disposition', `attachment; filename="geozones.${format}"`);
      reply.type(FORMATS[format].type);
      const stream = new PassThrough({ highWaterMark: 1 << 18 });
      // A failure after the first byte can only cut the answer short.
      FORMATS[format].write(selected, stream).then(
        () => stream.end(),
        (error: unknown) => stream.destroy(error as Error),
      );
      return reply.send(stream);
    },
  });

  declare(app, {
    method: 'GET',
    url: '/positions/:position/geozones',
    summary: 'The geozones that contain a position, `lon,lat`',
    tags: [TAG],
    minRole: 'VIEWER',
    params: POSITION,
    answer: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
    async handler({ access, params }) {
      const { index } = await zones.zonesOf(access.companyId);
      return index.at(readPosition(params['position']!)).map((id) => ({ id }));
    },
  });

  importZones(app, context);
}

function oneOf(stored: StoredRow | null): StoredRow[] {
  return stored === null ? [] : [stored];
}

/** `lon,lat`; `Number` alone takes an empty text for 0. */
function readPosition(text: string): [number, number] {
  const parts = text.split(',');
  const [lon = Number.NaN, lat = Number.NaN] = parts.map((part) =>
    part.trim() === '' ? Number.NaN : Number(part),
  );
  if (parts.length !== 2 || !Number.isFinite(lon) || !Number.isFinite(lat))
    throw new WayzoneError(
      'coord-type',
      'position',
      `expected lon,lat in degrees, received ${text.slice(0, 60)}`,
    );
  return [lon, lat];
}

type Sink = (chunk: string | Uint8Array) => Promise<void>;

/** Waits where the reader is slower, and gives other requests their turn. */
function sinkOf(stream: PassThrough): Sink {
  return (chunk) =>
    new Promise((resolve, reject) => {
      if (stream.destroyed) return reject(new Error('the reader has gone'));
      if (stream.write(chunk)) return setImmediate(resolve);
      stream.once('drain', resolve);
      stream.once('close', () => reject(new Error('the reader has gone')));
    });
}

interface Format {
  readonly type: string;
  write(zones: readonly Zone[], stream: PassThrough): Promise<void>;
}

const FORMATS = {
  kml: {
    type: 'application/vnd.google-earth.kml+xml',
    write: (zones, stream) => writeKml(zones, sinkOf(stream)),
  },
  kmz: {
    type: 'application/vnd.google-earth.kmz',
    write: async (zones, stream) => sinkOf(stream)(toKmz(zones)),
  },
  geojson: {
    type: 'application/geo+json',
    write: (zones, stream) => writeFeatureCollection(zones, sinkOf(stream), { all: true }),
  },
  gpx: {
    type: 'application/gpx+xml',
    write: (zones, stream) =>
      writeGpx(
        { zones: zones.filter(({ type }) => type.key === 'point' || type.key === 'circle') } as GpxContent,
        sinkOf(stream),
      ),
  },
  csv: { type: 'text/csv', write: (zones, stream) => writeZoneCsv(zones, sinkOf(stream)) },
} as const satisfies Record<string, Format>;

function formatOf(name: unknown): keyof typeof FORMATS {
  if (name === undefined) return 'kml';
  if (typeof name === 'string' && Object.hasOwn(FORMATS, name)) return name as keyof typeof FORMATS;
  throw new WayzoneError(
    'option-value',
    'format',
    `expected one of ${Object.keys(FORMATS).join(', ')}, received another`,
  );
}
