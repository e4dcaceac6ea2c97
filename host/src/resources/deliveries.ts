/** Event sinks: where a company's events are sent, what waits or failed there, and replays. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Transaction } from 'kysely';
import type { XStatic } from 'typebox/schema';
import { requestError, WayzoneError } from 'wayzone';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { type AddressGuard, addressGuard } from '../delivery/addressGuard.js';
import { brokersOf, hostsOf } from '../delivery/kafkaSender.js';
import { SINK_KINDS, type SinkKind, type SinkTarget } from '../delivery/sink.js';
import { SECRET_PREFIX } from '../delivery/webhookSender.js';
import { cursorFrom, lastCursor, readCursor, writeCursor } from '../live/cursor.js';
import { EVENT_TYPES } from '../live/eventSchema.js';
import { declare, declareChecked } from '../operation.js';
import { COUNT, TEXT, TIME, WITH_ID } from '../schemaParts.js';
import { recordChange } from '../storage/changeHistory.js';
import type { Tables } from '../storage/tables.js';
import { checkRoom } from './checkRoom.js';
import { authorOf } from './crud.js';
import { notificationRules } from './notificationRules.js';

const TAG = 'deliveries';
/** Bytes of a signing key; the specification asks for 24 to 64. */
const KEY_BYTES = 32;
const MOST_SINKS = 100;
const MOST_ROWS = 1000;

const SHORT_TEXT = { type: 'string', minLength: 1, maxLength: 500 } as const;
const TYPES = {
  anyOf: [{ type: 'array', items: SHORT_TEXT, maxItems: 100 }, { type: 'null' }],
  description: 'Types of events that are sent; null: all; an empty list: only notifications',
} as const;
const URL_TEXT = {
  ...SHORT_TEXT,
  description:
    '`https:` or `http:` of a webhook; `mqtts:` or `mqtt:`; `kafkas:` or `kafka://host:port,host:port`',
} as const;
const INPUT = {
  type: 'object',
  required: ['name', 'kind', 'target'],
  properties: {
    name: SHORT_TEXT,
    kind: { type: 'string', enum: SINK_KINDS },
    target: {
      type: 'object',
      required: ['url'],
      properties: {
        url: URL_TEXT,
        topic: {
          ...SHORT_TEXT,
          description: 'Topic of Kafka, or first levels of those of MQTT; default: wayzone',
        },
        username: SHORT_TEXT,
        password: { ...SHORT_TEXT, description: 'Never answered; `PUT` without it keeps it' },
      },
      additionalProperties: false,
    },
    types: {
      ...TYPES,
      anyOf: [
        { type: 'array', items: { type: 'string', enum: EVENT_TYPES }, maxItems: 100 },
        { type: 'null' },
      ],
    },
    is_enabled: { type: 'boolean', description: 'Default true' },
  },
} as const;
const SINK = {
  type: 'object',
  required: ['id', 'name', 'kind', 'target', 'types', 'is_enabled', 'cursor', 'waiting', 'dead'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    kind: { type: 'string', enum: SINK_KINDS },
    target: {
      type: 'object',
      required: ['url'],
      properties: { url: { type: 'string' }, topic: { type: 'string' }, username: { type: 'string' } },
    },
    types: TYPES,
    is_enabled: { type: 'boolean' },
    cursor: { type: 'string', description: 'Events up to it were taken for delivery' },
    waiting: COUNT,
    dead: COUNT,
    secret: { type: 'string', description: 'The key of signatures, in the answer to POST only' },
  },
} as const;
const LETTER = {
  type: 'object',
  required: ['event_id', 'unit_id', 'attempts', 'error', 'created', 'payload'],
  properties: {
    event_id: { type: 'string' },
    unit_id: { type: 'string' },
    attempts: COUNT,
    error: { type: 'string' },
    created: TIME,
    payload: {
      type: 'object',
      description: 'What is sent: an event of `GET /events` with its id, or the notification of a rule',
      required: ['id'],
      properties: {
        id: TEXT,
        type: TEXT,
        unitId: TEXT,
        time: TIME,
        rule: { type: 'object', properties: { id: TEXT, name: TEXT, type: TEXT } },
      },
    },
  },
} as const;

type SinkWire = XStatic<typeof SINK>;
type Input = XStatic<typeof INPUT>;
type Database = Context['storage']['db'];

