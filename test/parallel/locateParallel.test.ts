import { describe, expect, test, vi } from 'vitest';
import type { Geozone } from '../../src/index.js';
import * as wayzone from '../../src/index.js';
import * as parallel from '../../src/parallel/index.js';
import { seeded } from '../volume.js';
import { PLACES, probeAt, zoneAt } from '../zones/generators.js';

vi.mock('node:worker_threads', async (original) =>
  (await import('./builtThreads.js')).builtThreads(original),
);

function sample(count: number): { zones: Geozone[]; positions: Float64Array } {
  const random = seeded(61);
  const zones = Array.from({ length: 400 }, (_, i) =>
    zoneAt(random, `z${i}`, PLACES[i % PLACES.length]!, 0.1 + random() * 0.2),
  );
  const positions = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) positions.set(probeAt(random, PLACES[i % 3]!, 0.3), 2 * i);
  return { zones, positions };
}

async function errorOf(promise: Promise<unknown>): Promise<{ code: string; field: string; cause?: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as { code: string; field: string; cause?: unknown };
  }
  throw new Error('expected an error, received none');
}

describe('locateParallel', () => {
  test('gives the same answer with any number of threads, also after edits', async () => {
    const { zones, positions } = sample(40_000);
    const index = new wayzone.ZoneIndex(zones);
    index.remove('z7');
    index.update({ ...zones[8]!, id: 'z9' });
    const expected = index.atMany(positions);
    for (const workers of [1, 3]) {
      const steps: number[] = [];
      const answer = await parallel.locateParallel(index, positions, {
        workers,
        onProgress: ({ positions: done, total }) => {
          expect(total).toBe(40_000);
          steps.push(done);
        },
      });
      expect(Buffer.from(answer.offsets.buffer).equals(Buffer.from(expected.offsets.buffer))).toBe(true);
      expect(answer.zones).toEqual(expected.zones);
      expect(steps).toEqual([...steps].sort((p, q) => p - q));
      expect(steps.at(-1)).toBe(40_000);
    }
  });

  test('accepts positions in shared memory, zero positions, and fewer than a chunk', async () => {
    const { zones, positions } = sample(100);
    const index = new wayzone.ZoneIndex(zones);
    const shared = new Float64Array(new SharedArrayBuffer(positions.byteLength));
    shared.set(positions);
    expect(await parallel.locateParallel(index, shared, { workers: 8 })).toEqual(index.atMany(positions));
    expect(await parallel.locateParallel(index, new Float64Array(0))).toEqual({
      offsets: new Uint32Array(1),
      zones: new Uint32Array(0),
    });
  });

  test('reports the first invalid position by its index, as atMany does', async () => {
    const { zones, positions } = sample(40_000);
    positions[2 * 33_000 + 1] = 91;
    positions[2 * 21_000] = Number.NaN;
    const index = new wayzone.ZoneIndex(zones);
    expect(await errorOf(parallel.locateParallel(index, positions, { workers: 2 }))).toMatchObject({
      code: 'coord-not-finite',
      field: 'lonLat[21000][0]',
    });
    expect((await errorOf(parallel.locateParallel(index, new Float64Array(3)))).code).toBe('coord-type');
    expect(await errorOf(parallel.locateParallel(index, positions, null as never))).toMatchObject({
      code: 'option-type',
      field: 'options',
    });
    for (const workers of [0, 1.5, Number.NaN]) {
      expect(await errorOf(parallel.locateParallel(index, positions, { workers }))).toMatchObject({
        code: 'option-value',
        field: 'options.workers',
      });
    }
  });

  test('stops when the signal aborts, before or during the work, and when onProgress throws', async () => {
    const { zones, positions } = sample(100_000);
    const index = new wayzone.ZoneIndex(zones);
    const reason = new Error('enough');
    expect(
      await errorOf(parallel.locateParallel(index, positions, { signal: AbortSignal.abort(reason) })),
    ).toMatchObject({ code: 'aborted', field: 'options.signal', cause: reason });
    const controller = new AbortController();
    let calls = 0;
    const onProgress = (): void => {
      calls++;
      controller.abort(reason);
    };
    expect(
      await errorOf(
        parallel.locateParallel(index, positions, { workers: 2, signal: controller.signal, onProgress }),
      ),
    ).toMatchObject({ code: 'aborted', cause: reason });
    expect(calls).toBe(1);
    const thrown = await errorOf(
      parallel.locateParallel(index, positions, {
        workers: 2,
        onProgress: () => {
          throw reason;
        },
      }),
    );
    expect(thrown).toBe(reason);
  });
});
