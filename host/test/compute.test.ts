import { afterAll, expect, test } from 'vitest';
import { type Compute, computeThreads } from '../src/threads/compute.js';
import { errorOfAsync } from './errorOfAsync.js';

/** Computations of requests: reuse of threads, budgets, and turns between companies. */

const opened: Compute[] = [];
const open = (options: Parameters<typeof computeThreads>[0]): Compute => {
  const compute = computeThreads(options);
  opened.push(compute);
  return compute;
};
afterAll(async () => {
  await Promise.all(opened.map((compute) => compute.close()));
});

const LINE = {
  width: 50,
  geometry: [
    [30, 60],
    [30.1, 60],
  ],
} as const;
/** A search in long names that takes seconds. */
const slow = (): { kind: 'routes'; rows: string[]; query: object; language: string; timeZone: string } => ({
  kind: 'routes',
  rows: Array.from({ length: 60 }, () => `{"name":"${'ab'.repeat(2_000_000)}"}`),
  query: { conditions: [{ field: 'name', value: 'ba'.repeat(1_000_000) }] },
  language: 'en',
  timeZone: 'UTC',
});

test('a thread serves one computation after another, and passes coded errors on', async () => {
  const compute = open({ threads: 2 });
  for (let i = 0; i < 5; i++)
    expect(JSON.parse(await compute.run('a', 'lineToPolygon', LINE))).toHaveProperty('polygon_geometry');
  const wrong = { ...LINE, width: -1 };
  expect(await errorOfAsync(compute.run('a', 'lineToPolygon', wrong))).toMatchObject({ code: 'width-range' });
  expect(JSON.parse(await compute.run('a', 'lineToPolygon', LINE))).toHaveProperty('polygon_geometry');
});

test('a computation beyond its time is ended, and its company’s next one is served', async () => {
  const compute = open({ threads: 2, budgetMs: 300 });
  expect(await errorOfAsync(compute.run('a', 'filter', slow()))).toMatchObject({
    code: 'limit-time',
    status: 422,
  });
  const warm = open({ threads: 2 });
  expect(JSON.parse(await warm.run('a', 'lineToPolygon', LINE))).toHaveProperty('polygon_geometry');
});

test('one company never occupies all threads, and its queue is bounded', async () => {
  const compute = open({ threads: 2, budgetMs: 5000, mostWaiting: 2 });
  const hostile = [1, 2, 3, 4].map(() => errorOfAsync(compute.run('a', 'filter', slow())));
  const order: string[] = [];
  void hostile[1]!.then(() => order.push('a'));
  const other = compute.run('b', 'lineToPolygon', LINE).then((text) => {
    order.push('b');
    return text;
  });
  expect(JSON.parse(await other)).toHaveProperty('polygon_geometry');
  expect(order).toEqual(['b']);
  expect(await hostile[3]).toMatchObject({ code: 'limit-queue', status: 429 });
  await compute.close();
  expect(await hostile[1]).toMatchObject({ code: expect.any(String) });
});
