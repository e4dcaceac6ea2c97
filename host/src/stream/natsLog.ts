/**
 * The log on NATS JetStream: one stream per partition, file storage, `discard: new`; ordered consumers without acknowledgements. Another
 * log (Kafka) would replace this file: see docs/scale-out.md.
 */

import { setMaxListeners } from 'node:events';
import {
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamApiError,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { WayzoneError } from 'wayzone';
import { awaitServer } from '../awaitServer.js';
import type { Log, LogMessage, LogState } from './log.js';
import { streamRoom } from './streamRoom.js';

export interface NatsOptions {
  /** Copies of each stream, 1 to 5. Default 1: a loss of the broker's disk then loses messages. */
  readonly replicas?: number;
  /** Maximum size of one partition's stream, bytes. The server reserves it; a full stream takes no more. Default 256 MiB. */
  readonly maxBytes?: number;
}

/** Maximum number of messages that a consumer receives ahead. */
const PREFETCH = 256;
/** Limit for the answer to a publication or a request. */
const TIMEOUT_MS = 3000;
/** Interval of pings on the connection. */
const PING_MS = 2000;
const NO_STREAM = 10_059;
const STREAM_EXISTS = 10_058;

export async function natsLog(
  servers: string,
  { replicas = 1, maxBytes = 256 * 2 ** 20 }: NatsOptions = {},
): Promise<Log> {
  const connection: NatsConnection = await awaitServer('NATS', () =>
    connect({
      servers: servers.split(','),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 200,
      timeout: TIMEOUT_MS,
      // A connection on which nothing is answered is replaced after 2 to 3 intervals.
      pingInterval: PING_MS,
      maxPingOut: 2,
    }),
  );
  const client = jetstream(connection, { timeout: TIMEOUT_MS });
  const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS, checkAPI: false });
  const nameOf = (partition: number): string => `FIXES_${partition}`;
  const subjectOf = (partition: number): string => `fixes.${partition}`;

  const room = streamRoom(async (partition) => {
    await state(partition);
  });
  const state = async (partition: number): Promise<LogState | null> => {
    try {
      const { created, state: found, config } = await manager.streams.info(nameOf(partition));
      const { first_seq: first, last_seq: last, messages, bytes } = found;
      room.note(partition, bytes, config.max_bytes);
      return { created, first: messages === 0 ? last + 1 : first, last };
    } catch (error) {
      if (codeOf(error) === NO_STREAM) return null;
      throw error;
    }
  };

  const reconnects = new EventTarget();
  // Each partition that is read listens.
  setMaxListeners(0, reconnects);
  void (async () => {
    for await (const { type } of connection.status())
      if (type === 'reconnect') reconnects.dispatchEvent(new Event(type));
  })();
  /** Messages from sequence `from` on until the connection is a new one. */
  const messagesFrom = async function* (
    partition: number,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<JsMsg> {
    let isNew = false;
    const note = (): void => {
      isNew = true;
    };
    reconnects.addEventListener('reconnect', note);
    try {
      const consumer = await client.consumers.get(nameOf(partition), {
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
        inactive_threshold: 30_000,
      });
      const messages = await consumer.consume({
        max_messages: PREFETCH,
        expires: 30_000,
        idle_heartbeat: 2000,
      });
      const stop = (): void => void messages.close().catch(() => {});
      signal.addEventListener('abort', stop);
      reconnects.addEventListener('reconnect', stop);
      try {
        for await (const message of messages) {
          if (signal.aborted || isNew) return;
          yield message;
        }
        if (!signal.aborted && !isNew)
          throw new Error(`expected the stream ${nameOf(partition)}, received its end`);
      } finally {
        signal.removeEventListener('abort', stop);
        reconnects.removeEventListener('reconnect', stop);
        stop();
      }
    } finally {
      reconnects.removeEventListener('reconnect', note);
    }
  };

  return {
    kind: 'nats',
    fill: (partition) => room.fill(partition),
    async publish(messages) {
      await room.admit(messages).catch((error: unknown) => {
        throw error instanceof WayzoneError ? error : unanswered(error);
      });
      // Waits for all answers, so that it rejects only when the result of every message is known.
      const answers = await Promise.allSettled(
        messages.map(({ partition, payload }) =>
          client.publish(subjectOf(partition), payload, { timeout: TIMEOUT_MS, retries: 1 }),
        ),
      );
      return answers.map((answer) => {
        if (answer.status === 'fulfilled') return answer.value.seq;
        throw unanswered(answer.reason);
      });
    },
    async *read(partition, from, signal, before = null) {
      let next = from;
      let stamp = before;
      while (!signal.aborted)
        // The last message that was read comes first: the broker may have lost it, and others have its sequence now.
        for await (const { seq, time, data } of messagesFrom(
          partition,
          stamp === null ? next : next - 1,
          signal,
        )) {
          const own = time.getTime();
          if (seq === next - 1 && own === stamp) continue;
          if (seq !== next)
            throw new WayzoneError(
              seq < next ? 'stream-rewound' : 'log-gap',
              nameOf(partition),
              `expected sequence ${next}, received ${seq}`,
            );
          next++;
          stamp = own;
          yield [{ seq, stamp, payload: data } satisfies LogMessage];
        }
    },
    state,
    async create(partition) {
      try {
        await manager.streams.add({
          name: nameOf(partition),
          subjects: [subjectOf(partition)],
          storage: StorageType.File,
          retention: RetentionPolicy.Limits,
          discard: DiscardPolicy.New,
          max_bytes: maxBytes,
          num_replicas: replicas,
        });
      } catch (error) {
        if (codeOf(error) !== STREAM_EXISTS) throw error;
      }
      const made = await state(partition);
      if (made === null)
        throw new WayzoneError('stream-missing', nameOf(partition), 'expected the new stream, received none');
      return made;
    },
    async trim(partition, before) {
      // nats-server treats a purge before sequence 1 as a purge of everything.
      if (before > 1) await manager.streams.purge(nameOf(partition), { seq: before });
    },
    async wake(companies) {
      for (const [companyId, events] of companies)
        connection.publish(`events.${subjectToken(companyId)}`, JSON.stringify(events));
    },
    async listen(onWake) {
      connection.subscribe('events.*', {
        callback: (error, { subject }) => {
          if (error === null) onWake(Buffer.from(subject.slice('events.'.length), 'base64url').toString());
        },
      });
    },
    async close() {
      await connection.close();
    },
  };
}

/** Encodes the id: ids may contain characters that are not allowed in a subject. */
function subjectToken(companyId: string): string {
  return Buffer.from(companyId).toString('base64url');
}

function codeOf(error: unknown): number | undefined {
  return (error as Partial<JetStreamApiError>).code as number | undefined;
}

function unanswered(cause: unknown): Error {
  return Object.assign(new Error('expected an answer from the log, received none'), {
    statusCode: 503,
    cause,
  });
}
