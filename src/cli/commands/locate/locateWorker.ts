/** A worker of `LocatePool`. */

import { parentPort } from 'node:worker_threads';
import type { ZoneRow } from '../../../zones/index/index.js';
import { ZoneIndex } from '../../../zones/zoneIndex.js';
import { LocateDesk } from './locateDesk.js';
import type { LocateMessage } from './locateOrder.js';

const desk = new LocateDesk((answer, moved) => parentPort!.postMessage(answer, moved));

parentPort!.on('message', (message: LocateMessage) => {
  if (message.kind !== 'order') {
    desk.do(message);
    return;
  }
  const { index, format, ids, idEnds } = message;
  const zones = ZoneIndex.fromBuffer<ZoneRow>(index, { verify: false });
  desk.open(zones, format, (ordinal) => ids.slice(idEnds[ordinal - 1] ?? 0, idEnds[ordinal]));
});
