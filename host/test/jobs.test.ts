import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type Geozone, ZoneIndex } from 'wayzone';
import { toFeatureCollection, toKmz } from 'wayzone/interchange';
import { jobProcesses } from '../src/jobs/jobProcesses.js';
import { hostJobs, type Jobs } from '../src/jobs/jobs.js';
import type { JobName, JobOptions, JobValue } from '../src/jobs/jobTypes.js';
import { type Chunk, receivedBytes } from '../src/jobs/pipe.js';

/** Jobs in processes, which run the built code (`npm run build:host`). */

const jobs = hostJobs();
afterAll(() => jobs.close());

function zones(count: number): (Geozone & { id: string })[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `z${i}`,
    name: `Zone ${i}`,
    type: { key: 'circle' as const },
    geometry: [[30 + i / 1000, 60]],
    width: 50,
  }));
}

async function* pieces(...given: readonly (string | Uint8Array)[]): AsyncGenerator<Chunk> {
  for (const piece of given) yield piece as Chunk;
}

async function whole<Name extends JobName>(
  from: Jobs,
  name: Name,
  options: JobOptions[Name],
  input: AsyncIterable<Chunk>,
): Promise<{ out: string[]; value: JobValue[Name] }> {
  const job = from.run('a', name, options, input);
  const out: string[] = [];
  for (;;) {
    const { done, value } = await job.next();
    if (done === true) return { out, value };
    out.push(typeof value === 'string' ? value : Buffer.from(value).toString('latin1'));
  }
}

const CREATED = '2026-03-02 15:00:00';
const DRY = { format: 'kmz', created: CREATED, isDry: true } as const;
const texts = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join(',');

test('the event loop stays free while a whole file is read', async () => {
  const file = toKmz(zones(1000));
  let turns = 0;
  let isOver = false;
  const turning = (async () => {
    for (; !isOver; turns++) await setImmediate();
  })();
  const { value } = await whole(jobs, 'import', DRY, pieces(file));
  isOver = true;
  await turning;
  expect(value).toMatchObject({ read: 1000 });
  // In this process, the archive would take one turn of the event loop and the rows two more.
  expect(turns).toBeGreaterThan(20);
});

test('an import yields complete rows in pages, and none for a dry run or a file with an error', async () => {
  const text = JSON.stringify(toFeatureCollection(zones(1200), { all: true }));
  const options = { format: 'geojson', created: CREATED, isDry: false } as const;
  const { out, value } = await whole(jobs, 'import', options, pieces(Buffer.from(text)));
  const rows = out.flatMap((page) => JSON.parse(page) as (Geozone & { id: string; created: string })[]);
  expect([out.length, rows.length, value.read]).toEqual([3, 1200, 1200]);
  expect(rows.map(({ name }) => name)).toEqual(zones(1200).map(({ name }) => name));
  expect(rows[0]).toMatchObject({ created: CREATED, width: 50, area: expect.any(Number) });
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1200);
  const broken = await whole(jobs, 'import', options, pieces(Buffer.from(text.slice(0, -40))));
  expect(broken.out).toEqual([]);
  expect(broken.value.issues.some(({ severity }) => severity === 'error')).toBe(true);
});

test('a zone with an error is an issue with its field; an error of the input is thrown unchanged', async () => {
  const nul = JSON.stringify(toFeatureCollection(zones(2), { all: true })).replace('Zone 1', 'a\\u0000b');
  const options = { format: 'geojson', created: CREATED, isDry: true } as const;
  const { out, value } = await whole(jobs, 'import', options, pieces(Buffer.from(nul)));
  expect(out).toEqual([]);
  expect(value).toMatchObject({
    isRefused: true,
    issues: [{ code: 'text-invalid', field: 'zones[1].name', severity: 'error' }],
  });
  const cut = new Error('cut off');
  async function* failing(): AsyncGenerator<Chunk> {
    yield Buffer.from('{"type":') as Chunk;
    throw cut;
  }
  await expect(whole(jobs, 'import', options, failing())).rejects.toBe(cut);
});

test('an index is received as it was built', async () => {
  const rows = zones(50);
  const deleted = { ...rows[7]!, is_delete: true };
  const all = rows.map((row, i) => (i === 7 ? deleted : row));
  const input = pieces(texts(all.slice(0, 20)), texts(all.slice(20)));
  const { buffers, value } = await receivedBytes(jobs.run('a', 'index', null, input));
  const index = ZoneIndex.fromBuffer(buffers[0]!);
  expect(index.ids()).toEqual(rows.filter((_, i) => i !== 7).map(({ id }) => id));
  expect(index.at([30.003, 60])).toEqual(new ZoneIndex(rows).at([30.003, 60]));
  expect([buffers.length, value]).toEqual([1, false]);
});

test('a reader that does not read pauses the job where there is no room, and ends it when it stops', async () => {
  const jobs = hostJobs({ exportBytes: 0 });
  let given = 0;
  async function* endless(): AsyncGenerator<Chunk> {
    for (; ; given++) yield texts(zones(100));
  }
  const job = jobs.run('a', 'export', { format: 'geojson', language: 'en' }, endless());
  await job.next();
  const before = given;
  // Other jobs run, for longer than the paused one would need for a hundred pages.
  expect((await whole(jobs, 'import', DRY, pieces(toKmz(zones(1000))))).value.read).toBe(1000);
  expect(given - before).toBeLessThan(100);
  await job.return([]);
  expect((await whole(jobs, 'import', DRY, pieces(toKmz(zones(3))))).value.read).toBe(3);
  jobs.close();
});

test('a process is not taken once its time of idleness is over, also before its exit is heard of', async () => {
  const processes = jobProcesses({
    file: 'job',
    most: 2,
    mostOfCompany: 2,
    mostWaiting: 2,
    silentMs: 60_000,
    idleMs: 5,
    heapMegabytes: 256,
    what: 'a job',
  });
  const file = toKmz(zones(2));
  const read = async (): Promise<unknown> =>
    (
      await processes
        .run('a', () => ({ order: { name: 'import', options: DRY }, input: pieces(file) }))
        .next()
    ).value;
  try {
    for (let i = 0; i < 3; i++) {
      expect(await read()).toMatchObject({ read: 2 });
      // Both timers are due: the process is dismissed, and the next job comes in the same phase of the event loop.
      const next = setTimeout(5);
      for (const begun = performance.now(); performance.now() - begun < 10; );
      await next;
    }
  } finally {
    processes.close();
  }
});

test('jobs fail if the host ends', async () => {
  const own = hostJobs();
  const waiting = own.run('a', 'export', { format: 'kml', language: 'en' }, never());
  const refused = expect(waiting.next()).rejects.toMatchObject({ code: 'worker-failed', status: 503 });
  await setImmediate();
  own.close();
  await refused;
  await expect(whole(own, 'groups', { groups: [], query: {} }, never())).rejects.toMatchObject({
    status: 503,
  });
});

async function* never(): AsyncGenerator<Chunk> {
  await new Promise(() => {});
  yield '';
}
