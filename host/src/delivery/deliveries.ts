/** Looks for events to send, in every process of the API. The rows of the database decide which process sends what. */

import type { Logger } from 'pino';
import { every } from '../every.js';
import type { Metrics } from '../metrics.js';
import type { Settings } from '../settings.js';
import type { Storage } from '../storage/storage.js';
import { type AddressGuard, addressGuard } from './addressGuard.js';
import { deliverDue } from './deliverDue.js';
import { enqueueEvents, enqueueNotifications } from './enqueue.js';
import { kafkaSender } from './kafkaSender.js';
import { mqttSender } from './mqttSender.js';
import type { Sender, Sink, SinkKind, SinkTarget } from './sink.js';
import { webhookSender } from './webhookSender.js';

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
