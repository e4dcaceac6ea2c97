/** The streams of the program, and what every command writes to them: output at the pace of its reader, issues, a progress bar. */

import { stat } from 'node:fs/promises';
import type { FileIssue } from '../../report/reportInput.js';
import { summarizeIssues } from '../../report/summary.js';
import { issueLines } from './terminal.js';

const NO_PROGRESS: Progress = { step: () => undefined, stop: () => undefined };

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

/** Writes a few issues of each code, and the text `rest` in place of the others. Returns whether none is an error. */
export function reportIssues(
  issues: readonly FileIssue[],
  stderr: OutputStream,
  rest: string = 'the others are alike',
): boolean {
  const summary = summarizeIssues(issues);
  if (summary.list.length > 0) stderr.write(`${issueLines(summary, rest).join('\n').trim()}\n`);
  return summary.errors === 0;
}

/** Reports the issues and the reason why nothing is written. Returns false, as for a failed command. */
export function refuse(issues: readonly FileIssue[], io: Io, why: string): false {
  reportIssues(issues, io.stderr);
  io.stderr.write(`wayzone: ${why}\n`);
  return false;
}

/** Writes text or UTF-8, and waits until the stream accepts more. */
export async function writeOut(stream: OutputStream, data: string | Uint8Array): Promise<void> {
  if (data.length === 0) return;
  if (typeof data !== 'string' && stream.writeBytes !== undefined) {
    await stream.writeBytes(data);
    return;
  }
  const text =
    typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.length).toString();
  if (stream.write(text) !== false || stream.once === undefined) return;
  await new Promise<void>((resolve) => {
    stream.once?.('drain', resolve);
  });
}

export interface Progress {
  /** Adds `by` (default 1) to the completed number. */
  step(by?: number): void;
  stop(): void;
}

/** Starts a bar. `format` is that of cli-progress: `{bar} {value}/{total}`. */
export async function startProgress(stream: OutputStream, total: number, format: string): Promise<Progress> {
  if (stream.isTTY !== true) return NO_PROGRESS;
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    {
      stream: stream as NodeJS.WritableStream,
      format,
      clearOnComplete: true,
      hideCursor: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0);
  return { step: (by = 1) => bar.increment(by), stop: () => bar.stop() };
}

/** Starts the bar of bytes of files that are read. */
export async function startReading(stream: OutputStream, files: readonly string[]): Promise<Progress> {
  if (stream.isTTY !== true) return NO_PROGRESS;
  const sizes = await Promise.all(files.map(fileBytes));
  return startProgress(
    stream,
    sizes.reduce((sum, size) => sum + size, 0),
    'read {bar} {percentage} %',
  );
}

/** Size of a file, bytes; 0 if it cannot be found. */
export function fileBytes(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
