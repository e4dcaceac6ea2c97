/** The streams of the program that a command writes to. */

export interface OutputStream {
  write(text: string): unknown;
  /** Writes UTF-8; resolves when the buffer may be reused. If absent, callers use `write` with text. */
  writeBytes?(bytes: Uint8Array): Promise<void>;
  readonly isTTY?: boolean;
  /** Calls back when the buffer has room again. Present if `write` can return `false`. */
  once?(event: 'drain', listener: () => void): unknown;
}
export interface Io {
  /** Default: the standard input of the process. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}
/** Runs the work of a command. The work resolves to `false` if something could not be read. */
export type Run = (work: () => Promise<boolean>) => Promise<void>;
