/** `POST /company/history`: who changed what and when, of the caller's company or, for SUPERVISOR, of any. */

import type { FastifyInstance } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { formatPlatformTime, GeozoneGroupSchema, RouteSchema, TripSchema } from 'wayzone/schemas';
import { checkCompanies } from '../auth/inSwitchedCompany.js';
import type { Context } from '../context.js';
import { DAY_MS } from '../durations.js';
import { type AuthorisedRequest, declare } from '../operation.js';
import { TEXT, WITH_ID } from '../schemaParts.js';
import { HISTORY_OBJECTS } from '../storage/changeHistory.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { withLabels } from '../storage/entryColumns.js';
import { PAGE_BYTES } from '../storage/rowTexts.js';
import { PROPERTIES } from './company.js';
import { languageOf } from './crud.js';
import { GEOZONE } from './geozoneInput.js';
import { sendTexts } from './sendTexts.js';
import { timeOf } from './times.js';
import { UNIT } from './units.js';

const DEFAULT_DAYS = 7;
/** A year that contains 29 February. */
const MAX_DAYS = 366;
const MAX_ROWS = 10_000;
/** Number of rows in one query. */
const PAGE = 50;

/** Every class of the platform's history. The host has changes of some of them. */
const OBJECTS = [
  'users',
  'units',
  'company',
  'unitsgroup',
  'units_trailers',
  'geozones',
  'report_templates',
  'notifications',
  'routes',
  'trips',
  'trailers',
  'mailings',
];
const SORTS = { created: 'created', 'user.name': 'user_name', operation: 'operation' } as const;

/** The database looks for it in every entry of the period. */
const MOST_CHARACTERS = 500;
const PART = { type: 'string', maxLength: MOST_CHARACTERS };
const QUERY = {
  type: 'object',
  properties: {
    from: { ...TEXT, description: 'yyyy-MM-dd HH:mm:ss; default: 7 days ago' },
    to: { ...TEXT, description: 'yyyy-MM-dd HH:mm:ss; default: now; at most a year after `from`' },
    first_row: { type: 'integer', minimum: 0, default: 0 },
    max_rows: { type: 'integer', minimum: 0, maximum: MAX_ROWS, default: MAX_ROWS },
    object_id: PART,
    objects: {
      anyOf: [
        { type: 'string', enum: OBJECTS },
        { type: 'array', items: { type: 'string', enum: OBJECTS } },
      ],
    },
    sortField: { type: 'string', enum: Object.keys(SORTS) },
    sortDesc: { type: ['boolean', 'string'] },
    value: {
      ...PART,
      description: 'Part of the user’s name or e-mail, of the object’s id or of the message',
    },
  },
};
/** An object of any kind with a history. */
const ITS_OBJECT = {
  description:
    'The object as its own operations answer it, without a `polygon_geometry`; null if there was or is none',
  anyOf: [GEOZONE, GeozoneGroupSchema, RouteSchema, TripSchema, UNIT, PROPERTIES, { type: 'null' }],
};
const ENTRY = {
  type: 'object',
  required: ['created', 'user', 'objects', 'operation', 'object_id', 'msg', 'fields', 'before', 'after'],
  properties: {
    created: TEXT,
    user: { type: 'object', properties: { id: TEXT, name: TEXT, email: TEXT } },
    objects: TEXT,
    operation: { type: 'string', enum: ['PUT', 'DELETE', 'POST'] },
    object_id: TEXT,
    msg: TEXT,
    fields: { type: 'array', items: TEXT },
    before: ITS_OBJECT,
    after: ITS_OBJECT,
  },
};

interface HistoryQuery {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly most: number;
  readonly objectId: string | null;
  readonly objects: readonly string[] | null;
  readonly value: string | null;
  readonly sort: keyof typeof SORTS;
  readonly isDescending: boolean;
}

