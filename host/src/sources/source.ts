/** Brokers in front of a host: messages are handed over in order, and acknowledged when the host has committed their fixes. */

/** A message of a broker. */
export interface SourceMessage {
  /** Place of the message in the broker, for reports: topic, partition and offset. */
  readonly place: string;
  readonly text: string;
  /** The device that sent it, by the message's key or topic; null if neither names one. It counts for fixes that name no unit. */
  readonly deviceKey: string | null;
}

/**
 * Hands messages over. Resolves when all their fixes are committed or reported as refused; then they may be acknowledged. Rejects when the source
 * closes, and when the host refuses the token: the broker keeps the messages.
 */
export type Take = (messages: readonly SourceMessage[]) => Promise<void>;

/** Connection and subscription of a broker. */
export interface SourceOptions {
  /** Address of the broker: `kafka://host:port,…`, `kafkas:`, `nats:`, `tls:`, `mqtt:` or `mqtts:`. */
  readonly url: string;
  /** Kafka: the topic. NATS: the subjects of a stream. MQTT: a topic filter. */
  readonly topic: string;
  /** Name under which the broker remembers what was acknowledged. */
  readonly group: string;
  readonly username: string | null;
  readonly password: string | null;
  /** Called when the broker gives no messages, with the reason and the milliseconds until the next attempt. */
  readonly onWaiting: (reason: string, ms: number) => void;
}

/** A running source. */
export interface Source {
  /** Rejects with the error that ended it; pending until then. */
  readonly ended: Promise<never>;
  /** Stops reading. Messages that are not committed are not acknowledged. */
  close(): Promise<void>;
}

/** The end of a source: a promise that only `fail` settles. */
export function failureSignal(): { readonly ended: Promise<never>; readonly fail: (error: unknown) => void } {
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Nobody need look.
  ended.catch(() => {});
  return { ended, fail };
}

/** Most messages that are handed over at once. */
export const MOST_MESSAGES = 500;
