/** Operations that all kinds of resources share: read by ids, list, create, update, delete. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { requestError } from 'wayzone';
import { type FilterQuery, filterRoutes, filterTrips } from 'wayzone/listing';
import { FilterQuerySchema, filterAnswerSchema, formatPlatformTime } from 'wayzone/schemas';
import { keyHash } from '../auth/apiKeys.js';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { sendKnown } from '../http/addTags.js';
import type { CompletedKind } from '../jobs/jobTypes.js';
import { type AuthorisedRequest, declare } from '../operation.js';
import { WITH_ID } from '../schemaParts.js';
import { type Author, canonical } from '../storage/changeHistory.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { databaseEpoch } from '../storage/databaseClock.js';
import { labelsTag } from '../storage/entryColumns.js';
import {
  liveRow,
  readVersion,
  rowJson,
  singular,
  type WireRow,
  type Writer,
  withCorridor,
  write,
} from '../storage/rows.js';
import { readText, readTexts, readTextsOf } from '../storage/rowTexts.js';
import type { ResourceName } from '../storage/tables.js';
import { completeRow, settable, settableSchema, validated } from '../work/completeRow.js';
import { checkTag, IF_MATCH, sendJson, sendTag, sendTexts } from './sendTexts.js';
import { IDS_QUERY, idsOf } from './times.js';

export interface Kind {
  readonly table: ResourceName;
  /** The address, for example `/routes`. */
  readonly url: string;
  readonly tag: string;
  readonly inputSchema: object;
  readonly schema: Parameters<typeof filterAnswerSchema>[0];
  /** How the row to store is made from a body, which may be invalid: a function, or the kind whose long bodies are completed in a process. */
  readonly complete: CompletedKind | ((body: unknown, companyId: string) => object | Promise<object>);
  /** Throws the errors of a body of a kind that is completed by a function. */
  readonly validate?: (body: unknown) => unknown;
  /** Fields that only operations of their own change: `PUT` keeps them, `POST` stores none. */
  readonly kept?: readonly string[];
  /** Checks a row that replaces another, with the fields that were kept. */
  checkKept?(companyId: string, row: object): Promise<void>;
  /** Whether rows have the field `company_id`. */
  readonly hasCompany?: true;
  /** Further companies whose rows a write changes. Throws for companies that are not the caller's. */
  others?(access: Access, row: object, id: string | null): Promise<readonly string[]>;
  /** Answers the deletion of another company's row that is shared with the caller's. Null for a row of the caller's. */
  leave?(
    request: AuthorisedRequest<{ readonly id: string }>,
    reply: FastifyReply,
  ): Promise<FastifyReply | null>;
  /** Checks and further writes in the transaction of a write. */
  within?(writer: Writer, row: WireRow, access: Access): Promise<void>;
}

/** Longest body that is completed at once, characters; it takes about 1 ms. */
const SHORT_BODY = 10_000;

/** `GET {url}?ids=`: one object for one id (404 if unknown) and a list for several, deleted ones included; without ids, all live ones. */
export function declareRead(app: FastifyInstance, { storage: { db } }: Context, kind: Kind): void {
  declare(app, {
    method: 'GET',
    url: kind.url,
    turn: 'long',
    summary: `${kind.tag} by their ids, or all live ones`,
    tags: [kind.tag],
    querystring: IDS_QUERY,
    answer: { anyOf: [kind.schema, { type: 'array', items: kind.schema }] },
    async handler(request, reply) {
      const { companyId } = request.access;
      const ids = idsOf(request.query.ids);
      const language = languageOf(request);
      if (ids.length === 0) {
        if (sendKnown(request, reply, await listTag(db, companyId, language))) return reply;
        return sendTexts(reply, '[', readTexts(db, kind.table, companyId, 'live', language), ']');
      }
      if (ids.length > 1)
        return sendTexts(reply, '[', readTextsOf(db, kind.table, companyId, ids, language), ']');
      const found = await readText(db, kind.table, companyId, ids[0]!, language);
      if (found === null) throw unknownId(singular(kind.table));
      sendTag(reply, found.version);
      return sendJson(reply, found.text);
    },
  });
}