export function historyResource(app: FastifyInstance, context: Context): void {
  const { db } = context.storage;
  const common = {
    method: 'POST',
    turn: 'long',
    tags: ['history'],
    body: QUERY,
    explain: (body: unknown) => readQuery(body, 'UTC', 0),
    answer: {
      type: 'object',
      required: ['list', 'max_rows'],
      properties: { list: { type: 'array', items: ENTRY }, max_rows: { type: 'integer' } },
    },
  } as const;

  declare(app, {
    ...common,
    url: '/company/history',
    summary: 'The changes of the company’s objects; `max_rows` counts all that match',
    handler: (request, reply) => answer(request.access.companyId, request, reply),
  });
  declare(app, {
    ...common,
    url: '/company/:id/history',
    summary: 'The changes of any company’s objects',
    params: WITH_ID,
    async handler(request, reply) {
      const { id } = request.params;
      await checkCompanies(context, request.access, [id], () => 'id');
      return answer(id, request, reply);
    },
  });

  async function answer(
    companyId: string,
    request: Pick<AuthorisedRequest, 'body' | 'headers'>,
    reply: Parameters<typeof sendTexts>[0],
  ): Promise<unknown> {
    const timeZone = await timeZoneOf(context.storage, companyId);
    const query = readQuery(request.body, timeZone, context.now());
    const { count } = await matching(companyId, query)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return sendTexts(
      reply,
      '{"list":[',
      pages(companyId, query, timeZone, languageOf(request)),
      `],"max_rows":${count}}`,
    );
  }

  function matching(companyId: string, { from, to, objectId, objects, value }: HistoryQuery) {
    const part = `%${(value ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`;
    return db
      .selectFrom('change_history')
      .where('company_id', '=', companyId)
      .where('created', '>=', String(from))
      .where('created', '<=', String(to))
      .$if(objectId !== null, (rows) => rows.where('object_id', '=', objectId!))
      .$if(objects !== null, (rows) => rows.where('objects', 'in', [...objects!, '']))
      .$if(value !== null, (rows) =>
        rows.where((eb) =>
          eb.or(
            (['user_name', 'user_email', 'user_id', 'object_id', 'msg'] as const).map((column) =>
              eb(column, 'ilike', part),
            ),
          ),
        ),
      );
  }

  async function* pages(
    companyId: string,
    query: HistoryQuery,
    timeZone: string,
    language: string,
  ): AsyncGenerator<string> {
    const direction = query.isDescending ? 'desc' : 'asc';
    const found = await matching(companyId, query)
      .select('ordinal')
      .orderBy(SORTS[query.sort], direction)
      .orderBy('ordinal', direction)
      .offset(query.first)
      .limit(query.most)
      .execute();
    for (let from = 0; from < found.length; ) {
      const some = found.slice(from, from + PAGE).map(({ ordinal }) => String(ordinal));
      const { rows } = await entriesOf(some, language).execute(db);
      const last = rows.at(-1);
      // Entries may have been deleted meanwhile.
      from += last === undefined || Number(last.all) === rows.length ? some.length : Number(last.place);
      if (rows.length > 0) yield rows.map((row) => textOfEntry(row, timeZone)).join(',');
    }
  }
}

interface EntryRow {
  readonly created: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly user_email: string;
  readonly objects: string;
  readonly operation: string;
  readonly object_id: string;
  readonly msg: string;
  /** JSON. */
  readonly fields: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The place in the list of ordinals, from 1. */
  readonly place: string;
  /** Number of the entries that exist. */
  readonly all: string;
}

