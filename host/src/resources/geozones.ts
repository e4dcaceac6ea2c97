/** Geozones: read, write, list, map, corridor, export. */

import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type Geozone, notFound, requestError, WayzoneError } from 'wayzone';
import { type FilterQuery, selectForExport } from 'wayzone/listing';
import {
  type ExportRequest,
  ExportRequestSchema,
  FilterQuerySchema,
  filterAnswerSchema,
  GeozoneInputSchema,
  GeozoneSchema,
  LineToPolygonAnswerSchema,
  type LineToPolygonRequest,
  LineToPolygonRequestSchema,
  MapFeatureCollectionSchema,
} from 'wayzone/schemas';
import { checkCompanies } from '../auth/checkCompanies.js';
import type { Context } from '../context.js';
import { sendKnown } from '../http/addTags.js';
import type { ExportFormat } from '../jobs/jobTypes.js';
import { declare } from '../operation.js';
import { WITH_ID } from '../schemaParts.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { liveRow, write } from '../storage/rows.js';
import { readTexts, readZonesOf } from '../storage/rowTexts.js';
import { headsGiven } from '../zones/headsGiven.js';
import { holdersOf, sharedWith, shareZone } from '../zones/shareZone.js';
import { authorOf, declareRead, declareWrites, type Kind, languageOf, listTag, reached } from './crud.js';
import { declareZoneHours } from './declareZoneHours.js';
import { liveGroups } from './geozoneGroups.js';
import { importZones } from './importZones.js';
import { sendJson, sendTexts } from './sendTexts.js';

const TAG = 'geozones';
const POSITION = {
  type: 'object',
  required: ['position'],
  properties: { position: { type: 'string', description: '`lon,lat` in degrees' } },
} as const;

export function geozonesResource(app: FastifyInstance, context: Context): void {
  const { zones, storage } = context;
  const kind: Kind = {
    table: 'geozones',
    url: '/geozones',
    tag: TAG,
    inputSchema: GeozoneInputSchema,
    schema: GeozoneSchema,
    complete: 'geozone',
    async others(access, row, id) {
      const wanted = sharedWith(row, access.companyId);
      const listed = (row as Partial<Geozone>).companies ?? [];
      const holders = id === null ? [] : await ownHolders(access.companyId, id);
      const added = wanted.filter((companyId) => !holders.includes(companyId));
      const fieldOf = (i: number): string =>
        `companies[${listed.findIndex((company) => company.id === added[i])}].id`;
      await checkCompanies(context, access, added, fieldOf);
      return [...new Set([...wanted, ...holders])];
    },
    within: shareZone,
  };

  /** The companies that have a copy of the caller's zone. Throws 403 for a zone that another company shares. */
  async function ownHolders(companyId: string, id: string): Promise<string[]> {
    const found = await storage.db
      .selectFrom('geozones')
      .select('owner_id')
      .where('id', '=', id)
      .where('company_id', '=', companyId)
      .executeTakeFirst();
    if (found !== undefined && found.owner_id !== null)
      throw requestError(403, 'expected a geozone of the caller’s company, received a shared one', 'id');
    return holdersOf(storage, companyId, id);
  }

  declareRead(app, context, kind);
  declareWrites(app, context, kind);
  declareZoneHours(app, context);

  declare(app, {
    method: 'DELETE',
    url: '/admin/geozones/:id',
    summary: 'Marks a geozone of any company as deleted',
    tags: [TAG],
    params: WITH_ID,
    answer: GeozoneSchema,
    async handler({ access, params }, reply) {
      const { id } = params;
      const owner = await storage.db
        .selectFrom('geozones')
        .select('company_id')
        .where('id', '=', id)
        .where('owner_id', 'is', null)
        .where('is_delete', '=', false)
        .executeTakeFirst();
      if (owner === undefined) throw notFound('geozone', id);
      const { company_id: companyId } = owner;
      const [text, versions] = await write(
        storage,
        companyId,
        async (writer) => {
          const { row } = await liveRow(writer.trx, 'geozones', companyId, id);
          const deleted = { ...row, is_delete: true };
          const written = await writer.update('geozones', deleted);
          await shareZone(writer, deleted);
          return [written, writer.versions] as const;
        },
        { author: authorOf(access, context.now()), others: await holdersOf(storage, companyId, id) },
      );
      await reached(zones, versions);
      return sendJson(reply, text);
    },
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/filter',
    summary: 'A page of the geozones that match',
    tags: [TAG],
    body: FilterQuerySchema,
    answer: filterAnswerSchema(GeozoneSchema),
    async handler(request, reply) {
      const { companyId } = request.access;
      const input = {
        query: (request.body ?? {}) as FilterQuery,
        language: languageOf(request),
        timeZone: await timeZoneOf(storage, companyId),
      };
      const held = await zones.nowOf(companyId);
      const [heads, version] = [headsGiven(held), held.version];
      const { max, ids } = JSON.parse(await context.compute.run(companyId, 'zoneList', input, heads)) as {
        readonly max: number;
        readonly ids: readonly string[];
      };
      const texts = readZonesOf(storage.db, companyId, ids, version);
      return sendTexts(reply, `{"max":${max},"list":[`, texts, ']}');
    },
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/line_to_polygon',
    summary: 'The corridor of a line as one ring',
    tags: [TAG],
    body: LineToPolygonRequestSchema,
    answer: LineToPolygonAnswerSchema,
    async handler({ access, body }, reply) {
      const text = await context.compute.run(access.companyId, 'lineToPolygon', body as LineToPolygonRequest);
      return sendJson(reply, text);
    },
  });

  declare(app, {
    method: 'GET',
    url: '/positions/:position/geozones',
    summary: 'The geozones that contain a position, `lon,lat`',
    tags: [TAG],
    params: POSITION,
    answer: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
    async handler({ access, params }) {
      const { index } = await zones.zonesOf(access.companyId);
      return index.at(readPosition(params.position)).map((id) => ({ id }));
    },
  });

  declareExports(app, context);
  importZones(app, context);
}

