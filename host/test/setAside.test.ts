import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UnitFix } from '../src/live/fixes.js';
import type { Storage } from '../src/storage/storage.js';
import { FIRST_CELL } from '../src/stream/cellMap.js';
import { encodeFixes } from '../src/stream/message.js';
import { gaugeSetAside, listSetAside, resolveSetAside } from '../src/stream/setAside.js';
import { addCompany } from './addCompany.js';
import { embedded } from './testHost.js';
import { addTo, testStream } from './testStream.js';

/** Messages that cannot be read, and units with which workers died. */

const START = Date.UTC(2026, 2, 2, 6);
const van = (minute: number, unitId = 'van'): UnitFix => ({
  unitId,
  fix: { time: START + minute * 60_000, lon: 30, lat: 60 },
});
const textOf = (text: string): Uint8Array => new TextEncoder().encode(text);

let storage: Storage;
beforeAll(async () => {
  ({ storage } = await embedded());
  await addCompany(storage, 'c', { zones: [], units: [] });
});
afterAll(() => storage?.close());

const open = () => testStream({ storage, now: () => START });
const handled = async (): Promise<number> => {
  const { rows } = await sql<{ position: string }>`select position from cell_positions`.execute(storage.db);
  return Number(rows[0]!.position);
};

test.each([
  [2, []],
  [3, ['van']],
] as const)('after %i ends of workers at one unit it is set aside alone: %j', async (tries, expected) => {
  const cell = await addTo(
    storage,
    'c',
    'van',
    START,
    encodeFixes('c', [van(tries, 'bus'), van(tries), van(tries, 'car')]),
  );
  const seq = (await handled()) + 1;
  // What the ends of workers leave behind.
  await sql`update cell_positions set unproven = ${tries}, trying = ${seq}, trying_unit = 'van', tries = ${tries}, owner = 'dead'`.execute(
    storage.db,
  );
  const live = open();
  await live.push('c', [van(tries + 1, 'bus')]);
  const aside = await listSetAside(storage);
  expect(aside.map(({ unitId }) => unitId)).toEqual(expected);
  if (expected.length > 0)
    expect(aside).toMatchObject([
      { cell, seq, companyId: 'c', reason: expect.stringContaining('ended its worker 3 times') },
    ]);
  const { rows } = await sql<Record<string, unknown>>`
    select unproven, trying, tries from cell_positions`.execute(storage.db);
  expect(rows).toMatchObject([{ unproven: 0, trying: null }]);
  await live.close();
  const { rows: states } = await sql<{ unit_id: string }>`
    select unit_id from unit_states where not state like '%aside%' order by unit_id`.execute(storage.db);
  expect(states.map(({ unit_id: id }) => id)).toEqual(expect.arrayContaining(['bus', 'car']));
  if (expected.length > 0) await resolveSetAside(storage, { unitId: 'van' }, 'retry', START);
});

test('workers that end before any unit was handled set nothing aside, and no acknowledged fix is lost', async () => {
  await addTo(storage, 'c', 'van', START, encodeFixes('c', [van(5), van(6)]));
  await sql`update cell_positions set unproven = 6, owner = 'dead'`.execute(storage.db);
  const live = open();
  await live.push('c', [van(7)]);
  expect(await listSetAside(storage)).toEqual([]);
  await live.close();
});

test('a message that names no unit is listed and counted; a replay skips it; it is added again or skipped', async () => {
  let live = open();
  await addTo(storage, 'c', 'van', START, textOf('nonsense'), textOf('{"v":2}'));
  await live.push('c', [van(12)]);
  const [first, second] = await listSetAside(storage);
  expect(first).toMatchObject({
    cell: FIRST_CELL,
    unitId: null,
    companyId: null,
    reason: expect.stringContaining('JSON'),
  });
  expect(second).toMatchObject({ unitId: null, seq: first!.seq + 1, messages: [first!.seq + 1] });
  const registry = new Registry();
  gaugeSetAside(registry, storage);
  expect(await registry.metrics()).toContain('\nwayzone_set_aside{cell="10000"} 2\n');

  // A replay can read the second by now, but gives the outputs of the first run.
  await live.close();
  const payload = Buffer.from(encodeFixes('c', [van(11, 'late')]));
  await sql`update cell_messages set payload = ${payload} where seq = ${second!.seq}`.execute(storage.db);
  await sql`update set_aside set payload = ${payload} where seq = ${second!.seq}`.execute(storage.db);
  await sql`update cell_positions set replay_from = ${first!.seq}`.execute(storage.db);
  await sql`delete from unit_states where unit_id = 'van'`.execute(storage.db);
  const units = async (): Promise<string[]> =>
    (await storage.db.selectFrom('unit_states').select('unit_id').execute()).map((row) => row.unit_id);
  live = open();
  await live.push('c', [van(13)]);
  await live.close();
  expect(await units()).not.toContain('late');

  live = open();
  await resolveSetAside(storage, first!, 'skip', START);
  await resolveSetAside(storage, second!, 'retry', START);
  await live.push('c', [van(14)]);
  expect(await listSetAside(storage)).toEqual([]);
  expect(await registry.metrics()).not.toContain('wayzone_set_aside{');
  for (const decision of ['retry', 'skip'] as const)
    for (const key of [second!, { unitId: 'van' }, { unitId: '' }])
      await expect(resolveSetAside(storage, key as never, decision)).rejects.toMatchObject({
        code: 'aside-missing',
      });
  await live.close();
  expect(await units()).toContain('late');
});
