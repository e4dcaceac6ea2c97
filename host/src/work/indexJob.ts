/** Builds the index of a company's geozones, from rows or from a file. */

import { ZoneIndex } from 'wayzone';
import type { JobOptions, JobValue } from '../jobs/jobTypes.js';
import type { Pipe } from '../jobs/pipe.js';
import { sendBytes } from '../jobs/receivedBytes.js';
import { rowsOf, type StoredZone } from '../jobs/rowTexts.js';
import { readZoneFile, writeZoneFile } from '../jobs/zoneFile.js';

/** Minimum number of rows for a file. Smaller companies are read from the database as fast as from a file. */
const LEAST_SAVED = 2000;

export async function indexJob(pipe: Pipe, save: JobOptions['index']): Promise<JobValue['index']> {
  const rows: StoredZone[] = [];
  for await (const row of rowsOf(pipe)) rows.push(row);
  const buffer = new ZoneIndex(rows).toBuffer();
  await sendBytes(pipe, new Uint8Array(buffer));
  if (save === null || rows.length < LEAST_SAVED) return false;
  const { path, token, version } = save;
  return writeZoneFile(path, { token, version, buffer });
}

export async function openJob(pipe: Pipe, { path }: JobOptions['open']): Promise<JobValue['open']> {
  const file = readZoneFile(path);
  if (file === null) return null;
  const { token, version, buffer } = file;
  try {
    // Verifies the checksum: a damaged file is not used.
    ZoneIndex.fromBuffer(buffer);
  } catch {
    return null;
  }
  await sendBytes(pipe, new Uint8Array(buffer));
  return { token, version };
}