/** The tag of a list of all rows. Read it before the rows: a list that is newer than its tag is only read once more. */
export async function listTag(
  db: Context['storage']['db'],
  companyId: string,
  language: string,
): Promise<string> {
  const [version, epoch] = await Promise.all([readVersion(db, companyId), databaseEpoch(db)]);
  // A caller may switch to another company, whose version may be the same.
  const company = keyHash(companyId).slice(0, 12);
  return `"all-${company}-${version}-${epoch}-${labelsTag(language)}"`;
}

/** `POST {url}/filter`: a page of the rows that match, computed in a process from all rows of the company. */
export function declareList(
  app: FastifyInstance,
  context: Context,
  { table, url, tag, schema }: Kind & { readonly table: 'routes' | 'trips' },
): void {
  declare(app, {
    method: 'POST',
    url: `${url}/filter`,
    summary: `A page of the ${tag} that match`,
    tags: [tag],
    body: FilterQuerySchema,
    explain: (body) => (table === 'routes' ? filterRoutes : filterTrips)([], body as FilterQuery),
    answer: filterAnswerSchema(schema),
    async handler(request, reply) {
      const { companyId } = request.access;
      const input = {
        kind: table,
        query: (request.body ?? {}) as FilterQuery,
        language: languageOf(request),
        timeZone: await timeZoneOf(context.storage, companyId),
      };
      const rows = (): AsyncIterable<string> => readTexts(context.storage.db, table, companyId, 'all', null);
      const text = await context.compute.run(companyId, 'filter', input, { pages: { rows } });
      return sendJson(reply, text);
    },
  });
}

