/** Types and limits that all kinds of sinks share. */

export const SINK_KINDS = ['webhook', 'mqtt', 'kafka'] as const;
export type SinkKind = (typeof SINK_KINDS)[number];

/** A sink as it is stored. */
export interface Sink {
  readonly id: string;
  readonly companyId: string;
  readonly kind: SinkKind;
  readonly target: SinkTarget;
  readonly secret: string;
}

export interface SinkTarget {
  /** `https://…` of a webhook, `mqtts://…` or `mqtt://…` of a broker; `kafka://host:port,host:port`, `kafkas:` with TLS. */
  readonly url: string;
  /** The topic of Kafka, or the first part of those of MQTT. */
  readonly topic?: string;
  readonly username?: string;
  readonly password?: string;
}

/** An event on its way to a sink. */
export interface OutgoingEvent {
  /** Equal for every attempt, so that the receiver can leave out a repetition. */
  readonly id: string;
  readonly unitId: string;
  /** JSON. */
  readonly body: string;
}

/** Sends messages of one sink. */
export interface Sender {
  /** Resolves when the receiver has taken the message. Rejects with `SinkError` or another error to try again. */
  send(message: OutgoingEvent): Promise<void>;
  close(): Promise<void>;
}

/** A refusal that says when to try again, milliseconds from now. */
export class SinkError extends Error {
  readonly retryMs: number | null;

  constructor(message: string, retryMs: number | null = null) {
    super(message);
    this.retryMs = retryMs;
  }
}
