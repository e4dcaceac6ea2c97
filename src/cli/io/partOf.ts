/** Files that are being written beside their places: what is left of them goes when the program ends early. */

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const parts = new Set<string>();

/** Where `path` is written before it is put in its place; remembered until `forgetPart`. */
export function partOf(path: string): string {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  parts.add(part);
  return part;
}

/** It is in its place, or removed. */
export function forgetPart(part: string): void {
  parts.delete(part);
}

/** Whether a file is being written. */
export function isWriting(): boolean {
  return parts.size > 0;
}

/** Removes what was not finished, at once: for a program that ends now. */
export function dropParts(): void {
  for (const part of parts) rmSync(part, { force: true });
  parts.clear();
}
