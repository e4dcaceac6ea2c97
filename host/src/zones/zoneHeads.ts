/** Reads the heads of a company's geozones: the fields by which lists are filtered and sorted. */

import { type Geozone, WayzoneError, type ZoneIndex, type ZoneRow } from 'wayzone';
import type { Given } from '../jobs/compute.js';
import type { HeadCells } from '../jobs/zoneFile.js';
import { readVersion, readWrittenSince } from '../storage/rows.js';
import { HEAD, readHeadTexts } from '../storage/rowTexts.js';
import type { Storage } from '../storage/storage.js';
import { MOST_CHANGES, type Versioned } from './versionedCache.js';

/** The heads of a company. Texts are JSON as `headOf` reads it. */
export interface ZoneHeads extends Versioned {
  /** All heads as they were read: lines of texts joined with commas. */
  readonly base: Uint8Array;
  /** The heads of the zones that were written since, by id. */
  readonly later: Map<string, string>;
}

/** Maximum size of the heads of a company, bytes: a process holds those of several companies. */
const MOST_BYTES = 400e6;

type Changed = ZoneHeads & { version: number; upTo: number };

/** Reads all rows. Ids and names alone are a hundredth of zones with their corridors. */
export async function readHeads({ db }: Storage, companyId: string): Promise<ZoneHeads> {
  const version = (await readVersion(db, companyId)) ?? -1;
  const lines: Buffer[] = [];
  let length = 0;
  for await (const texts of readHeadTexts(db, companyId)) {
    const line = Buffer.from(`${texts}\n`);
    length += line.length;
    if (length > MOST_BYTES) throw tooLong();
    lines.push(line);
  }
  const upTo = (await readVersion(db, companyId)) ?? version;
  return { version, upTo, base: Buffer.concat(lines), later: new Map() };
}

function tooLong(): WayzoneError {
  const text = `expected geozones whose names and keys have at most ${MOST_BYTES} bytes, received more`;
  return new WayzoneError('limit-memory', '', text, { status: 422, wireCode: 422 });
}

/** Adds the heads of the rows written since. Returns false and does nothing if there are too many. */
export async function changeHeads({ db }: Storage, companyId: string, held: ZoneHeads): Promise<boolean> {
  const span = { since: held.version, limit: MOST_CHANGES + 1 };
  const { version, rows } = await readWrittenSince<string>(db, companyId, span, HEAD);
  if (rows.length > MOST_CHANGES) return false;
  for (const head of rows) held.later.set((JSON.parse(head) as HeadCells)[0], head);
  const changed = held as Changed;
  if (version !== null) changed.version = changed.upTo = version;
  return true;
}

/** Input of a list: the heads, and the present heads of the zones that changed since. */
export function givenHeads({ base, later }: ZoneHeads): Given {
  const changes = [...later.values()];
  return {
    buffer: base,
    pages: {
      async *changes() {
        if (changes.length > 0) yield changes.join(',');
      },
    },
  };
}

/** Adds, updates or removes the zone of a row in an index. */
export function applyRow<Row extends Geozone | ZoneRow>(
  index: ZoneIndex<Row>,
  row: Row & { readonly id: string },
): void {
  if (row.is_delete === true) index.remove(row.id);
  else if (index.has(row.id)) index.update(row);
  else index.add(row);
}
