/** Reads the index of a company's geozones: from the database, from a saved file, and the rows changed since. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Geozone, ZoneIndex } from 'wayzone';
import { keyHash } from '../auth/apiKeys.js';
import type { Jobs } from '../jobs/jobs.js';
import type { StoredZone } from '../jobs/jobTypes.js';
import { type Chunk, receivedBytes } from '../jobs/pipe.js';
import type { ZoneFileStamp } from '../jobs/zoneFile.js';
import { readVersion, readWrittenSince } from '../storage/rows.js';
import { readIndexTexts } from '../storage/rowTexts.js';
import type { Storage } from '../storage/storage.js';
import { MOST_CHANGES, type Versioned } from './versionedCache.js';
import { applyRow } from './zoneHeads.js';

/** Maximum number of files per company; each data folder has one. */
const MOST_FILES = 16;

/** A company's zones as they were read, without later changes, in memory that other indexes of this process share. */
export interface ZoneBase extends Versioned {
  readonly index: Uint8Array;
}

export interface CompanyZones extends Versioned {
  /** The live zones. */
  readonly index: ZoneIndex<Geozone>;
  /** The zones as computations take them. */
  readonly base: ZoneBase;
}

/** A company in memory. */
export interface HeldZones extends CompanyZones {
  version: number;
  upTo: number;
  /** Number of rows that were applied to the index and are not in the base. */
  changes: number;
}

/** Services of the reads: the jobs that parse, and the folder of saved files. */
export interface ZoneReadParts {
  readonly storage: Storage;
  readonly folder: string | null;
  readonly jobs: Jobs;
}

export interface ZoneReads {
  readonly change: (companyId: string, held: HeldZones) => Promise<boolean>;
  /** Reads all rows: a process parses and indexes them. */
  readonly read: (companyId: string) => Promise<HeldZones>;
  /** Opens the company's saved file. null if there is no file, or if its token is not in the database. */
  readonly open: (companyId: string) => Promise<HeldZones | null>;
}

export function zoneReads({ storage, folder, jobs }: ZoneReadParts): ZoneReads {
  const change = async (companyId: string, held: HeldZones): Promise<boolean> => {
    const span = { since: held.version, limit: MOST_CHANGES + 1 };
    const { version, rows } = await readWrittenSince<StoredZone>(storage.db, companyId, span);
    if (rows.length > MOST_CHANGES) return false;
    for (const row of rows) applyRow(held.index, row);
    held.changes += rows.length;
    if (version !== null) held.version = held.upTo = version;
    return true;
  };

  const read = async (companyId: string): Promise<HeldZones> => {
    const version = await versionBefore(companyId);
    const token = randomUUID();
    const path = pathOf(companyId);
    const texts = readIndexTexts(storage.db, companyId);
    const save = path === null ? null : { path, token, version };
    const { buffers, value: isSaved } = await receivedBytes(jobs.run(companyId, 'index', save, texts));
    if (isSaved) await rememberFile(storage, companyId, token, version);
    return heldOf(companyId, buffers, version);
  };

  const open = async (companyId: string): Promise<HeldZones | null> => {
    const path = pathOf(companyId);
    if (path === null || !existsSync(path)) return null;
    const version = await versionBefore(companyId);
    const { buffers, value: file } = await receivedBytes(jobs.run(companyId, 'open', { path }, nothing()));
    if (file === null || file.version > version || !(await knowsFile(storage, companyId, file))) return null;
    return heldOf(companyId, buffers, file.version);
  };

  const heldOf = async (
    companyId: string,
    [bytes]: readonly Uint8Array[],
    version: number,
  ): Promise<HeldZones> => {
    // The buffer may contain rows that were written while others were read.
    const upTo = (await readVersion(storage.db, companyId)) ?? version;
    const index = ZoneIndex.fromBuffer<Geozone>(bytes!, { verify: false });
    return { version, upTo, index, base: { index: bytes!, version, upTo }, changes: 0 };
  };

  /** The version, asked for before rows are read: a row that is written meanwhile is read again later. */
  const versionBefore = async (companyId: string): Promise<number> =>
    (await readVersion(storage.db, companyId)) ?? -1;

  const pathOf = (companyId: string): string | null =>
    folder === null ? null : join(folder, `${keyHash(companyId)}.zones`);

  return { change, read, open };
}

async function* nothing(): AsyncGenerator<Chunk> {}

async function rememberFile(
  { db }: Storage,
  companyId: string,
  token: string,
  version: number,
): Promise<void> {
  await db.insertInto('zone_snapshots').values({ token, company_id: companyId, version }).execute();
  await db
    .deleteFrom('zone_snapshots')
    .where('company_id', '=', companyId)
    .where('token', 'not in', (query) =>
      query
        .selectFrom('zone_snapshots')
        .select('token')
        .where('company_id', '=', companyId)
        .orderBy('version', 'desc')
        .limit(MOST_FILES),
    )
    .execute();
}

async function knowsFile(
  { db }: Storage,
  companyId: string,
  { token, version }: ZoneFileStamp,
): Promise<boolean> {
  const found = await db
    .selectFrom('zone_snapshots')
    .select('token')
    .where('token', '=', token)
    .where('company_id', '=', companyId)
    .where('version', '=', String(version))
    .executeTakeFirst();
  return found !== undefined;
}
