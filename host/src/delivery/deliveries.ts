/** Looks for events to send, in every process of the API. The rows of the database decide which process sends what. */

import { sql } from 'kysely';
import type { Logger } from 'pino';
import { every } from '../every.js';
import type { Metrics } from '../metrics.js';
import type { Settings } from '../settings.js';
import type { Storage } from '../storage/storage.js';
import { type AddressGuard, addressGuard } from './addressGuard.js';
import { enqueueEvents, enqueueNotifications } from './enqueue.js';
import { kafkaSender } from './kafkaSender.js';
import { mqttSender } from './mqttSender.js';
import { type Sender, type Sink, SinkError, type SinkKind, type SinkTarget } from './sink.js';
import { webhookSender } from './webhookSender.js';

const FIRST_PAUSE_MS = 5000;
const MOST_PAUSE_MS = 3 * 3_600_000;
/** A delivery that a process has taken is free for others after this time. Longer than any sender waits. */
const LEASE_MS = 60_000;
/** Deliveries of one sink that are under way at the same time. */
const TOGETHER = 16;

export interface Deliveries {
  /** Enqueues and sends until nothing is due. */
  run(): Promise<void>;
  close(): Promise<void>;
}

/** Looks between two checks of rules that depend on the clock. */
const CLOCK_TICKS = 15;
/** Rounds of one run, so that a run ends while events arrive. */
const MOST_ROUNDS = 1000;
const SENDERS: Readonly<Record<SinkKind, (sink: Sink, guard: AddressGuard, now: () => number) => Sender>> = {
  webhook: webhookSender,
  mqtt: mqttSender,
  kafka: (sink, guard) => kafkaSender(sink, guard),
};

export function startDeliveries(
  storage: Storage,
  { deliverySeconds, deliveryNetworks }: Pick<Settings, 'deliverySeconds' | 'deliveryNetworks'>,
  metrics: Pick<Metrics, 'deliveries'>,
  log: Pick<Logger, 'warn'>,
  now: () => number,
): Deliveries {
  const guard = addressGuard(deliveryNetworks);
  /** The sender of each sink, with the text of the sink that it was made for. */
  const senders = new Map<string, { readonly text: string; readonly sender: Sender }>();
  /** The sinks that are being sent to. */
  const drains = new Map<string, Promise<void>>();
  let isClosed = false;

  const senderOf = async (sink: Sink): Promise<Sender> => {
    const text = JSON.stringify(sink);
    const known = senders.get(sink.id);
    if (known?.text === text) return known.sender;
    senders.delete(sink.id);
    await known?.sender.close().catch(() => {});
    const sender = SENDERS[sink.kind](sink, guard, now);
    senders.set(sink.id, { text, sender });
    return sender;
  };

  /** Sends the due events of one sink until none is left. Stops when the sink takes nothing, so that its other units do not try in vain. */
  const drain = async (sink: Sink): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS && !isClosed; round++) {
      const { sent, failed, dead } = await deliverDue(storage, sink, await senderOf(sink), now());
      metrics.deliveries.inc({ kind: sink.kind, result: 'sent' }, sent);
      metrics.deliveries.inc({ kind: sink.kind, result: 'failed' }, failed);
      metrics.deliveries.inc({ kind: sink.kind, result: 'dead' }, dead);
      if (sent === 0) return;
    }
  };

  /** Enqueues, and starts to send to each sink that is not being sent to: a sink that does not answer delays no other. */
  const pass = async (hasClock: boolean): Promise<void> => {
    for (let round = 0; round < MOST_ROUNDS && !isClosed; round++) {
      const hasEvents = await enqueueEvents(storage, now());
      const hasNotices = await enqueueNotifications(storage, now(), hasClock && round === 0);
      if (!hasEvents && !hasNotices) break;
    }
    const sinks = await enabledSinks(storage);
    for (const id of senders.keys())
      if (!sinks.some((sink) => sink.id === id) && !drains.has(id)) {
        await senders
          .get(id)!
          .sender.close()
          .catch(() => {});
        senders.delete(id);
      }
    for (const sink of sinks) {
      if (drains.has(sink.id) || isClosed) continue;
      const running = drain(sink).catch((error: unknown) => log.warn(error, 'delivery'));
      drains.set(
        sink.id,
        running.finally(() => drains.delete(sink.id)),
      );
    }
  };

  let tick = 0;
  const timer =
    deliverySeconds === 0
      ? null
      : every(1000 * deliverySeconds, () =>
          pass(tick++ % CLOCK_TICKS === 0).catch((error: unknown) => log.warn(error, 'delivery')),
        );
  timer?.unref();

  return {
    async run() {
      await pass(true);
      await Promise.all(drains.values());
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearInterval(timer);
      for (const { sender } of senders.values()) await sender.close().catch(() => {});
      await Promise.all(drains.values());
    },
  };
}

async function enabledSinks({ db }: Storage): Promise<Sink[]> {
  const rows = await db
    .selectFrom('event_sinks')
    .selectAll()
    .where('is_enabled', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(({ id, company_id: companyId, kind, target, secret }) => ({
    id,
    companyId,
    kind: kind as SinkKind,
    target: target as unknown as SinkTarget,
    secret,
  }));
}

/** Attempts before a delivery becomes a dead letter. With the pauses below: after about a day. */
export const MOST_ATTEMPTS = 16;

interface Taken {
  readonly ordinal: string;
  readonly event_id: string;
  readonly unit_id: string;
  readonly payload: object;
  readonly attempts: number;
}

interface Delivered {
  readonly sent: number;
  readonly failed: number;
  readonly dead: number;
}

/** The pause after an attempt, milliseconds: doubled each time. */
export function pauseOf(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MOST_PAUSE_MS);
}

/** Sends what is due of one sink, once. A unit whose oldest delivery waits has no later one sent. */
async function deliverDue({ db }: Storage, sink: Sink, sender: Sender, now: number): Promise<Delivered> {
  const { rows } = await sql<Taken>`
    update deliveries set attempts = attempts + 1, due = ${now + LEASE_MS}
    where ordinal in (
      select ordinal from deliveries d
      where sink_id = ${sink.id} and not is_dead and due <= ${now}
        and not exists (
          select 1 from deliveries e
          where e.sink_id = d.sink_id and e.unit_id = d.unit_id and not e.is_dead and e.ordinal < d.ordinal
        )
      order by ordinal limit ${TOGETHER} for update skip locked
    ) returning ordinal, event_id, unit_id, payload, attempts`.execute(db);
  const results = await Promise.all(rows.map((row) => attempt(row)));
  const count = (wanted: string): number => results.filter((result) => result === wanted).length;
  return { sent: count('sent'), failed: count('failed'), dead: count('dead') };

  async function attempt({
    ordinal,
    event_id: id,
    unit_id: unitId,
    payload,
    attempts,
  }: Taken): Promise<string> {
    try {
      await sender.send({ id, unitId, body: JSON.stringify(payload) });
    } catch (error) {
      const isDead = attempts >= MOST_ATTEMPTS;
      const asked = error instanceof SinkError ? error.retryMs : null;
      await db
        .updateTable('deliveries')
        .set({
          due: now + (asked ?? pauseOf(attempts)),
          is_dead: isDead,
          error: String((error as Error).message ?? error).slice(0, 500),
        })
        .where('ordinal', '=', ordinal)
        .execute();
      return isDead ? 'dead' : 'failed';
    }
    await db.deleteFrom('deliveries').where('ordinal', '=', ordinal).execute();
    return 'sent';
  }
}
