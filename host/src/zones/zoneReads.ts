/** Reads a company's geozones: from the database, from a saved file, and the rows changed since. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Geozone, WayzoneError, ZoneIndex } from 'wayzone';
import { hashOf } from '../auth/apiKeys.js';
import { readRowsBetween, readVersion } from '../storage/rows.js';
import { readIndexTexts } from '../storage/rowTexts.js';
import type { Storage } from '../storage/storage.js';
import type { Jobs } from '../threads/jobs.js';
import type { Piece } from '../threads/pipe.js';
import { receivedIndex } from '../threads/receivedIndex.js';
import type { ZoneRow } from '../threads/rowTexts.js';
import { headOf } from '../threads/zoneHead.js';
import type { zoneLists } from '../threads/zoneLists.js';
import { applyRow } from './applyRow.js';
import { knowsFile, rememberFile } from './zoneSnapshots.js';

export interface CompanyZones {
  readonly version: number;
  /** The live zones. */
  readonly index: ZoneIndex<Geozone>;
  /** The zones as computations take them. */
  readonly base: ZoneBase;
}

/** A company's index as it was read, without later changes, in memory that other indexes of this process share. */
export interface ZoneBase {
  readonly buffer: Uint8Array;
  /** The buffer holds all writes up to `version`, and no write after `upTo`. */
  readonly version: number;
  readonly upTo: number;
}

/** A company in memory. */
export interface Held extends CompanyZones {
  base: ZoneBase;
  /** Number of rows that were applied to the index and are not in the base. */
  changes: number;
  version: number;
  readonly index: ZoneIndex<Geozone>;
  /** Memory of the index as it was read, and of the heads, bytes. */
  bytes: number;
  /** Bytes of a base that is not the index's own memory. */
  baseBytes: number;
}

export function bytesOf({ bytes, baseBytes }: Held): number {
  return bytes + baseBytes;
}

/** Estimated size of a zone's head in the lists thread beside its text, bytes. */
const HEAD_BYTES = 300;
/** Maximum length of the texts of all heads of a company: one thread holds those of all companies. */
const MOST_HEADS = 400e6;
/** Maximum number of changed rows that are applied one by one, about 20 ms; with more, a process reads the whole company. */
export const MOST_CHANGES = 1000;

/** What the reads need: the jobs that parse, the thread that keeps lists, and the folder of saved files. */
export interface ZoneReadParts {
  readonly storage: Storage;
  readonly folder: string | null;
  readonly jobs: Jobs;
  readonly lists: ReturnType<typeof zoneLists>;
}

export interface ZoneReads {
  /** Applies the rows written since. Returns false and does nothing if there are too many. */
  readonly change: (companyId: string, held: Held) => Promise<boolean>;
  /** Reads all rows: a process parses and indexes them, a thread keeps their heads. */
  readonly readAnew: (companyId: string, version: number) => Promise<Held>;
  /** Opens the company's saved file. null if there is no file, or if its token is not in the database. */
  readonly openFile: (companyId: string, version: number) => Promise<Held | null>;
  /** Reads all rows for a base alone. */
  readonly readBase: (companyId: string) => Promise<ZoneBase>;
}

export function zoneReads({ storage, folder, jobs, lists }: ZoneReadParts): ZoneReads {
  const change = async (companyId: string, held: Held): Promise<boolean> => {
    const { version, index } = held;
    const span = { since: version, version: Number.MAX_SAFE_INTEGER, limit: MOST_CHANGES + 1 };
    const rows = await readRowsBetween<ZoneRow>(storage.db, 'geozones', companyId, span);
    if (rows.length > MOST_CHANGES) return false;
    const heads = rows.map(headOf);
    held.bytes += heads.reduce((sum, head) => sum + JSON.stringify(head).length, 0);
    await lists.ask('change', { companyId, heads });
    for (const row of rows) applyRow(index, row);
    held.changes += rows.length;
    return true;
  };

  const readAnew = async (companyId: string, version: number): Promise<Held> => {
    const token = randomUUID();
    const path = pathOf(companyId);
    const texts = readIndexTexts(storage.db, companyId);
    const save = path === null ? null : { path, token, version };
    const {
      buffer,
      length,
      value: isSaved,
    } = await withHeads(companyId, jobs.run(companyId, 'index', save, texts));
    if (isSaved) await rememberFile(storage, companyId, token, version);
    return heldOf(companyId, buffer, version, length);
  };

  const openFile = async (companyId: string, version: number): Promise<Held | null> => {
    const path = pathOf(companyId);
    if (path === null || !existsSync(path)) return null;
    const {
      buffer,
      length,
      value: file,
    } = await withHeads(companyId, jobs.run(companyId, 'open', { path }, nothing()));
    if (file === null || file.version > version || !(await knowsFile(storage, companyId, file))) return null;
    return heldOf(companyId, buffer, file.version, length);
  };

  /** The index and the value of a job; sends the heads that it yields to the lists thread. */
  const withHeads = async <Value>(
    companyId: string,
    pages: AsyncGenerator<Piece, Value>,
  ): Promise<{ readonly buffer: Uint8Array; readonly value: Value; readonly length: number }> => {
    await lists.ask('begin', { companyId });
    let length = 0;
    try {
      const received = await receivedIndex(pages, async (heads) => {
        length += heads.length;
        if (length > MOST_HEADS) throw tooLong();
        await lists.ask('add', { companyId, heads });
      });
      await lists.ask('commit', { companyId });
      return { ...received, length };
    } catch (error) {
      await lists.ask('drop', { companyId });
      throw error;
    }
  };

  const baseOf = async (companyId: string, buffer: Uint8Array, version: number): Promise<ZoneBase> => {
    // The buffer may contain rows that were written while others were read.
    const upTo = (await readVersion(storage.db, companyId)) ?? version;
    return { buffer, version, upTo };
  };

  const readBase = async (companyId: string): Promise<ZoneBase> => {
    const version = (await readVersion(storage.db, companyId)) ?? -1;
    const texts = readIndexTexts(storage.db, companyId);
    const { buffer } = await receivedIndex(jobs.run(companyId, 'indexOnly', null, texts));
    return baseOf(companyId, buffer, version);
  };

  const heldOf = async (
    companyId: string,
    buffer: Uint8Array,
    version: number,
    length: number,
  ): Promise<Held> => {
    const index = ZoneIndex.fromBuffer<Geozone>(buffer, { verify: false });
    return {
      version,
      index,
      base: await baseOf(companyId, buffer, version),
      changes: 0,
      bytes: buffer.byteLength + length + HEAD_BYTES * index.size,
      baseBytes: 0,
    };
  };

  const pathOf = (companyId: string): string | null =>
    folder === null ? null : join(folder, `${hashOf(companyId)}.zones`);

  return { change, readAnew, openFile, readBase };
}

function tooLong(): WayzoneError {
  const text = `expected geozones whose names and keys have at most ${MOST_HEADS} characters, received more`;
  return new WayzoneError('limit-memory', '', text, { status: 422, wireCode: 422 });
}

async function* nothing(): AsyncGenerator<Piece> {}
