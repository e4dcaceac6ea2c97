import { sql } from 'kysely';
import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import { cellMap } from '../src/stream/cellMap.js';
import {
  type LiveStream,
  liveStream,
  type StreamWorkerOptions,
  startWorker,
} from '../src/stream/liveStream.js';

type Given = Pick<StreamWorkerOptions, 'storage'> & Partial<StreamWorkerOptions>;

/** A live stream with a worker of its own, without ticks and with the shortest retention. `storage`: used by the senders. */
export function testStream(given: Given, storage: Storage = given.storage): LiveStream {
  const worker = startWorker({
    latenessSeconds: 30,
    rotationMs: 60_000,
    tickMs: 0,
    now: null,
    onCommitted: () => {},
    onPaused: () => {},
    ...given,
  });
  return liveStream({ storage, days: fixDays(storage), worker, now: given.now ?? null });
}

/** Adds messages to the cell of a unit, past the intake. Returns the cell. `stamp`: epoch milliseconds. */
export async function addTo(
  storage: Storage,
  companyId: string,
  unitId: string,
  stamp: number,
  ...payloads: readonly Uint8Array[]
): Promise<number> {
  const { cell } = (await cellMap(storage).of(companyId)).of(unitId);
  for (const payload of payloads)
    await sql`with head as (update cells set head = head + 1 where cell = ${cell} returning head)
      insert into cell_messages (cell, seq, stamp, payload)
      select ${cell}, head, ${stamp}, ${Buffer.from(payload)}::bytea from head`.execute(storage.db);
  return cell;
}
