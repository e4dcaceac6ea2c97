import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { FixSpill } from '../../src/cli/shared/fixSpill.js';
import { UnitStore } from '../../src/cli/shared/unitColumns.js';
import type { Fix, FixTable } from '../../src/core/fix.js';
import { FixBatches, fixesOf } from '../../src/interchange/common/fixBatches.js';
import { type ReplayFixes, replay } from '../../src/parallel/index.js';
import { seeded } from '../volume.js';

/** Fixes with every field that a track uses. Each optional field is present in some of them only. */
function fixesOfUnit(random: () => number, count: number): Fix[] {
  return Array.from({ length: count }, (_, i) => ({
    time: Date.UTC(2026, 2, 2) + i * 30_000 - (random() < 0.05 ? 45_000 : 0),
    lon: 37 + i * 0.001,
    lat: 55 + random() * 0.001,
    ...(random() < 0.5 && { speedKph: random() * 90 }),
    ...(random() < 0.2 && { accuracyMeters: random() * 20 }),
    ...(random() < 0.2 && { mileageMeters: i * 10 }),
    ...(random() < 0.2 && { mileageDeltaMeters: 10 }),
    ...(random() < 0.1 && { valid: random() < 0.5 }),
    ...(random() < 0.4 && { ignition: random() < 0.5 }),
  }));
}

function allFixes(tables: Iterable<FixTable>): Fix[] {
  const fixes: Fix[] = [];
  for (const table of tables) for (const fix of fixesOf(table)) fixes.push(fix);
  return fixes;
}

/** Fixes of four units, and a store filled with them from two files: one of alternating units, one with runs of up to 200 fixes. */
function filledStore(most?: number): { readonly wanted: Map<string, Fix[]>; readonly store: UnitStore } {
  const random = seeded(8);
  const names = ['a', 'b', 'c', 'd'];
  const wanted = new Map(names.map((name) => [name, fixesOfUnit(random, 3000)]));
  const store = new UnitStore(most);
  const left = new Map([...wanted].map(([name, fixes]) => [name, [...fixes]]));
  for (const longest of [1, 200]) {
    const reading = store.reading();
    const batches = new FixBatches(reading.take);
    let count = 0;
    while (count < 6000) {
      const name = names[Math.floor(random() * names.length)]!;
      const fixes = left.get(name)!.splice(0, 1 + Math.floor(random() * longest));
      const number = batches.units.numberOf(name) ?? batches.units.add(name);
      for (const fix of fixes) batches.add(number, fix);
      count += fixes.length;
      // Flush often, so that the store has to count often.
      if (random() < 0.01) batches.flush();
      if ([...left.values()].every((list) => list.length === 0)) break;
    }
    batches.flush();
    expect(reading.count()).toEqual({ units: 4, fixes: count });
  }
  for (const [name, fixes] of left) store.add(name, fixes);
  return { wanted, store };
}

test.each([
  ['memory', undefined],
  ['a temporary file, written every 700 fixes', 700],
  ['a temporary file, written after each fix', 1],
])('the store returns the fixes of each unit in order, kept in %s', (_, most) => {
  const add = vi.spyOn(FixSpill.prototype, 'add');
  const { wanted, store } = filledStore(most);
  expect(add.mock.calls.length > 8).toBe(most !== undefined);
  for (const [name, fixes] of wanted) {
    expect(allFixes(store.units.get(name)!)).toEqual(fixes);
    // Read twice, as callers may.
    expect(allFixes(store.units.get(name)!)).toEqual(fixes);
  }
  store.close();
  add.mockRestore();
});

test('without a temporary folder, or with a full disk, the fixes stay in memory', () => {
  const { value } = Object.getOwnPropertyDescriptor(FixSpill.prototype, 'flush')!;
  const original = value as (this: FixSpill) => void;
  const flush = vi.spyOn(FixSpill.prototype, 'flush');
  for (const full of [1, 3]) {
    let calls = 0;
    flush.mockImplementation(function (this: FixSpill) {
      if (++calls >= full) throw new Error('ENOSPC');
      return original.call(this);
    });
    const { wanted, store } = filledStore(700);
    expect(calls).toBe(full);
    for (const [name, fixes] of wanted) expect(allFixes(store.units.get(name)!)).toEqual(fixes);
    store.close();
  }
  flush.mockRestore();
  vi.stubEnv('TMPDIR', join(tmpdir(), 'wayzone-no-such-folder'));
  const { wanted, store } = filledStore(700);
  vi.unstubAllEnvs();
  for (const [name, fixes] of wanted) expect(allFixes(store.units.get(name)!)).toEqual(fixes);
});

test('replay gives the same results from columns as from objects', async () => {
  const random = seeded(9);
  const fixes = fixesOfUnit(random, 20_000);
  const store = new UnitStore();
  store.add('van', fixes);
  const run = async (given: Iterable<ReplayFixes>, workers: number): Promise<unknown[]> => {
    const results: unknown[] = [];
    for await (const unit of replay([{ unitId: 'van', fixes: given }], { movement: true, workers }))
      results.push(unit);
    return results;
  };
  const wanted = await run(fixes, 0);
  expect(await run(store.units.get('van')!, 0)).toEqual(wanted);
  expect(JSON.stringify(wanted)).toContain('"invalid"');
});