export function deliveriesResource(app: FastifyInstance, context: Context): void {
  const { storage, settings, now } = context;
  const { db } = storage;
  const guard = addressGuard(settings.deliveryNetworks);

  /** Records a change of a sink, without its password. */
  const record = (
    trx: Transaction<Tables>,
    access: Access,
    [id, before, { name, kind, is_enabled: isEnabled = true, types = null, target }]: readonly [
      id: string,
      before: SinkWire | null,
      after: Pick<Input, 'name' | 'kind' | 'is_enabled' | 'types'> & { readonly target: SinkTarget },
    ],
    isDeletion: boolean = false,
  ): Promise<void> => {
    const { password: _, ...open } = target;
    // Counts of deliveries are not part of the fields that users change.
    const { waiting: _waiting, dead: _dead, cursor: _cursor, ...own } = before ?? ({} as Partial<SinkWire>);
    return recordChange(trx, access.companyId, authorOf(access, now()), {
      objects: 'notifications',
      objectId: id,
      before: before === null ? null : own,
      after: { id, name, kind, is_enabled: isEnabled, types, target: open },
      isDeletion,
    });
  };

  declare(app, {
    method: 'GET',
    url: '/event_sinks',
    summary: 'The sinks of the company, with the number of events that wait or failed',
    tags: [TAG],
    answer: { type: 'array', items: SINK },
    handler: ({ access }) => storedSinks(db, access.companyId),
  });

  declareChecked(app, {
    method: 'POST',
    url: '/event_sinks',
    summary: 'Sends the company’s events to a webhook or a broker, from now on',
    description:
      'Each event is sent until the receiver takes it, at most 16 times within about a day; it then becomes a dead letter. Events of one unit arrive in their order. A receiver leaves out what it has by the event’s `id`. Webhooks are signed as standardwebhooks.com says.',
    tags: [TAG],
    body: INPUT,
    answer: SINK,
    async handler({ access, body }) {
      const { companyId } = access;
      await checkTarget(guard, body);
      const id = randomUUID();
      const secret = `${SECRET_PREFIX}${randomBytes(KEY_BYTES).toString('base64')}`;
      await db.transaction().execute(async (trx) => {
        await checkRoom(trx, companyId, 'event_sinks', MOST_SINKS, 'sinks');
        await trx
          .insertInto('event_sinks')
          .values({
            id,
            company_id: companyId,
            secret,
            cursor: writeCursor((await lastCursor({ db: trx }, companyId)).number),
            created: now(),
            ...columnsOf(body),
          })
          .execute();
        await record(trx, access, [id, null, body]);
      });
      return { ...(await storedSink(db, companyId, id)), secret };
    },
  });

  declareChecked(app, {
    method: 'PUT',
    url: '/event_sinks/:id',
    summary: 'Replaces a sink; its events go on where they were',
    tags: [TAG],
    params: WITH_ID,
    body: INPUT,
    answer: SINK,
    async handler({ access, params, body }) {
      const { id } = params;
      const before = await storedSink(db, access.companyId, id);
      await checkTarget(guard, body);
      await db.transaction().execute(async (trx) => {
        const stored = await trx
          .selectFrom('event_sinks')
          .select('target')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirstOrThrow();
        const { password } = stored.target as unknown as SinkTarget;
        const kept = { ...body, target: { ...(password === undefined ? {} : { password }), ...body.target } };
        await trx.updateTable('event_sinks').set(columnsOf(kept)).where('id', '=', id).execute();
        await record(trx, access, [id, before, body]);
      });
      return storedSink(db, access.companyId, id);
    },
  });

  declare(app, {
    method: 'DELETE',
    url: '/event_sinks/:id',
    summary: 'Deletes a sink with all that waits for it',
    tags: [TAG],
    params: WITH_ID,
    answer: SINK,
    async handler({ access, params }) {
      const sink = await storedSink(db, access.companyId, params.id);
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('event_sinks').where('id', '=', sink.id).execute();
        await record(trx, access, [sink.id, sink, sink], true);
      });
      return sink;
    },
  });

  declareChecked(app, {
    method: 'POST',
    url: '/event_sinks/:id/replay',
    summary: 'Sends the events after a cursor again, with the same ids',
    description: '`0` is before the first event that is kept. Notifications of rules are not sent again.',
    tags: [TAG],
    params: WITH_ID,
    body: { type: 'object', required: ['cursor'], properties: { cursor: { type: 'string', minLength: 1 } } },
    answer: SINK,
    async handler({ access, params, body }) {
      const { id } = await storedSink(db, access.companyId, params.id);
      const { number } = await cursorFrom({ db }, access.companyId, readCursor(body.cursor));
      const cursor = writeCursor(number);
      await db.updateTable('event_sinks').set({ cursor }).where('id', '=', id).execute();
      return storedSink(db, access.companyId, id);
    },
  });

  declareDeadLetters(app, context);
  notificationRules(app, context);
}

