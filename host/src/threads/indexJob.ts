/** A company's geozones as an index in shared memory, and their heads for lists. */

import { ZoneIndex } from 'wayzone';
import type { Pipe } from './pipe.js';
import { rowPages, type ZoneRow } from './rowTexts.js';
import { headOf } from './zoneHeads.js';

export async function indexJob(pipe: Pipe): Promise<SharedArrayBuffer> {
  const rows: ZoneRow[] = [];
  for await (const page of rowPages(pipe)) {
    for (const row of page) rows.push(row);
    await pipe.send(JSON.stringify(page.map(headOf)));
  }
  return new ZoneIndex(rows).toBuffer({ shared: true });
}
