// A service with one depot, whose database is an HTTP server: `PORT` is that of the service, `STORE` the address of the database.

import * as restate from '@restatedev/restate-sdk';
import { ZoneIndex } from 'wayzone';
import { UNIT, unitHandler } from './unitHandler.ts';

const { PORT, STORE } = process.env;

async function post(path, body) {
  const answer = await fetch(`${STORE}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`expected 200 from the database, received ${answer.status}`);
  return answer.json();
}

const apply = unitHandler(
  {
    load: async (version) => ({ zones: new ZoneIndex(await post('zones', { version })) }),
    keepFixes: (unitId, { fixes }) => post('fixes', { unitId, fixes }),
    keepOutputs: (outputs) => post('outputs', outputs),
    history: (unitId, demand) => post('history', { unitId, demand }),
  },
  { latenessSeconds: 30 },
);
const unit = restate.object({ name: UNIT.service, handlers: { [UNIT.method]: apply } });
await restate.serve({ services: [unit], port: Number(PORT) });
