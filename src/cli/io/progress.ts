/** A progress bar on stderr, if it is a terminal. */

import { stat } from 'node:fs/promises';
import type { OutputStream } from './io.js';

export interface Progress {
  /** Adds `by` (default 1) to the completed number. */
  step(by?: number): void;
  stop(): void;
}

const NO_PROGRESS: Progress = { step: () => undefined, stop: () => undefined };

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
