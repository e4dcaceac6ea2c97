/** Times edits of zones, and two threads. */

import RBush from 'rbush';
import { type Geozone, ZoneIndex } from '../src/index.js';
import { locateParallel } from '../src/parallel/index.js';
import { seeded } from '../test/volume.js';
import { shapesOf } from './zonePeers.js';
import { bestNs } from './zoneTime.js';
import type { Workload } from './zoneWorkloads.js';

/** Nanoseconds to move a zone by 1 km: in the whole index, and in rbush given the boxes. */
export function edits(workload: Workload, moves: number): { readonly ours: number; readonly rbush: number } {
  const zones = [...workload.zones()];
  const index = new ZoneIndex(zones);
  index.learnAll();
  const random = seeded(8);
  const chosen = Array.from({ length: moves }, () => zones[Math.floor(random() * zones.length)]!);
  const moved = (by: number): Geozone[] =>
    chosen.map((zone) => ({
      ...zone,
      geometry: zone.geometry.map(([x, y]): [number, number] => [x + by, y + by]),
    }));
  // Each pass moves each zone there and back.
  const passes = [moved(0.01), moved(0), moved(0.01), moved(0)];
  let pass = 0;
  const ours = bestNs(passes.length, moves, () => {
    for (const zone of passes[pass++]!) index.update(zone);
  });
  const shapes = shapesOf(zones);
  const items = shapes.polygons.map(([shell], i) => {
    const x = shell!.map(([lon]) => lon);
    const y = shell!.map(([, lat]) => lat);
    return { minX: Math.min(...x), minY: Math.min(...y), maxX: Math.max(...x), maxY: Math.max(...y), i };
  });
  const tree = new RBush<(typeof items)[number]>();
  tree.load(items);
  const order = chosen.map(({ id }) => Number(id.slice(1)));
  const rbush = bestNs(4, moves, () => {
    for (const i of order) {
      const old = items[i]!;
      tree.remove(old);
      const { minX, minY, maxX, maxY } = old;
      const shift = random() < 0.5 ? 0.01 : -0.01;
      items[i] = { minX: minX + shift, minY: minY + shift, maxX: maxX + shift, maxY: maxY + shift, i };
      tree.insert(items[i]!);
    }
  });
  return { ours, rbush };
}

/** Wall time of `locateParallel` with one thread and with two, in milliseconds. */
export async function threads(
  workload: Workload,
  count: number,
): Promise<{ readonly one: number; readonly two: number }> {
  const index = new ZoneIndex(workload.zones());
  index.learnAll();
  const lonLat = new Float64Array(new SharedArrayBuffer(16 * count));
  lonLat.set(workload.random(count));
  const best = { one: Infinity, two: Infinity };
  const sums: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (const workers of [1, 2] as const) {
      const start = process.hrtime.bigint();
      const { zones } = await locateParallel(index, lonLat, { workers });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      const key = workers === 1 ? 'one' : 'two';
      best[key] = Math.min(best[key], ms);
      sums.push(zones.reduce((sum, zone) => (Math.imul(sum, 31) + zone) | 0, 0));
    }
  }
  if (sums.some((sum) => sum !== sums[0])) throw new Error('expected equal answers of one thread and of two');
  return best;
}
