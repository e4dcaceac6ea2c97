/** Groups of geozones and custom geozone types. */

import type { FastifyInstance } from 'fastify';
import type { GeozoneGroup } from 'wayzone';
import {
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
import { checkIds } from '../storage/checkIds.js';
import { readRows } from '../storage/rows.js';
import { readTextsOf } from '../storage/rowTexts.js';
import { keepIds } from '../work/completeRow.js';
import { declareRead, declareWrites, languageOf } from './crud.js';
import { CUSTOM_GEOZONE_TYPE } from './geozoneInput.js';
import { withMeasures } from './photos.js';
import { sendJson } from './sendTexts.js';

/** Stands for the company while a body is validated. */
const ANY_COMPANY = '00000000-0000-4000-8000-000000000000';

export function geozoneGroupsResource(app: FastifyInstance, context: Context): void {
  const { storage, zones } = context;
  declareWrites(app, context, {
    table: 'geozone_groups',
    url: '/geozonesgroup',
    tag: 'geozone groups',
    inputSchema: GeozoneGroupInputSchema,
    schema: GeozoneGroupSchema,
    complete: (body) => keepIds('geozoneGroup', validateGeozoneGroup(body)),
    validate: (body) => validateGeozoneGroup(body),
    async within({ trx, companyId }, row) {
      if (row.is_delete === true) return;
      const { geozones } = row as unknown as GeozoneGroup;
      const named = geozones.map(({ id }, i) => ({ id, field: `geozones[${i}].id` }));
      await checkIds(trx, companyId, 'geozone', named);
    },
  });

  declare(app, {
    method: 'POST',
    url: '/geozonesgroup/filter',
    summary: 'The groups, each with its live geozones',
    tags: ['geozone groups'],
    body: GroupListQuerySchema,
    answer: GroupListSchema,
    async handler(request, reply) {
      const { companyId } = request.access;
      const groups = await liveGroups(context, companyId);
      const named = [...new Set(groups.flatMap(({ geozones }) => geozones.map(({ id }) => id)))];
      const query = (request.body ?? {}) as GroupListQuery;
      const texts = readTextsOf(storage.db, 'geozones', companyId, named, languageOf(request));
      // To its end: a job that is left earlier loses its process.
      const pieces: Buffer[] = [];
      for await (const piece of zones.jobs.run(companyId, 'groups', { groups, query }, texts))
        pieces.push(Buffer.from(piece as Uint8Array));
      return sendJson(reply, Buffer.concat(pieces));
    },
  });

  const validateType = (body: unknown): ReturnType<typeof validateCustomGeozoneType> =>
    validateCustomGeozoneType({ ...(body as object), company_id: ANY_COMPANY });
  const types = {
    table: 'custom_geozone_types',
    url: '/custom_geozone_types',
    tag: 'custom geozone types',
    inputSchema: CUSTOM_GEOZONE_TYPE,
    schema: CUSTOM_GEOZONE_TYPE,
    complete: (body: unknown, companyId: string) => withMeasures(storage, companyId, validateType(body)),
    validate: validateType,
    hasCompany: true,
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
