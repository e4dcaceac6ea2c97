/** Vector tiles of the caller's geozones. */

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { zoneTile } from 'wayzone/tiles';
import type { Context } from '../context.js';
import { declare } from '../operation.js';

export function tilesResource(app: FastifyInstance, { zones }: Context): void {
  declare(app, {
    method: 'GET',
    url: '/geozones/tiles/:z/:x/:y',
    summary: 'A vector tile of the geozones',
    tags: ['geozones'],
    answer: { type: 'string' },
    produces: ['application/vnd.mapbox-vector-tile'],
    async handler({ access: { companyId }, params, headers }, reply) {
      const { index } = await zones.zonesOf(companyId);
      const [z, x, y] = ['z', 'x', 'y'].map((name) => Number(params[name]));
      const bytes = zoneTile(index, { z: z!, x: x!, y: y! });
      const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'authorization' });
      if (headers['if-none-match'] === tag) return reply.code(304).send();
      return reply.type('application/vnd.mapbox-vector-tile').send(Buffer.from(bytes));
    },
  });
}