/** Declares the operations on deliveries that sinks refused. */
function declareDeadLetters(app: FastifyInstance, { storage: { db }, now }: Context): void {
  declare(app, {
    method: 'GET',
    url: '/event_sinks/:id/dead_letters',
    summary: `Events that the sink did not take, the oldest first; at most ${MOST_ROWS}`,
    tags: [TAG],
    params: WITH_ID,
    answer: { type: 'array', items: LETTER },
    async handler({ access, params }) {
      const { id } = await storedSink(db, access.companyId, params.id);
      const rows = await db
        .selectFrom('deliveries')
        .select(['event_id', 'unit_id', 'attempts', 'error', 'created', 'payload'])
        .where('sink_id', '=', id)
        .where('is_dead', '=', true)
        .orderBy('ordinal')
        .limit(MOST_ROWS)
        .execute();
      return rows.map((row) => ({ ...row, error: row.error ?? '', created: Number(row.created) }));
    },
  });

  declare(app, {
    method: 'POST',
    url: '/event_sinks/:id/dead_letters/retry',
    summary: 'Sends all dead letters of a sink again',
    tags: [TAG],
    params: WITH_ID,
    answer: { type: 'object', required: ['count'], properties: { count: COUNT } },
    async handler({ access, params }) {
      const { id } = await storedSink(db, access.companyId, params.id);
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set({ is_dead: false, attempts: 0, due: now() })
        .where('sink_id', '=', id)
        .where('is_dead', '=', true)
        .executeTakeFirst();
      return { count: Number(numUpdatedRows) };
    },
  });
}

function columnsOf({ name, kind, target, types = null, is_enabled: isEnabled = true }: Input): {
  name: string;
  kind: string;
  target: string;
  types: string | null;
  is_enabled: boolean;
} {
  return {
    name,
    kind,
    target: JSON.stringify(target),
    types: types === null ? null : JSON.stringify(types),
    is_enabled: isEnabled,
  };
}

/** Protocols of the addresses of each kind. */
const PROTOCOLS: Readonly<Record<SinkKind, readonly string[]>> = {
  webhook: ['https:', 'http:'],
  mqtt: ['mqtts:', 'mqtt:'],
  kafka: ['kafkas:', 'kafka:'],
};

/** Whether the address is reachable shows when it is used. Delivery checks it again, because names may change. */
async function checkTarget(guard: AddressGuard, { kind, target: { url, topic = '' } }: Input): Promise<void> {
  const hosts = hostsIn(kind, url);
  if (hosts === null)
    throw new WayzoneError(
      'option-value',
      'target.url',
      `expected an address of ${PROTOCOLS[kind].join(' or ')}, without a user, received ${url.slice(0, 60)}`,
    );
  const isTopic = kind === 'kafka' ? /^[\w.-]{0,249}$/.test(topic) : !/[+#\0]/.test(topic);
  if (!isTopic)
    throw new WayzoneError(
      'option-value',
      'target.topic',
      `expected the name of a topic, received ${topic.slice(0, 60)}`,
    );
  await guard.check(hosts);
}

/** The names or addresses of hosts in the address of a sink; null for another text. */
function hostsIn(kind: SinkKind, text: string): string[] | null {
  if (kind === 'kafka') {
    const list = brokersOf(text);
    return list === null ? null : hostsOf(list);
  }
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, hostname } = new URL(text);
  const isAddress =
    PROTOCOLS[kind].includes(protocol) && username === '' && password === '' && hostname !== '';
  return isAddress ? [hostname] : null;
}

/** The sinks of the company; with `id`, that one. */
async function storedSinks(db: Database, companyId: string, id: string | null = null): Promise<SinkWire[]> {
  const rows = await db
    .selectFrom('event_sinks')
    .select(['id', 'name', 'kind', 'target', 'types', 'is_enabled', 'cursor'])
    .select((eb) => [
      eb
        .selectFrom('deliveries')
        .whereRef('sink_id', '=', 'event_sinks.id')
        .where('is_dead', '=', false)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('waiting'),
      eb
        .selectFrom('deliveries')
        .whereRef('sink_id', '=', 'event_sinks.id')
        .where('is_dead', '=', true)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('dead'),
    ])
    .where('company_id', '=', companyId)
    .$if(id !== null, (one) => one.where('id', '=', id!))
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, target, types, waiting, dead, ...row }) => {
    const { password: _, ...open } = target as unknown as SinkTarget;
    return {
      ...row,
      kind: kind as SinkKind,
      target: open,
      types: types === null ? null : [...types],
      waiting: Number(waiting),
      dead: Number(dead),
    };
  });
}

async function storedSink(db: Database, companyId: string, id: string): Promise<SinkWire> {
  const [found] = await storedSinks(db, companyId, id);
  if (found === undefined) throw requestError(404, 'expected a known sink, received an unknown one', 'id');
  return found;
}
