/** Operations that all kinds of resources share: read by ids, list, create, update, delete. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type NotFoundKind, notFound } from 'wayzone';
import { type FilterQuery, type filterRoutes, selectByIds } from 'wayzone/listing';
import { FilterQuerySchema, filterAnswerSchema, formatPlatformTime } from 'wayzone/schemas';
import type { MinRole } from '../auth/roles.js';
import type { Context } from '../context.js';
import { type AuthorisedRequest, declare } from '../operation.js';
import { readRow, readRows, readRowsById, type WireRow, write } from '../storage/rows.js';
import { readTexts } from '../storage/rowTexts.js';
import type { ResourceName } from '../storage/tables.js';
import { checkTag, sendTag } from './etag.js';
import { sendTexts } from './sendTexts.js';

export interface Kind {
  readonly table: ResourceName;
  /** The address, for example `/routes`. */
  readonly url: string;
  readonly tag: string;
  readonly notFound: NotFoundKind;
  readonly inputSchema: object;
  readonly schema: Parameters<typeof filterAnswerSchema>[0];
  readonly readRole: MinRole;
  readonly writeRole: MinRole;
  /** Returns the row to store, and throws the errors of an invalid body. `stored` is the row that it replaces. */
  complete(body: unknown, stored: WireRow | null): object;
}

const ID = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const IDS = { type: 'object', properties: { ids: { type: 'string' } } };

/** `GET {url}?ids=`: one object for one id and a list for several, deleted ones included; without ids, all live ones. */
export function declareRead(app: FastifyInstance, { storage: { db } }: Context, kind: Kind): void {
  declare(app, {
    method: 'GET',
    url: kind.url,
    summary: `${kind.tag} by their ids, or all live ones`,
    tags: [kind.tag],
    minRole: kind.readRole,
    querystring: IDS,
    answer: { anyOf: [kind.schema, { type: 'array', items: kind.schema }, { type: 'null' }] },
    async handler({ access: { companyId }, query }, reply) {
      const ids = idsOf(query['ids']);
      if (ids.length === 0) return sendTexts(reply, '[', readTexts(db, kind.table, companyId, 'live'), ']');
      const stored = await readRowsById(db, kind.table, companyId, ids);
      const selected = selectByIds(
        stored.map(({ row }) => row),
        ids,
      );
      if (selected !== null && !Array.isArray(selected))
        sendTag(reply, stored.find(({ row }) => row === selected)!.version);
      return reply.type('application/json').send(JSON.stringify(selected));
    },
  });
}

/** `POST {url}/filter`: a page of the rows that match, computed by `filter` from all rows of the company. */
export function declareList(
  app: FastifyInstance,
  context: Context,
  { table, url, tag, schema, readRole }: Kind,
  filter: typeof filterRoutes,
): void {
  declare(app, {
    method: 'POST',
    url: `${url}/filter`,
    summary: `A page of the ${tag} that match`,
    tags: [tag],
    minRole: readRole,
    body: FilterQuerySchema,
    answer: filterAnswerSchema(schema),
    async handler(request) {
      const stored = await readRows(context.storage.db, table, request.access.companyId);
      const rows = stored.map(({ row }) => row);
      return filter(rows, (request.body ?? {}) as FilterQuery, {
        language: languageOf(request),
        timeZone: await timeZoneOf(context, request.access.companyId),
      });
    },
  });
}

/** The ids of a query, separated by commas. An empty result stands for all rows. */
export function idsOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

export function declareWrites(app: FastifyInstance, context: Context, kind: Kind): void {
  const { storage, zones, now } = context;
  const { table, url, tag, inputSchema, schema, writeRole } = kind;

  declare(app, {
    method: 'POST',
    url,
    summary: `Creates one of ${tag}`,
    tags: [tag],
    minRole: writeRole,
    body: inputSchema,
    answer: schema,
    async handler({ access, body }, reply) {
      const content = kind.complete(body, null);
      const timeZone = await timeZoneOf(context, access.companyId);
      const row = {
        ...content,
        id: randomUUID(),
        created: formatPlatformTime(now(), { timeZone }),
      } as unknown as WireRow;
      const version = await write(storage, access.companyId, async (writer) => {
        await writer.insert(table, [row]);
        return writer.version;
      });
      await zones.reach(access.companyId, version);
      sendTag(reply, version);
      return row;
    },
  });

  declare(app, {
    method: 'PUT',
    url: `${url}/:id`,
    summary: `Replaces one of ${tag}`,
    tags: [tag],
    minRole: writeRole,
    params: ID,
    body: inputSchema,
    answer: schema,
    handler: (request, reply) =>
      change(request, reply, (stored) => ({
        ...kind.complete(request.body, stored),
        id: stored.id,
        ...('created' in stored ? { created: stored.created } : {}),
      })),
  });

  declare(app, {
    method: 'DELETE',
    url: `${url}/:id`,
    summary: `Marks one of ${tag} as deleted`,
    tags: [tag],
    minRole: writeRole,
    params: ID,
    answer: schema,
    handler: (request, reply) => change(request, reply, (stored) => ({ ...stored, is_delete: true })),
  });

  async function change(
    request: AuthorisedRequest,
    reply: FastifyReply,
    changed: (stored: WireRow) => object,
  ): Promise<WireRow> {
    const { access, params } = request;
    const [row, version] = await write(storage, access.companyId, async (writer) => {
      const stored = await readRow(writer.trx, table, access.companyId, params['id']!);
      if (stored === null || stored.row.is_delete === true) throw notFound(kind.notFound, params['id']!);
      checkTag(request, stored.version);
      const next = changed(stored.row) as WireRow;
      await writer.update(table, next);
      return [next, writer.version] as const;
    });
    await zones.reach(access.companyId, version);
    sendTag(reply, version);
    return row;
  }
}

export async function timeZoneOf({ storage }: Context, companyId: string): Promise<string> {
  const found = await storage.db
    .selectFrom('companies')
    .select('time_zone')
    .where('id', '=', companyId)
    .executeTakeFirst();
  return found?.time_zone ?? 'UTC';
}

/** The caller's language; `en` if the request names no language of the dictionaries. */
export function languageOf(request: AuthorisedRequest): string {
  const [first] = (request.headers['accept-language'] ?? 'en').split(/[,;-]/);
  return first?.trim().toLowerCase() === 'ru' ? 'ru' : 'en';
}
