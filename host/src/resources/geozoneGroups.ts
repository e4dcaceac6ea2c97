/** Groups of geozones and custom geozone types. */

import type { FastifyInstance } from 'fastify';
import type { GeozoneGroup } from 'wayzone';
import { listGroups } from 'wayzone/listing';
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
import { declareRead, declareWrites, storedRows } from './crud.js';

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
    async handler({ access, body }) {
      const groups = (await readRows(storage.db, 'geozone_groups', access.companyId))
        .map(({ row }) => row)
        .filter(({ is_delete: isDeleted }) => isDeleted !== true) as unknown as GeozoneGroup[];
      const { rows } = await zones.zonesOf(access.companyId);
      return listGroups(groups, [...rows.values()], (body ?? {}) as GroupListQuery);
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
  declareRead(app, types, storedRows(context, types.table));
  declareWrites(app, context, types);
}