/** The map and files of zones, written in processes. */
function declareExports(app: FastifyInstance, context: Context): void {
  const { zones, storage } = context;

  declare(app, {
    method: 'GET',
    url: '/geozones/map',
    turn: 'long',
    summary: 'The geozones that are shown on the map, as GeoJSON',
    tags: [TAG],
    answer: MapFeatureCollectionSchema,
    async handler(request, reply) {
      const { companyId } = request.access;
      if (sendKnown(request, reply, await listTag(storage.db, companyId))) return reply;
      return sendJson(
        reply,
        exported(companyId, readTexts(storage.db, 'geozones', companyId, 'live'), 'map'),
      );
    },
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/export_kml',
    turn: 'long',
    summary: 'Geozones as a file: kml (default), kmz, geojson, gpx or csv',
    tags: [TAG],
    body: ExportRequestSchema,
    querystring: {
      type: 'object',
      properties: { format: { type: 'string', enum: FORMAT_NAMES, default: 'kml' } },
    },
    answer: { type: 'string' },
    produces: Object.values(FORMATS),
    async handler({ access, body, query }, reply) {
      const { format = 'kml' } = query;
      const { companyId } = access;
      const groups = await liveGroups(context, companyId);
      const request = (body ?? {}) as ExportRequest;
      // No request can name a zone with an empty id: such a zone is selected only if all zones are selected.
      const isAll = selectForExport([{ id: '' }], groups, request).length > 0;
      const selected = async (): Promise<AsyncGenerator<string>> => {
        const held = await zones.nowOf(companyId);
        const [heads, version] = [headsGiven(held), held.version];
        const ids = await context.compute.run(companyId, 'zoneSelection', { groups, request }, heads);
        return readZonesOf(storage.db, companyId, JSON.parse(ids) as string[], version);
      };
      const texts = isAll ? readTexts(storage.db, 'geozones', companyId, 'live') : await selected();
      reply.header('content-disposition', `attachment; filename="geozones.${format}"`);
      return reply.type(FORMATS[format]).send(exported(companyId, texts, format));
    },
  });

  /** The answer as a stream. A failure after the first byte can only cut it short. */
  function exported(companyId: string, texts: AsyncIterable<string>, format: ExportFormat): Readable {
    return Readable.from(zones.jobs.run(companyId, 'export', { format }, texts), { objectMode: false });
  }
}

/** Reads `lon,lat`. Rejects empty parts, which `Number` reads as 0. */
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

/** The export formats and their media types. */
const FORMAT_NAMES = ['kml', 'kmz', 'geojson', 'gpx', 'csv'] as const;
const FORMATS = {
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
  geojson: 'application/geo+json',
  gpx: 'application/gpx+xml',
  csv: 'text/csv',
} as const satisfies Record<(typeof FORMAT_NAMES)[number], string>;
