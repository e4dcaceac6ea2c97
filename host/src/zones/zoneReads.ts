/** Reads a company's geozones: from the database, from a saved file, and the rows changed since. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Geozone, ZoneIndex } from 'wayzone';
import { hashOf } from '../auth/apiKeys.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Piece } from '../jobs/pipe.js';
import { receivedBytes } from '../jobs/receivedBytes.js';
import type { ZoneRow } from '../jobs/rowTexts.js';
import { headOf } from '../jobs/zoneHead.js';
import { readChanges, readVersion } from '../storage/rows.js';
import { readIndexTexts } from '../storage/rowTexts.js';
import type { Storage } from '../storage/storage.js';
import { applyRow } from './applyRow.js';
import { knowsFile, rememberFile } from './zoneSnapshots.js';

export interface CompanyZones {
  /** All writes up to this version are there. */
  readonly version: number;
  /** No write of a later version than this is there: the zones are those of one moment if both versions are equal. */
  readonly upTo: number;
  /** The live zones. */
  readonly index: ZoneIndex<Geozone>;
  /** The zones as computations take them. */
  readonly base: ZoneBase;
  /** The heads of the zones that were written since, as JSON texts by id. An entry is replaced, not changed. */
  readonly later: ReadonlyMap<string, readonly [text: string]>;
}

/** A company's zones as they were read, without later changes, in memory that other indexes of this process share. */
export interface ZoneBase {
  readonly index: Uint8Array;
  /** The fields of all zones that lists read: JSON texts, each with a line feed. */
  readonly heads: Uint8Array;
  /** Both hold all writes up to `version`, and no write after `upTo`. */
  readonly version: number;
  readonly upTo: number;
}

/** A company in memory. */
export interface Held extends CompanyZones {
  base: ZoneBase;
  readonly later: Map<string, readonly [text: string]>;
  /** Number of rows that were applied to the index and are not in the base. */
  changes: number;
  version: number;
  upTo: number;
  readonly index: ZoneIndex<Geozone>;
  /** The base that the index was opened from. */
  readonly first: ZoneBase;
}

/** The memory of a company. */
export function bytesOf({ base, first }: Held): number {
  const renewed = base === first ? 0 : base.index.length;
  return first.index.length + renewed + base.heads.length;
}

/** Maximum number of changed rows that are applied one by one, about 20 ms; with more, a process reads the whole company. */
export const MOST_CHANGES = 1000;

/** What the reads need: the jobs that parse, and the folder of saved files. */
export interface ZoneReadParts {
  readonly storage: Storage;
  readonly folder: string | null;
  readonly jobs: Jobs;
}

export interface ZoneReads {
  /** Applies the rows written since, so that the zones are those of this moment. Returns false and does nothing if there are too many. */
  readonly change: (companyId: string, held: Held) => Promise<boolean>;
  /** Reads all rows: a process parses and indexes them. */
  readonly readAnew: (companyId: string) => Promise<Held>;
  /** Opens the company's saved file. null if there is no file, or if its token is not in the database. */
  readonly openFile: (companyId: string) => Promise<Held | null>;
  /** Reads all rows for a base alone. */
  readonly readBase: (companyId: string) => Promise<ZoneBase>;
}

export function zoneReads({ storage, folder, jobs }: ZoneReadParts): ZoneReads {
  const change = async (companyId: string, held: Held): Promise<boolean> => {
    const span = { since: held.version, limit: MOST_CHANGES + 1 };
    const { version, rows } = await readChanges<ZoneRow>(storage.db, companyId, span);
    if (rows.length > MOST_CHANGES) return false;
    for (const row of rows) {
      applyRow(held.index, row);
      held.later.set(row.id, [JSON.stringify(headOf(row))]);
    }
    held.changes += rows.length;
    if (version !== null) held.version = held.upTo = version;
    return true;
  };

  const readAnew = async (companyId: string): Promise<Held> => {
    const version = await versionBefore(companyId);
    const token = randomUUID();
    const path = pathOf(companyId);
    const texts = readIndexTexts(storage.db, companyId);
    const save = path === null ? null : { path, token, version };
    const { buffers, value: isSaved } = await receivedBytes(jobs.run(companyId, 'index', save, texts));
    if (isSaved) await rememberFile(storage, companyId, token, version);
    return heldOf(await baseOf(companyId, buffers, version));
  };

  const openFile = async (companyId: string): Promise<Held | null> => {
    const path = pathOf(companyId);
    if (path === null || !existsSync(path)) return null;
    const version = await versionBefore(companyId);
    const { buffers, value: file } = await receivedBytes(jobs.run(companyId, 'open', { path }, nothing()));
    if (file === null || file.version > version || !(await knowsFile(storage, companyId, file))) return null;
    return heldOf(await baseOf(companyId, buffers, file.version));
  };

  const baseOf = async (
    companyId: string,
    [index, heads]: readonly Uint8Array[],
    version: number,
  ): Promise<ZoneBase> => {
    // The buffers may contain rows that were written while others were read.
    const upTo = (await readVersion(storage.db, companyId)) ?? version;
    return { index: index!, heads: heads!, version, upTo };
  };

  const readBase = async (companyId: string): Promise<ZoneBase> => {
    const version = await versionBefore(companyId);
    const texts = readIndexTexts(storage.db, companyId);
    const { buffers } = await receivedBytes(jobs.run(companyId, 'index', null, texts));
    return baseOf(companyId, buffers, version);
  };

  const heldOf = (base: ZoneBase): Held => {
    const index = ZoneIndex.fromBuffer<Geozone>(base.index, { verify: false });
    const { version, upTo } = base;
    return { version, upTo, index, base, first: base, later: new Map(), changes: 0 };
  };

  /** The version, asked for before rows are read: a row that is written meanwhile is read again later. */
  const versionBefore = async (companyId: string): Promise<number> =>
    (await readVersion(storage.db, companyId)) ?? -1;

  const pathOf = (companyId: string): string | null =>
    folder === null ? null : join(folder, `${hashOf(companyId)}.zones`);

  return { change, readAnew, openFile, readBase };
}

async function* nothing(): AsyncGenerator<Piece> {}
