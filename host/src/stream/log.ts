/** The interface of a log: ordered partitions that can be appended to, read from a sequence on, and trimmed. */

export interface LogMessage {
  /** 1, 2, … within the partition, without gaps. */
  readonly seq: number;
  /** When the log received the message, epoch milliseconds. */
  readonly stamp: number;
  readonly payload: Uint8Array;
}

export interface Outgoing {
  readonly partition: number;
  readonly payload: Uint8Array;
  /** Ticks are few and small, and checkpoints need them: they have room after fixes are refused. */
  readonly isTick?: boolean;
}

export interface LogState {
  /** When the stream was created: differs between two streams of the same name. */
  readonly created: string;
  /** The oldest sequence that can be read; `last` + 1 if the log is empty. */
  readonly first: number;
  readonly last: number;
}

export interface Log {
  readonly kind: 'table' | 'nats';
  /**
   * Resolves with the sequences of the messages when the log has acknowledged all of them. A log in a table adds the partition's shift. After a
   * rejection the log may have taken none, some or all of them. Throws `log-full` before it takes any if a partition has no room.
   */
  publish(messages: readonly Outgoing[]): Promise<readonly number[]>;
  /**
   * Yields messages from sequence `from` on, without end. `before`: when the log received the message before it, null if not known. Throws `log-gap` if a
   * message is missing, and `stream-rewound` if the log has lost messages up to `from` or read ones. Reads a bounded number ahead.
   */
  read(
    partition: number,
    from: number,
    signal: AbortSignal,
    before?: number | null,
  ): AsyncIterable<readonly LogMessage[]>;
  /** null if the partition has no stream. */
  state(partition: number): Promise<LogState | null>;
  /** How full the partition's stream was when it was last looked at, 0 to 1. A log in a table has no limit of its own. */
  fill?(partition: number): number;
  /** Creates the stream of a partition that never had one. */
  create(partition: number): Promise<LogState>;
  /** Deletes messages before sequence `before`. */
  trim(partition: number, before: number): Promise<void>;
  /** Announces that outputs of these companies were committed. The hint may be lost. */
  wake(companies: ReadonlyMap<string, readonly object[]>): Promise<void>;
  /** Calls `onWake` for each company that any process announces by `wake`. */
  listen(onWake: (companyId: string) => void): Promise<void>;
  close(): Promise<void>;
}
