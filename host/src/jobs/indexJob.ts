/** Builds the index of a company's geozones, and their heads, from rows or from a file. */

import { WayzoneError, ZoneIndex } from 'wayzone';
import type { JobOptions, JobValue } from './jobTypes.js';
import type { Pipe } from './pipe.js';
import { sendBytes } from './receivedBytes.js';
import { rowPages, rowsOf, type ZoneRow } from './rowTexts.js';
import { readZoneFile, writeZoneFile } from './zoneFile.js';
import { headOf } from './zoneHead.js';

/** Minimum number of rows for a file. Smaller companies are read from the database as fast as from a file. */
const LEAST_SAVED = 2000;
/** Maximum size of the heads of a company, bytes: a process holds those of several companies. */
const MOST_HEADS = 400e6;

export async function indexJob(pipe: Pipe, save: JobOptions['index']): Promise<JobValue['index']> {
  const rows: ZoneRow[] = [];
  const pages: Buffer[] = [];
  let length = 0;
  for await (const page of rowPages(pipe)) {
    for (const row of page) rows.push(row);
    const heads = Buffer.from(page.map((row) => `${JSON.stringify(headOf(row))}\n`).join(''));
    length += heads.length;
    if (length > MOST_HEADS) throw tooLong();
    pages.push(heads);
  }
  const heads = Buffer.concat(pages);
  const buffer = new ZoneIndex(rows).toBuffer();
  await sendBytes(pipe, new Uint8Array(buffer));
  await sendBytes(pipe, heads);
  if (save === null || rows.length < LEAST_SAVED) return false;
  const { path, token, version } = save;
  return writeZoneFile(path, { token, version, heads, buffer });
}

function tooLong(): WayzoneError {
  const text = `expected geozones whose names and keys have at most ${MOST_HEADS} bytes, received more`;
  return new WayzoneError('limit-memory', '', text, { status: 422, wireCode: 422 });
}

export async function indexOnlyJob(pipe: Pipe): Promise<JobValue['indexOnly']> {
  const rows: ZoneRow[] = [];
  for await (const row of rowsOf(pipe)) rows.push(row);
  await sendBytes(pipe, new Uint8Array(new ZoneIndex(rows).toBuffer()));
}

export async function openJob(pipe: Pipe, { path }: JobOptions['open']): Promise<JobValue['open']> {
  const file = readZoneFile(path);
  if (file === null) return null;
  const { token, version, heads, buffer } = file;
  try {
    // Verifies the checksum: a damaged file is not used.
    ZoneIndex.fromBuffer(buffer);
  } catch {
    return null;
  }
  await sendBytes(pipe, new Uint8Array(buffer));
  await sendBytes(pipe, heads);
  return { token, version };
}
