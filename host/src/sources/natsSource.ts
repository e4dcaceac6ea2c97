/** NATS JetStream: a durable consumer of a stream. Messages are acknowledged after their fixes are committed. */

import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { failureSignal, MOST_MESSAGES, type Source, type SourceOptions, type Take } from './source.js';

/** Messages that are not acknowledged in this time are delivered again. */
const ACK_MS = 4000;
const WORKING_MS = 1000;
const FETCH_MS = 1000;
const RETRY_MS = 1000;

/** The last token of a subject is a device key. Throws when no broker answers, or no stream has the subjects. */
export async function natsSource(
  { url, topic, group, username, password, onWaiting }: SourceOptions,
  take: Take,
): Promise<Source> {
  const connection = await connect({
    servers: url.split(','),
    name: group,
    maxReconnectAttempts: -1,
    ...(username === null || password === null ? {} : { user: username, pass: password }),
  });
  const manager = await jetstreamManager(connection);
  const stream = await manager.streams.find(topic);
  await manager.consumers.add(stream, {
    durable_name: group,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ACK_MS * 1e6,
    // One reader has them all, so the order of a unit holds.
    max_ack_pending: MOST_MESSAGES,
    deliver_policy: DeliverPolicy.All,
    filter_subject: topic,
  });
  const { ended, fail } = failureSignal();
  let isClosing = false;
  const loop = (async () => {
    while (!isClosing) {
      const messages = await jetstream(connection)
        .consumers.get(stream, group)
        .then(fetched)
        // A lost connection is opened again by itself.
        .catch((error: unknown) => {
          if (!isClosing) onWaiting(`NATS: ${String(error)}`, RETRY_MS);
          return null;
        });
      if (messages === null) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        continue;
      }
      if (messages.length === 0) continue;
      const working = setInterval(() => {
        for (const message of messages) message.working();
      }, WORKING_MS);
      try {
        await take(
          messages.map((message) => ({
            place: `${stream} ${message.seq}`,
            text: message.string(),
            deviceKey: message.subject.split('.').at(-1)!,
          })),
        );
      } finally {
        clearInterval(working);
      }
      for (const message of messages) message.ack();
    }
  })();
  loop.catch((error: unknown) => {
    if (!isClosing) fail(error);
  });
  return {
    ended,
    async close() {
      isClosing = true;
      await loop.catch(() => {});
      await connection.drain().catch(() => {});
    },
  };
}

async function fetched(consumer: Consumer): Promise<JsMsg[]> {
  const messages: JsMsg[] = [];
  for await (const message of await consumer.fetch({ max_messages: MOST_MESSAGES, expires: FETCH_MS }))
    messages.push(message);
  return messages;
}
