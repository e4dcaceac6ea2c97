/** Temporary files beside the outputs. They are removed when the program ends early. */

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const parts = new Set<string>();

/** Path of the temporary file of `path`; remembered until `forgetPart`. */
export function partOf(path: string): string {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  parts.add(part);
  return part;
}

/** Forgets a temporary file that was moved to its place or removed. */
export function forgetPart(part: string): void {
  parts.delete(part);
}

/** Whether a file is being written. */
export function isWriting(): boolean {
  return parts.size > 0;
}

/** Removes all unfinished files synchronously, for a program that ends now. */
export function dropParts(): void {
  for (const part of parts) rmSync(part, { force: true });
  parts.clear();
}
