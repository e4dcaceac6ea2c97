/** Saves a company's index in a file for the next start. Synchronous: call it in a job. */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Identifies the content of a file: the company's version, and a token that is stored in the database too. */
export interface ZoneFileStamp {
  readonly token: string;
  readonly version: number;
}

export interface ZoneFile extends ZoneFileStamp {
  readonly buffer: ArrayBuffer;
}

interface Header extends ZoneFileStamp {
  readonly bufferBytes: number;
}

/** Size of the header: JSON, padded with blanks. */
const HEADER_BYTES = 512;

/** Returns `false` if the file cannot be written; the next start then reads the database. */
export function writeZoneFile(path: string, { token, version, buffer }: ZoneFile): boolean {
  const own = `${path}.${token}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const header: Header = { token, version, bufferBytes: buffer.byteLength };
    writeFileSync(own, JSON.stringify(header).padEnd(HEADER_BYTES), { mode: 0o600 });
    const file = openSync(own, 'a');
    try {
      const bytes = new Uint8Array(buffer);
      for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // Atomic, also by a power cut: a reader sees the old file or the whole new one.
    renameSync(own, path);
    return true;
  } catch {
    rmSync(own, { force: true });
    return false;
  }
}

/** Returns null if the file does not exist or is truncated. */
export function readZoneFile(path: string): ZoneFile | null {
  try {
    const file = openSync(path, 'r');
    try {
      const start = read(file, new Uint8Array(HEADER_BYTES), 0);
      const header = JSON.parse(Buffer.from(start).toString()) as Header;
      const buffer = new ArrayBuffer(header.bufferBytes);
      read(file, new Uint8Array(buffer), HEADER_BYTES);
      const { token, version } = header;
      return { token, version, buffer };
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function read<Bytes extends Uint8Array>(file: number, bytes: Bytes, position: number): Bytes {
  for (let from = 0; from < bytes.length; ) {
    const count = readSync(file, bytes, from, bytes.length - from, position + from);
    if (count === 0) throw new Error('expected more bytes');
    from += count;
  }
  return bytes;
}

/** The head of a geozone as the database writes it; null for a field that the row lacks. */
export type HeadCells = readonly [
  id: string,
  name: unknown,
  created: unknown,
  isDelete: unknown,
  companies: unknown,
  icon: unknown,
  color: unknown,
  type: unknown,
];

export type ZoneHead = { readonly id: string } & Readonly<Record<string, unknown>>;

/**
 * Returns a function that gives heads the names of the geozone's fields. Of dictionary entries lists read the key alone; those of one key are one object,
 * and a field that the row lacks is null: a million heads of one form take half the time and memory of others.
 */
export function headReader(): (cells: HeadCells) => ZoneHead {
  const entries = new Map<unknown, object | null>([[null, null]]);
  const entryOf = (key: unknown): object | null => {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry = { key };
    entries.set(key, entry);
    return entry;
  };
  return ([id, name, created, isDeleted, companies, icon, color, type]) => ({
    id,
    name,
    created,
    is_delete: isDeleted,
    companies,
    icon: entryOf(icon),
    color: entryOf(color),
    type: entryOf(type),
  });
}
