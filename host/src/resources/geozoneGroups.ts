/** Groups of geozones and custom geozone types. */

import type { FastifyInstance } from 'fastify';
import type { GeozoneGroup } from 'wayzone';
import {
  CustomGeozoneTypeSchema,
  GeozoneGroupInputSchema,
  GeozoneGroupSchema,
  type GroupListQuery,
  GroupListQuerySchema,
  GroupListSchema,
  validateCustomGeozoneType,
  validateGeozoneGroup,
} from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { readRows } from '../storage/rows.js';
import { readTextsOf } from '../storage/rowTexts.js';
import { declareRead, declareWrites } from './crud.js';

export function geozoneGroupsResource(app: FastifyInstance, context: Context): void {
  const { storage, zones } = context;
  declareWrites(app, context, {
    table: 'geozone_groups',
    url: '/geozonesgroup',
    tag: 'geozone groups',
    notFound: 'geozone_group',
    inputSchema: GeozoneGroupInputSchema,
    schema: GeozoneGroupSchema,
    readRole: 'VIEWER',
    writeRole: 'MANAGER',
    complete: (body) => validateGeozoneGroup(body),
  });

  declare(app, {
    method: 'POST',
    url: '/geozonesgroup/filter',
    summary: 'The groups, each with its live geozones',
    tags: ['geozone groups'],
    minRole: 'VIEWER',
    body: GroupListQuerySchema,
    answer: GroupListSchema,
    async handler({ access: { companyId }, body }, reply) {
      const groups = await liveGroups(context, companyId);
      const named = [...new Set(groups.flatMap(({ geozones }) => geozones.map(({ id }) => id)))];
      const query = (body ?? {}) as GroupListQuery;
      const texts = readTextsOf(storage.db, 'geozones', companyId, named);
      for await (const text of zones.jobs.run('groups', { groups, query }, texts))
        return reply.type('application/json').send(text);
    },
  });

  const types = {
    table: 'custom_geozone_types',
    url: '/custom_geozone_types',
    tag: 'custom geozone types',
    notFound: 'custom_geozone_type',
    inputSchema: CustomGeozoneTypeSchema,
    schema: CustomGeozoneTypeSchema,
    readRole: 'VIEWER',
    writeRole: 'ADMIN',
    complete: (body: unknown) => validateCustomGeozoneType(body),
  } as const;
  declareRead(app, context, types);
  declareWrites(app, context, types);
}

/** The groups of a company, without deleted ones. */
export async function liveGroups({ storage }: Context, companyId: string): Promise<GeozoneGroup[]> {
  const stored = await readRows(storage.db, 'geozone_groups', companyId);
  return stored
    .map(({ row }) => row)
    .filter(({ is_delete: isDeleted }) => isDeleted !== true) as unknown as GeozoneGroup[];
}
