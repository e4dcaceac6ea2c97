/** Makes valid and corrupted ZIP files for the tests of KMZ. */

import { zipSync } from 'fflate';

/** A ZIP file of these entries. */
export function zip(files: Record<string, string | Uint8Array>): Buffer {
  const entries = Object.entries(files).map(([name, file]) => [
    name,
    typeof file === 'string' ? new TextEncoder().encode(file) : file,
  ]);
  return Buffer.from(
    zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, { mtime: new Date(1980, 0, 1) }),
  );
}

export const CENTRAL: Buffer = Buffer.from([0x50, 0x4b, 1, 2]);
export const END: Buffer = Buffer.from([0x50, 0x4b, 5, 6]);

/** The file with a changed number at `offset` from the first occurrence of a signature, or from the start. */
export function changed(
  file: Buffer,
  signature: Buffer | null,
  offset: number,
  value: number,
  length: 2 | 4 = 2,
): Buffer {
  const copy = Buffer.from(file);
  const at = (signature === null ? 0 : copy.indexOf(signature)) + offset;
  if (length === 2) copy.writeUInt16LE(value, at);
  else copy.writeUInt32LE(value, at);
  return copy;
}
