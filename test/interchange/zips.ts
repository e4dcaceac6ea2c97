/** Makes valid and corrupted ZIP files for the tests of KMZ. */

import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP file of these entries, of 1980-01-01. Node compresses the large ones of traps five times as fast as a library in JavaScript. */
export function zip(files: Record<string, string | Uint8Array>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [text, file] of Object.entries(files)) {
    const content = typeof file === 'string' ? Buffer.from(file) : file;
    const packed = deflateRawSync(content);
    const name = Buffer.from(text);
    // From the version that unpacks it to the length of extra fields: the part that both headers have.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(name.length === text.length ? 0 : 0x800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt16LE(0x21, 8);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    central.push(CENTRAL, Buffer.from([20, 0]), facts, place, name);
    locals.push(Buffer.from([0x50, 0x4b, 3, 4]), facts, name, packed);
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(central).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, ...central, END, end]);
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
