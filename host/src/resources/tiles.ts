/** Vector tiles of the company's geozones, which processes draw from the index in memory, and their TileJSON. */

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { requestError } from 'wayzone';
import { type TileId, tileJson } from 'wayzone/tiles';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { givenIndexOf } from './tracks.js';

const TAG = 'tiles';
const MEDIA_TYPE = 'application/vnd.mapbox-vector-tile';
const TILE_NUMBER = { type: 'integer', minimum: 0, maximum: 99_999_999 } as const;
/** With the ending that many clients send. */
const LAST_NUMBER = { type: 'string', pattern: '^\\d{1,8}(\\.mvt)?$' } as const;
const TILE = {
  type: 'object',
  required: ['z', 'x', 'y'],
  properties: { z: TILE_NUMBER, x: TILE_NUMBER, y: LAST_NUMBER },
} as const;
/** Whether a zone is on the platform's map is a property, so that a style can leave it out. */
const PROPERTIES = ['is_show_on_map'];
/** A larger tile leaves its smallest zones out. */
const OPTIONS = { properties: PROPERTIES, maxBytes: 500_000 };
const TILE_JSON = {
  type: 'object',
  required: ['tilejson', 'name', 'scheme', 'tiles', 'minzoom', 'maxzoom', 'bounds', 'vector_layers'],
  properties: {
    tilejson: { type: 'string' },
    name: { type: 'string' },
    scheme: { type: 'string' },
    tiles: { type: 'array', items: { type: 'string' } },
    minzoom: { type: 'integer' },
    maxzoom: { type: 'integer' },
    bounds: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 },
    vector_layers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'fields'],
        properties: {
          id: { type: 'string' },
          fields: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  },
};

export function tilesResource(app: FastifyInstance, context: Context): void {
  const { zones, compute } = context;
  /** In a process: a line of some hundred vertices that crosses itself everywhere takes seconds. */
  const tileOf = async (companyId: string, tile: TileId): Promise<Uint8Array> => {
    const zones = await givenIndexOf(context, companyId);
    const text = await compute.run(companyId, 'tile', { tile, options: OPTIONS }, zones);
    return Buffer.from(JSON.parse(text) as string, 'base64');
  };

  declare(app, {
    method: 'GET',
    url: '/tiles/:z/:x/:y',
    turn: 'tile',
    summary:
      'A Mapbox Vector Tile of the geozones; y may end in .mvt. With If-None-Match, 304 if it is unchanged',
    tags: [TAG],
    params: TILE,
    answer: { type: 'string', format: 'binary' },
    produces: [MEDIA_TYPE],
    async handler({ access, params, headers }, reply) {
      const tile = { z: params.z, x: params.x, y: Number.parseInt(params.y, 10) };
      const last = 2 ** tile.z - 1;
      if (tile.z > 24 || tile.x > last || tile.y > last)
        throw requestError(404, 'expected a tile of a zoom from 0 to 24, received an unknown one', 'z');
      const bytes = await tileOf(access.companyId, tile);
      // Of the bytes, not of the version: a zone that changes elsewhere leaves this tile valid.
      const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
      reply.header('etag', tag).header('cache-control', 'private, no-cache').type(MEDIA_TYPE);
      return matches(headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(Buffer.from(bytes));
    },
  });

  declare(app, {
    method: 'GET',
    url: '/tiles',
    summary: 'The TileJSON of the tiles of the geozones',
    tags: [TAG],
    answer: TILE_JSON,
    async handler({ access, protocol, host }, reply) {
      const { index } = await zones.zonesOf(access.companyId);
      reply.header('cache-control', 'private, no-cache');
      const tiles = [`${protocol}://${host}${app.prefix}/tiles/{z}/{x}/{y}.mvt`];
      return tileJson(index, { tiles, name: 'geozones', properties: PROPERTIES });
    },
  });
}

/** Whether `If-None-Match` names the tag (RFC 9110 section 13.1.2), which proxies that compress make weak. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === tag);
}
