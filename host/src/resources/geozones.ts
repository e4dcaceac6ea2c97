/** Geozones: read, write, list, map, corridor, export. */

import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type Geozone, notFound, requestError, WayzoneError } from 'wayzone';
import { type FilterQuery, filterGeozones } from 'wayzone/listing';
import {
  type ExportRequest,
  ExportRequestSchema,
  FilterQuerySchema,
  filterAnswerSchema,
  LineToPolygonAnswerSchema,
  type LineToPolygonRequest,
  LineToPolygonRequestSchema,
  MapFeatureCollectionSchema,
} from 'wayzone/schemas';
import { checkCompanies } from '../auth/inSwitchedCompany.js';
import type { Context } from '../context.js';
import { sendKnown } from '../http/addTags.js';
import type { JobOptions } from '../jobs/jobTypes.js';
import type { Chunk } from '../jobs/pipe.js';
import { declare } from '../operation.js';
import { WITH_ID } from '../schemaParts.js';
import { throwUnknown } from '../storage/checkIds.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { liveRow, write } from '../storage/rows.js';
import { readTexts, readZonesOf } from '../storage/rowTexts.js';
import { holdersOf, leaveZone, sharedWith, shareZone, sharingCompanyOf } from '../zones/shareZone.js';
import { givenHeads } from '../zones/zoneHeads.js';
import { authorOf, declareRead, declareWrites, type Kind, languageOf, listTag, reached } from './crud.js';
import { declareZoneHours } from './declareZoneHours.js';
import { liveGroups } from './geozoneGroups.js';
import { GEOZONE, GEOZONE_INPUT } from './geozoneInput.js';
import { importZones } from './importZones.js';
import { checkTag, IF_MATCH, sendJson, sendTag, sendTexts } from './sendTexts.js';
import { suggestedZones } from './suggestedZones.js';
import { idsOf } from './times.js';

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
    inputSchema: GEOZONE_INPUT,
    schema: GEOZONE,
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
    async leave(request, reply) {
      const { access, params } = request;
      const { id } = params;
      const { companyId } = access;
      const owner = await sharingCompanyOf(storage, companyId, id);
      if (owner === null) return null;
      const [text, versions] = await write(
        storage,
        owner,
        async (writer) => {
          checkTag(request, (await liveRow(writer.trx, 'geozones', companyId, id)).version);
          return [await leaveZone(writer, companyId, id, languageOf(request)), writer.versions] as const;
        },
        { author: authorOf(access, context.now()), others: await holdersOf(storage, owner, id) },
      );
      await reached(zones, versions);
      sendTag(reply, versions.get(companyId)!);
      return sendJson(reply, text);
    },
  };

  /** The companies that have a copy of the caller's zone. Throws 403 for a zone that another company shares. */
  async function ownHolders(companyId: string, id: string): Promise<string[]> {
    if ((await sharingCompanyOf(storage, companyId, id)) !== null)
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
    headers: IF_MATCH,
    answer: GEOZONE,
    async handler(request, reply) {
      const { access, params } = request;
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
          const { row, version } = await liveRow(writer.trx, 'geozones', companyId, id);
          checkTag(request, version);
          const deleted = { ...row, is_delete: true };
          const written = await writer.update('geozones', deleted, { language: languageOf(request) });
          await shareZone(writer, deleted);
          return [written, writer.versions] as const;
        },
        { author: authorOf(access, context.now()), others: await holdersOf(storage, companyId, id) },
      );
      await reached(zones, versions);
      sendTag(reply, versions.get(companyId)!);
      return sendJson(reply, text);
    },
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/filter',
    summary: 'A page of the geozones that match',
    tags: [TAG],
    body: FilterQuerySchema,
    explain: (body) => filterGeozones([], body as FilterQuery),
    answer: filterAnswerSchema(GEOZONE),
    async handler(request, reply) {
      const { companyId } = request.access;
      const input = {
        query: (request.body ?? {}) as FilterQuery,
        language: languageOf(request),
        timeZone: await timeZoneOf(storage, companyId),
      };
      const held = await zones.headsOf(companyId);
      const [heads, version] = [givenHeads(held), held.version];
      const { max, ids } = JSON.parse(await context.compute.run(companyId, 'zoneList', input, heads)) as {
        readonly max: number;
        readonly ids: readonly string[];
      };
      const texts = readZonesOf(storage.db, companyId, ids, version, input.language);
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
  suggestedZones(app, context);
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
      const language = languageOf(request);
      if (sendKnown(request, reply, await listTag(storage.db, companyId, language))) return reply;
      const texts = readTexts(storage.db, 'geozones', companyId, 'shown', null);
      const pieces = written(companyId, { format: 'map', language }, texts);
      return sendJson(reply, Readable.from(pieces, { objectMode: false }));
    },
  });

  declare(app, {
    method: 'POST',
    url: '/geozones/export_kml',
    turn: 'long',
    summary: 'Geozones as a file: kml (default), kmz, geojson, gpx or csv',
    tags: [TAG],
    body: ExportRequestSchema,
    explain: namedIds,
    querystring: {
      type: 'object',
      properties: { format: { type: 'string', enum: FORMAT_NAMES, default: 'kml' } },
    },
    answer: { type: 'string' },
    produces: Object.values(FORMATS),
    async handler(request, reply) {
      const { format = 'kml' } = request.query;
      const { companyId } = request.access;
      const named = namedIds(request.body);
      const groups = await liveGroups(context, companyId);
      const known = new Set(groups.map(({ id }) => id));
      throwUnknown(
        'geozone_group',
        named.geozones_groups.filter(({ id }) => !known.has(id)),
      );
      const selected = async (): Promise<AsyncGenerator<string>> => {
        const wanted = {
          geozones: named.geozones.map(({ id }) => id),
          geozones_groups: named.geozones_groups.map(({ id }) => id),
        };
        const held = await zones.headsOf(companyId);
        const [heads, version] = [givenHeads(held), held.version];
        const text = await context.compute.run(
          companyId,
          'zoneSelection',
          { groups, request: wanted },
          heads,
        );
        const { ids, unknown } = JSON.parse(text) as { readonly ids: string[]; readonly unknown: string[] };
        throwUnknown(
          'geozone',
          named.geozones.filter(({ id }) => unknown.includes(id)),
        );
        return readZonesOf(storage.db, companyId, ids, version, null);
      };
      const isAll = named.geozones.length + named.geozones_groups.length === 0;
      const texts = isAll ? readTexts(storage.db, 'geozones', companyId, 'live', null) : await selected();
      const pieces = written(companyId, { format, language: languageOf(request) }, texts);
      if (format === 'gpx') reply.header('x-left-out', String((await pieces.next()).value));
      reply.header('content-disposition', `attachment; filename="geozones.${format}"`);
      return reply.type(FORMATS[format]).send(Readable.from(pieces, { objectMode: false }));
    },
  });

  /** The pieces of a file. Logs the zones whose shape it lacks, and a failure, which can only cut the answer short. */
  async function* written(
    companyId: string,
    options: JobOptions['export'],
    texts: AsyncIterable<string>,
  ): AsyncGenerator<Chunk> {
    const about = { company: companyId, format: options.format };
    try {
      const unwritten = yield* zones.jobs.run(companyId, 'export', options, texts);
      if (unwritten.length > 0)
        context.log.warn({ ...about, unwritten }, 'a file lacks the shapes of geozones');
    } catch (error) {
      context.log.error({ ...about, err: error }, 'a file of geozones was not written');
      throw error;
    }
  }
}

