/** Kafka: a consumer of a group. The fixes of a partition are handed over in its order, and their offsets committed afterwards. */

import type { EachBatchPayload } from 'kafkajs';
import { brokersOf } from '../delivery/kafkaSender.js';
import { failureSignal, MOST_MESSAGES, type Source, type SourceOptions, type Take } from './source.js';

/** A consumer that sends no heartbeat for 30 s loses its partitions. */
const HEARTBEAT_MS = 3000;
/** Partitions that are handed over side by side. */
const PARTITIONS = 4;

/** Keys of messages are device keys. Throws when no broker answers. */
export async function kafkaSource(
  { url, topic, group, username, password }: SourceOptions,
  take: Take,
): Promise<Source> {
  const { Kafka, logLevel } = await import('kafkajs');
  const { brokers, isSecure } = brokersOf(url)!;
  const kafka = new Kafka({
    clientId: group,
    brokers: [...brokers],
    ssl: isSecure,
    logLevel: logLevel.NOTHING,
    // A broker that is away is waited for.
    retry: { retries: Number.MAX_SAFE_INTEGER, maxRetryTime: 5000 },
    ...(username === null || password === null
      ? {}
      : { sasl: { mechanism: 'scram-sha-256' as const, username, password } }),
  });
  const consumer = kafka.consumer({
    groupId: group,
    sessionTimeout: 30_000,
    retry: { retries: Number.MAX_SAFE_INTEGER, maxRetryTime: 5000 },
  });
  const { ended, fail } = failureSignal();
  let isClosing = false;
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    const { batch } = payload;
    for (
      let from = 0;
      from < batch.messages.length && !payload.isStale() && !isClosing;
      from += MOST_MESSAGES
    ) {
      const part = batch.messages.slice(from, from + MOST_MESSAGES);
      // The host may be away for long; the partition stays ours.
      const beat = setInterval(() => void payload.heartbeat().catch(() => {}), HEARTBEAT_MS);
      try {
        await take(
          part.map(({ offset, key, value }) => ({
            place: `${batch.topic}[${batch.partition}] ${offset}`,
            text: value?.toString() ?? '',
            deviceKey: key?.toString() ?? null,
          })),
        );
      } catch (error) {
        if (!isClosing) fail(error);
        return;
      } finally {
        clearInterval(beat);
      }
      payload.resolveOffset(part.at(-1)!.offset);
      await payload.commitOffsetsIfNecessary();
    }
  };
  await consumer.run({ eachBatchAutoResolve: false, partitionsConsumedConcurrently: PARTITIONS, eachBatch });
  return {
    ended,
    async close() {
      isClosing = true;
      await consumer.disconnect();
    },
  };
}