export function declareWrites(app: FastifyInstance, context: Context, kind: Kind): void {
  const { storage, zones, now } = context;
  const { table, url, tag, inputSchema, schema, complete } = kind;
  const body = settableSchema(inputSchema, kind.kept);
  const explain = (sent: unknown): unknown => {
    const own = settable(sent, kind.kept);
    return typeof complete === 'string' ? validated(complete, own) : kind.validate?.(own);
  };

  declare(app, {
    method: 'POST',
    url,
    summary: `Creates one of ${tag}`,
    tags: [tag],
    body,
    explain,
    answer: schema,
    async handler(request, reply) {
      const { access, body } = request;
      const [content, corridor] = await completed(request, settable(body, kind.kept));
      const others = (await kind.others?.(access, content, null)) ?? [];
      const timeZone = await timeZoneOf(storage, access.companyId);
      const row = {
        ...content,
        id: randomUUID(),
        ...companyOf(access),
        created: formatPlatformTime(now(), { timeZone }),
      } as unknown as WireRow;
      const own = rowJson(row);
      const text = corridor === null ? own : withCorridor(own, corridor);
      const options = { author: authorOf(access, now()), others };
      const [stored, versions] = await write(
        storage,
        access.companyId,
        async (writer) => {
          await writer.insertTexts(table, `[${text}]`);
          await kind.within?.(writer, row, access);
          const written = await readText(writer.trx, table, access.companyId, row.id, languageOf(request));
          return [written!.text, writer.versions] as const;
        },
        options,
      );
      await reached(zones, versions);
      sendTag(reply, versions.get(access.companyId)!);
      return sendJson(reply, stored);
    },
  });

  declare(app, {
    method: 'PUT',
    url: `${url}/:id`,
    summary: `Replaces one of ${tag}`,
    tags: [tag],
    params: WITH_ID,
    headers: IF_MATCH,
    body,
    explain,
    answer: schema,
    handler: (request, reply) =>
      updateRow(context, kind, request, reply, async (stored) => {
        const [content, corridor] = await completed(request, settable(request.body, kind.kept));
        const row = {
          ...content,
          id: stored.id,
          ...companyOf(request.access),
          ...('created' in stored ? { created: stored.created } : {}),
          ...keptOf(stored),
        };
        await kind.checkKept?.(request.access.companyId, row);
        return { row, corridor };
      }),
  });

  declare(app, {
    method: 'DELETE',
    url: `${url}/:id`,
    summary: `Marks one of ${tag} as deleted`,
    tags: [tag],
    params: WITH_ID,
    headers: IF_MATCH,
    answer: schema,
    handler: async (request, reply) =>
      (await kind.leave?.(request, reply)) ??
      updateRow(context, kind, request, reply, (stored) => ({ row: { ...stored, is_delete: true } })),
  });

  /**
   * The row of a body. A process completes long bodies and lines, whose corridors take time. The corridor comes as JSON text: that of a long line
   * takes the event loop a tenth of a second to read and write.
   */
  async function completed(
    { access: { companyId }, bodyLength }: AuthorisedRequest,
    body: unknown,
  ): Promise<readonly [row: object, corridor: string | null]> {
    if (typeof complete === 'function') return [await complete(body, companyId), null];
    const { type } = Object(body) as { readonly type?: { readonly key?: unknown } | null };
    if (bodyLength <= SHORT_BODY && type?.key !== 'line') return [completeRow(complete, body), null];
    const input = { kind: complete, body };
    const [row = '', corridor = null] = (await context.compute.run(companyId, 'complete', input)).split('\n');
    return [JSON.parse(row) as object, corridor];
  }

  function companyOf({ companyId }: Access): object {
    return kind.hasCompany === true ? { company_id: companyId } : {};
  }

  function keptOf(stored: WireRow): object {
    const fields = (kind.kept ?? []).filter((name) => name in stored);
    return Object.fromEntries(fields.map((name) => [name, (stored as unknown as Fields)[name]]));
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A row that replaces another, and the corridor of `Writer.update`. */
export interface Replacement {
  readonly row: object;
  readonly corridor?: string | null;
}

/**
 * Replaces the row of the request by what `changed` makes of it, with a record in the history; 412 if the row is not the one of `If-Match`. A row that
 * stays as it is keeps its version.
 */
export async function updateRow(
  { storage, zones, now }: Context,
  kind: Kind,
  request: AuthorisedRequest<{ readonly id: string }>,
  reply: FastifyReply,
  changed: (stored: WireRow) => Replacement | Promise<Replacement>,
): Promise<FastifyReply> {
  const { table } = kind;
  const { access, params } = request;
  const { id } = params;
  const { companyId } = access;
  const language = languageOf(request);
  const before = await liveRow(storage.db, table, companyId, id);
  // Computed outside the transaction, which locks the company.
  const prepared = await changed(before.row);
  const others = (await kind.others?.(access, prepared.row, id)) ?? [];
  if (canonical(prepared.row) === canonical(before.row)) {
    const known = await readText(storage.db, table, companyId, id, language);
    if (known?.version === before.version) {
      checkTag(request, before.version);
      sendTag(reply, before.version);
      return sendJson(reply, known.text);
    }
  }
  const [text, versions] = await write(
    storage,
    companyId,
    async (writer) => {
      const stored = await liveRow(writer.trx, table, companyId, id);
      checkTag(request, stored.version);
      const next = stored.version === before.version ? prepared : await changed(stored.row);
      const row = next.row as WireRow;
      const written = await writer.update(table, row, { language, ...next });
      await kind.within?.(writer, row, access);
      return [written, writer.versions] as const;
    },
    { author: authorOf(access, now()), others },
  );
  await reached(zones, versions);
  sendTag(reply, versions.get(companyId)!);
  return sendJson(reply, text);
}

/** The author of a change at `at`, epoch milliseconds. */
export function authorOf({ userId, name, email }: Access, at: number): Author {
  return { userId, name, email, at };
}

/** Waits until the zones in memory have the new versions. */
export async function reached(zones: Context['zones'], versions: ReadonlyMap<string, number>): Promise<void> {
  for (const [companyId, version] of versions) await zones.reach(companyId, version);
}

/** 404 for a single id in `?ids=`. */
export function unknownId(kind: string): Error {
  return requestError(404, `expected a known ${kind.replaceAll('_', ' ')}, received an unknown id`, 'ids');
}

/** The language of the dictionaries that the caller prefers (RFC 9110 section 12.5.4); `en` if the request names none of them. */
export function languageOf(request: Pick<AuthorisedRequest, 'headers'>): string {
  let [best, most] = ['en', 0];
  for (const range of (request.headers['accept-language'] ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const [language = ''] = tag.split('-');
    const given = parameters.find((one) => one.startsWith('q='));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    if ((language === 'ru' || language === 'en') && weight > most) [best, most] = [language, weight];
  }
  return best;
}