/** An id of a request, and where it is. */
type Named = Readonly<Record<'id' | 'field', string>>;

/** The ids of an export request. Each list may be a text with commas, and its items ids or objects with one. Throws `id-type`. */
function namedIds(body: unknown): Readonly<Record<keyof ExportRequest, readonly Named[]>> {
  if (body !== null && body !== undefined && (typeof body !== 'object' || Array.isArray(body)))
    throw new WayzoneError('option-type', '', 'expected a body that is an object, received another value');
  const listOf = (name: keyof ExportRequest): readonly Named[] => {
    const value = (body as Readonly<Record<string, unknown>> | null | undefined)?.[name] ?? [];
    const list: unknown = typeof value === 'string' ? idsOf(value) : value;
    if (!Array.isArray(list))
      throw new WayzoneError(
        'id-type',
        name,
        'expected a list of ids or of objects with an id, received another value',
      );
    return list.map((item: unknown, i) => {
      const isText = typeof item === 'string';
      const field = isText ? `${name}[${i}]` : `${name}[${i}].id`;
      const { id } = isText ? { id: item } : (Object(item) as { readonly id?: unknown });
      if (typeof id !== 'string')
        throw new WayzoneError('id-type', field, 'expected an id as a text, received another value');
      return { id, field };
    });
  };
  return { geozones: listOf('geozones'), geozones_groups: listOf('geozones_groups') };
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
