/** Builds the index of a company's geozones, and their heads, from rows or from a file. */

import { ZoneIndex } from 'wayzone';
import type { JobOptions, JobValue } from './jobTypes.js';
import type { Pipe } from './pipe.js';
import { rowPages, rowsOf, type ZoneRow } from './rowTexts.js';
import { readZoneFile, writeZoneFile } from './zoneFile.js';
import { headOf } from './zoneHead.js';

/** Minimum number of rows for a file. Smaller companies are read from the database as fast as from a file. */
const LEAST_SAVED = 2000;
/** Number of heads in a page. */
const PAGE = 1000;
/** Size of a piece of an index. */
const PIECE_BYTES = 1 << 20;

export async function indexJob(pipe: Pipe, save: JobOptions['index']): Promise<JobValue['index']> {
  const rows: ZoneRow[] = [];
  for await (const page of rowPages(pipe)) {
    for (const row of page) rows.push(row);
    await pipe.send(JSON.stringify(page.map(headOf)));
  }
  const buffer = new ZoneIndex(rows).toBuffer();
  await sendIndex(pipe, buffer);
  if (save === null || rows.length < LEAST_SAVED) return false;
  const { path, token, version } = save;
  const heads = rows.map((row) => JSON.stringify(headOf(row))).join('\n');
  return writeZoneFile(path, { token, version, heads, buffer });
}

export async function indexOnlyJob(pipe: Pipe): Promise<JobValue['indexOnly']> {
  const rows: ZoneRow[] = [];
  for await (const row of rowsOf(pipe)) rows.push(row);
  await sendIndex(pipe, new ZoneIndex(rows).toBuffer());
}

/** The length of the index comes first, as eight bytes. */
async function sendIndex(pipe: Pipe, buffer: ArrayBuffer): Promise<void> {
  await pipe.send(new Uint8Array(new Float64Array([buffer.byteLength]).buffer));
  for (let from = 0; from < buffer.byteLength; from += PIECE_BYTES)
    await pipe.send(new Uint8Array(buffer, from, Math.min(PIECE_BYTES, buffer.byteLength - from)));
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
  const heads = file.heads === '' ? [] : file.heads.split('\n');
  for (let from = 0; from < heads.length; from += PAGE)
    await pipe.send(`[${heads.slice(from, from + PAGE).join(',')}]`);
  await sendIndex(pipe, buffer);
  return { token, version };
}