/** The entries of these ordinals in their order, up to the one that reaches the size of a page: two states of a corridor are some megabytes. */
function entriesOf(ordinals: readonly string[], language: string): RawBuilder<EntryRow> {
  const inLanguage = (state: RawBuilder<unknown>): RawBuilder<unknown> => {
    const cases = HISTORY_OBJECTS.filter((objects) => objects !== 'notifications').map(
      (table) => sql`when ${sql.lit(table)} then ${withLabels(table, language)(state)}`,
    );
    return sql`(case objects ${sql.join(cases, sql` `)} else ${state} end)::text`;
  };
  const bytes = sql`coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0)`;
  return sql<EntryRow>`
    select created, user_id, user_name, user_email, objects, operation, object_id, msg,
      fields::text as fields, ${inLanguage(sql`before`)} as before, ${inLanguage(sql`after`)} as after, place, "all"
    from (
      select *, count(*) over () as all, sum(${bytes}) over (order by place) - (${bytes}) < ${PAGE_BYTES} as fits
      from jsonb_array_elements_text(${JSON.stringify(ordinals)}::jsonb) with ordinality as wanted(entry, place)
      join change_history on ordinal = entry::bigint
    ) as sized
    where fits order by place`;
}

function textOfEntry(entry: EntryRow, timeZone: string): string {
  const { created, objects, operation, object_id, msg, fields, before, after } = entry;
  const head = {
    created: formatPlatformTime(Number(created), { timeZone }),
    user: { id: entry.user_id, name: entry.user_name, email: entry.user_email },
    objects,
    operation,
    object_id,
    msg,
  };
  return `${JSON.stringify(head).slice(0, -1)},"fields":${fields},"before":${before},"after":${after}}`;
}

function readQuery(body: unknown, timeZone: string, now: number): HistoryQuery {
  const sent = Object(body ?? {}) as Readonly<Record<string, unknown>>;
  const to = sent['to'] == null ? now : timeOf(textOf(sent, 'to'), 'to', timeZone);
  const from =
    sent['from'] == null ? to - DEFAULT_DAYS * DAY_MS : timeOf(textOf(sent, 'from'), 'from', timeZone);
  if (to < from || to - from > MAX_DAYS * DAY_MS)
    throw new WayzoneError('option-value', 'from', 'expected a period of at most one year before `to`');
  const sort = sent['sortField'] == null ? 'created' : textOf(sent, 'sortField');
  if (!Object.hasOwn(SORTS, sort))
    throw new WayzoneError(
      'option-value',
      'sortField',
      `expected one of ${Object.keys(SORTS).join(', ')}, received another`,
    );
  const descending = sent['sortDesc'] ?? sent['sortField'] == null;
  const objects = sent['objects'] == null ? null : [sent['objects']].flat();
  for (const [i, name] of (objects ?? []).entries())
    if (!OBJECTS.some((known) => known === name))
      throw new WayzoneError(
        'option-value',
        `objects[${i}]`,
        `expected one of ${OBJECTS.join(', ')}, received another`,
      );
  return {
    from,
    to,
    first: numberOf(sent, 'first_row', 0, Number.MAX_SAFE_INTEGER),
    most: numberOf(sent, 'max_rows', MAX_ROWS, MAX_ROWS),
    objectId: sent['object_id'] == null ? null : textOf(sent, 'object_id'),
    objects: objects as readonly string[] | null,
    value: sent['value'] == null || sent['value'] === '' ? null : textOf(sent, 'value'),
    sort: sort as keyof typeof SORTS,
    isDescending: descending === true || descending === 'true',
  };
}

function textOf(sent: Readonly<Record<string, unknown>>, field: string): string {
  const value = sent[field];
  if (typeof value === 'string' && value.length > MOST_CHARACTERS)
    throw new WayzoneError(
      'option-value',
      field,
      `expected a text of at most ${MOST_CHARACTERS} characters, received a longer one`,
    );
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && (field === 'from' || field === 'to')) return String(value);
  throw new WayzoneError('option-type', field, 'expected a text, received another value');
}

function numberOf(
  sent: Readonly<Record<string, unknown>>,
  field: string,
  missing: number,
  most: number,
): number {
  const value = sent[field] ?? missing;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new WayzoneError(
    'option-value',
    field,
    `expected a whole number from 0 to ${most}, received another`,
  );
}
