import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UnitFix } from '../src/live/fixes.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import { addCompany } from './addCompany.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';

/** A company that edits its zones costs the companies in the same cell nothing. */

const START = Date.UTC(2026, 2, 2, 6);
const zone = (id: string, lon: number): WireRow =>
  ({ id, name: id, type: { key: 'circle' }, geometry: [[lon, 60]], width: 500 }) as WireRow;

let storage: Storage;
beforeAll(async () => {
  ({ storage } = await embedded());
});
afterAll(() => storage?.close());

test('a new version of one company writes the states of its units alone', async () => {
  const units = ['edits', 'sends'].map(
    (company) => [company, [0, 1, 2].map((i) => `${company}-${i}`)] as const,
  );
  for (const [company, ids] of units)
    await addCompany(storage, company, {
      zones: [zone(`${company} yard`, 30)],
      units: ids.map((id) => ({ id })),
    });
  // No state is due in the time of the test.
  const live = testStream({ storage, now: () => START, rotationMs: 1e12 });
  const fixesAt = (ids: readonly string[], minute: number): UnitFix[] =>
    ids.map((unitId) => ({ unitId, fix: { time: START + minute * 60_000, lon: 30, lat: 60 } }));
  for (const [company, ids] of units) await live.push(company, fixesAt(ids, 0));
  const stored = async (): Promise<string[]> =>
    (await storage.db.selectFrom('unit_states').select('unit_id').orderBy('unit_id').execute()).map(
      ({ unit_id: id }) => id,
    );
  expect(await stored()).toEqual([]);
  for (let edit = 1; edit <= 3; edit++) {
    const version = await write(storage, 'edits', async (writer) => {
      await writer.insert('geozones', [zone(`quay ${edit}`, 30.1)]);
      return writer.version;
    });
    await live.push('edits', fixesAt(units[0]![1], edit), version);
    await live.push('sends', fixesAt(units[1]![1], edit));
    expect(await stored()).toEqual(units[0]![1]);
  }
  await live.close();
  expect(await stored()).toEqual([...units[0]![1], ...units[1]![1]]);
});
