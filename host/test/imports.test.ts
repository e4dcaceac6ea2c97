import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { Geozone } from 'wayzone';
import { toFeatureCollection } from 'wayzone/interchange';
import type { ProcessesOptions } from '../src/jobs/jobProcesses.js';
import { hostJobs, type Jobs } from '../src/jobs/jobs.js';
import type { JobOptions } from '../src/jobs/jobTypes.js';
import type { Chunk } from '../src/jobs/pipe.js';
import { endlessWork } from './endlessWork.js';
import { errorOfAsync } from './errorOfAsync.js';
import { ownClock, passTime } from './ownClock.js';

/** Files that are read in processes of their own (`npm run build:host` first). */

const opened: Jobs[] = [];
const open = (options: Partial<ProcessesOptions> = {}): Jobs => {
  const imports = hostJobs({ import: options });
  opened.push(imports);
  return imports;
};
afterAll(() => {
  for (const imports of opened) imports.close();
});

afterEach(() => void vi.useRealTimers());

const zone = (i: number): Geozone => ({
  id: `z${i}`,
  name: `Zone ${i}`,
  type: { key: 'circle' },
  geometry: [[30 + i / 1000, 60]],
  width: 50,
});
const fileOf = (count: number): Buffer =>
  Buffer.from(
    JSON.stringify(
      toFeatureCollection(
        Array.from({ length: count }, (_, i) => zone(i)),
        { all: true },
      ),
    ),
  );
const OPTIONS = { format: 'geojson', created: '2026-03-02 15:00:00', isDry: false } as const;

async function* pieces(...given: readonly Uint8Array[]): AsyncGenerator<Chunk> {
  for (const piece of given) yield piece as Chunk;
}

async function read(
  imports: Jobs,
  companyId: string,
  input: AsyncIterable<Chunk>,
  options: JobOptions['import'] = OPTIONS,
): Promise<{ names: string[]; read: number }> {
  const job = imports.run(companyId, 'import', options, input);
  const names: string[] = [];
  for (;;) {
    const { done, value } = await job.next();
    if (done === true) return { names, read: value.read };
    const page = JSON.parse(Buffer.from(value as Uint8Array).toString()) as { name: string }[];
    names.push(...page.map(({ name }) => name));
  }
}

/** A process that has this input waits for more without an end. */
function held(): { readonly input: AsyncIterable<Chunk>; readonly end: () => void } {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* input(): AsyncGenerator<Chunk> {
    await ended;
    yield fileOf(3) as unknown as Chunk;
  }
  return { input: input(), end };
}

test('a process reads one file after another, and gathers no listeners', async () => {
  const imports = open();
  for (const count of [1200, 3, 1]) {
    const { names, read: all } = await read(imports, 'a', pieces(fileOf(count)));
    expect([all, names]).toEqual([count, Array.from({ length: count }, (_, i) => `Zone ${i}`)]);
  }
  // Of many, Node warns.
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  for (let i = 0; i < 15; i++) expect((await read(imports, 'a', pieces(fileOf(1)))).read).toBe(1);
  await setImmediate();
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

test('a company has one file read at a time; another does not wait for it; too many that wait are 429', async () => {
  const imports = open({ most: 2, mostWaiting: 2 });
  const [first, second, third] = [held(), held(), held()];
  const order: string[] = [];
  const ask = async (companyId: string, name: string, input: AsyncIterable<Chunk>): Promise<void> => {
    await read(imports, companyId, input);
    order.push(name);
  };
  const all = [ask('a', 'a1', first.input), ask('a', 'a2', second.input), ask('a', 'a3', third.input)];
  expect(await errorOfAsync(read(imports, 'a', pieces(fileOf(1))))).toMatchObject({
    code: 'limit-queue',
    status: 429,
  });
  second.end();
  third.end();
  await ask('b', 'b1', pieces(fileOf(2)));
  await ask('c', 'c1', pieces(fileOf(2)));
  expect(order).toEqual(['b1', 'c1']);
  first.end();
  await Promise.all(all);
  expect(order).toEqual(['b1', 'c1', 'a1', 'a2', 'a3']);
});

test('a file that holds its process too long, or needs too much memory, is refused; the next one is read', async () => {
  ownClock();
  const imports = open({ most: 1 });
  const { input, begun } = endlessWork('job');
  const refused = errorOfAsync(read(imports, 'a', input(), { ...OPTIONS, format: 'csv' }));
  const next = read(imports, 'b', pieces(fileOf(2)));
  await begun;
  await passTime(600_000);
  expect(await refused).toMatchObject({ code: 'limit-time', status: 422, field: 'file' });
  expect((await next).read).toBe(2);
  vi.useRealTimers();

  const small = open({ most: 1, heapMegabytes: 48 });
  const large = read(small, 'a', pieces(fileOf(60_000)));
  expect(await errorOfAsync(large)).toMatchObject({ code: 'limit-memory', status: 422 });
  expect((await read(small, 'a', pieces(fileOf(2)))).read).toBe(2);
});

test('a slow upload is not a silent process; an error of the input is thrown unchanged; whoever goes away frees the process', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const imports = open({ most: 1 });
  const file = fileOf(400);
  async function* slow(): AsyncGenerator<Chunk> {
    for (let from = 0; from < file.length; from += 5000) {
      yield file.subarray(from, from + 5000) as unknown as Chunk;
      vi.advanceTimersByTime(120_000);
    }
  }
  expect((await read(imports, 'a', slow())).read).toBe(400);
  vi.useRealTimers();
  const cut = new Error('cut off');
  async function* failing(): AsyncGenerator<Chunk> {
    yield Buffer.from('{"type":') as unknown as Chunk;
    throw cut;
  }
  await expect(read(imports, 'a', failing())).rejects.toBe(cut);
  const job = imports.run('a', 'import', OPTIONS, pieces(fileOf(2000)));
  await job.next();
  await job.return(undefined as never);
  expect((await read(imports, 'a', pieces(fileOf(5)))).read).toBe(5);
});
