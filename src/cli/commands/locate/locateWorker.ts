/** A worker of `LocatePool`: answers batches of positions and writes their rows. */

import { parentPort } from 'node:worker_threads';
import { WayzoneError } from '../../../core/errors.js';
import type { ZoneRow } from '../../../zones/index/types.js';
import { ZoneIndex } from '../../../zones/zoneIndex.js';
import type { LocateAnswer, LocateBatch, LocateOrder } from './locateTask.js';
import { LocateText } from './locateText.js';

/** What a batch of rows usually takes. */
const ROWS_BYTES = 2 ** 22;

let index: ZoneIndex<ZoneRow> | null = null;
let text: LocateText | null = null;
let names: string[] = [];

function answer({ batch, length, columns }: LocateBatch): void {
  const { out } = text!;
  const places = { length, names, ...columns };
  const found = index!.atMany(columns.lonLat.subarray(0, 2 * length));
  for (let i = 0; i < length; i++) text!.add(places, found, i, batch === 0 && i === 0);
  const rows = out.takeBytes();
  const done: LocateAnswer = { batch, rows, columns };
  const { unit, time, lonLat } = columns;
  parentPort!.postMessage(done, [rows.buffer, unit.buffer, time.buffer, lonLat.buffer]);
}

parentPort!.on('message', (message: LocateOrder | LocateBatch) => {
  if (message.kind === 'order') {
    const { ids } = message;
    index = ZoneIndex.fromBuffer<ZoneRow>(message.index, { verify: false });
    text = new LocateText(message.format, (ordinal) => ids[ordinal] ?? null, ROWS_BYTES);
    return;
  }
  if (message.isNew) names = [];
  for (const name of message.names) names.push(name);
  try {
    answer(message);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const { code, field, message: what } = error;
    const refused: LocateAnswer = { batch: message.batch, error: { code, field, message: what } };
    parentPort!.postMessage(refused);
  }
});
