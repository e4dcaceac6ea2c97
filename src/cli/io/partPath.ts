/** Temporary files beside the outputs. They are removed when the program ends early. */

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const parts = new Set<string>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes unfinished files, then lets the signal end the program, as the shell expects. */
function end(signal: NodeJS.Signals): void {
  dropParts();
  process.kill(process.pid, signal);
}

/** Catches signals. Only while there are temporary files: otherwise a signal ends a long computation at once. */
function watchSignals(): void {
  for (const signal of SIGNALS) {
    process.off(signal, end);
    if (parts.size > 0) process.on(signal, end);
  }
}

/** Path of the temporary file of `path`; remembered until `forgetPart`. */
export function partPath(path: string): string {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  parts.add(part);
  watchSignals();
  return part;
}

/** Forgets a temporary file that was moved to its place or removed. */
export function forgetPart(part: string): void {
  parts.delete(part);
  watchSignals();
}

/** Whether a file is being written. */
export function isWriting(): boolean {
  return parts.size > 0;
}

/** Removes all unfinished files synchronously, for a program that ends now. */
export function dropParts(): void {
  for (const part of parts) rmSync(part, { force: true });
  parts.clear();
  watchSignals();
}
