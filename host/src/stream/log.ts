/** What a worker asks of a log: ordered partitions that are appended to, read from a sequence, and trimmed. */

export interface LogMessage {
  /** 1, 2, … within the partition, without gaps. */
  readonly seq: number;
  /** The log's time of it, epoch milliseconds. */
  readonly stamp: number;
  readonly payload: Uint8Array;
}

export interface Outgoing {
  readonly partition: number;
  readonly payload: Uint8Array;
}

export interface LogState {
  /** Tells one stream from another of the same name. */
  readonly created: string;
  /** The oldest sequence that can be read; `last` + 1 of an empty log. */
  readonly first: number;
  readonly last: number;
}

export interface Log {
  readonly kind: 'table' | 'nats';
  /** The sequences of the messages (those of a table with the partition's shift), when the log has acknowledged all. Rejects where none, some or all were taken. */
  publish(messages: readonly Outgoing[]): Promise<readonly number[]>;
  /** Messages from sequence `from` on, without an end; throws `log-gap` where one is missing. Reads ahead a bounded number. */
  read(partition: number, from: number, signal: AbortSignal): AsyncIterable<readonly LogMessage[]>;
  /** null where the partition has no stream. */
  state(partition: number): Promise<LogState | null>;
  /** Makes the streams of partitions that never had one. */
  create(partition: number): Promise<LogState>;
  /** Lets go of messages before sequence `before`. */
  trim(partition: number, before: number): Promise<void>;
  /** Says that something of these companies was committed; a hint that may be lost. */
  wake(companies: ReadonlyMap<string, readonly object[]>): Promise<void>;
  /** Calls `onWake` for each company that any process woke. */
  listen(onWake: (companyId: string) => void): Promise<void>;
  close(): Promise<void>;
}
