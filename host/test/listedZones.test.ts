import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type FilterQuery, filterGeozones } from 'wayzone/listing';
import { LONG, seeded } from '../../test/volume.js';
import { type Compute, computeProcesses, type Given } from '../src/jobs/compute.js';
import { type HeadCells, headReader } from '../src/jobs/zoneFile.js';
import { endlessWork } from './endlessWork.js';
import { errorOfAsync } from './errorOfAsync.js';
import { ownClock, passTime } from './ownClock.js';

/** Lists of geozones: computations on heads that processes keep. */

const opened: Compute[] = [];
const open = (options: Parameters<typeof computeProcesses>[0] = {}): Compute => {
  const compute = computeProcesses(options);
  opened.push(compute);
  return compute;
};
afterAll(() => {
  for (const compute of opened) compute.close();
});
afterEach(() => void vi.useRealTimers());

const ASKED = { language: 'en', timeZone: 'UTC' };
/** The heads as lines of three. */
const bytesOf = (heads: Iterable<HeadCells>): Uint8Array => {
  const texts = Array.from(heads, (head) => JSON.stringify(head));
  const lines = Array.from(
    { length: Math.ceil(texts.length / 3) },
    (_, i) => `${texts.slice(3 * i, 3 * i + 3).join(',')}\n`,
  );
  return Buffer.from(lines.join(''));
};
const named = (id: string, name: string): HeadCells => [id, name, null, null, null, null, null, null];
const given = (buffer: Uint8Array, later: readonly HeadCells[] = []): Given => ({
  buffer,
  pages: {
    async *changes() {
      if (later.length > 0) yield later.map((head) => JSON.stringify(head)).join(',');
    },
  },
});
const idsOf = async (
  compute: Compute,
  companyId: string,
  query: FilterQuery,
  heads: Given,
): Promise<readonly [number, readonly string[]]> => {
  const text = await compute.run(companyId, 'zoneList', { query, ...ASKED }, heads);
  const { max, ids } = JSON.parse(text) as { max: number; ids: string[] };
  return [max, ids];
};

const NAMES = [
  'Depot',
  'depot',
  'Зона',
  'Éclair',
  'eclair',
  'Zone 10',
  'Zone 9',
  '',
  'ﬁ',
  'line\nfeed',
  '\u2028',
];
const QUERIES: readonly FilterQuery[] = [
  {},
  { sortField: 'name' },
  { sortField: 'name', sortDesc: true, count: 5, from: 3 },
  { sortField: 'created', count: 20 },
  { sortField: 'is_delete', conditions: [{ field: 'name', value: 'o' }] },
  { conditions: [{ field: 'is_delete', value: 'all' }] },
  { sortField: 'name', conditions: [{ field: 'is_delete', value: true }] },
];

test('a list is that of all rows with their changes, whichever process has which of them', async () => {
  const compute = open({ most: 2, mostOfCompany: 2 });
  const random = seeded(5);
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const zone = (id: string): HeadCells => [
    id,
    pick(NAMES),
    new Date(1e12 + Math.floor(random() * 50) * 6e6).toISOString(),
    pick([true, false, null, null, null]),
    null,
    null,
    pick(['red', null]),
    pick(['circle', 'line', 'polygon']),
  ];
  for (let company = 0; company < (LONG ? 100 : 6); company++) {
    const rows = new Map(Array.from({ length: 40 }, (_, i) => [`z${i}`, zone(`z${i}`)]));
    let base = bytesOf(rows.values());
    let later = new Map<string, HeadCells>();
    for (let round = 0; round < 12; round++) {
      if (random() < 0.6)
        for (let k = 0; k < 3; k++) {
          const head = zone(`z${Math.floor(random() * 60)}`);
          rows.set(head[0], head);
          later.set(head[0], head);
        }
      if (random() < 0.2) {
        base = bytesOf(rows.values());
        later = new Map();
      }
      // Some of them at the same time, in two processes.
      const asked = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(QUERIES));
      const answers = await Promise.all(
        asked.map((query) => idsOf(compute, `c${company}`, query, given(base, [...later.values()]))),
      );
      const expected = asked.map((query) => {
        const { max, list } = filterGeozones([...rows.values()].map(headReader()), query, ASKED);
        return [max, list.map(({ id }) => id)];
      });
      expect(answers).toEqual(expected);
    }
  }
});

test('the ids of an export are those of its groups and ids, changes included', async () => {
  const compute = open();
  const heads = [1, 2, 3].map((i) => named(`z${i}`, `Zone ${i}`));
  const groups = [{ id: 'g', name: 'Group', geozones: [{ id: 'z3' }, { id: 'z4' }] }];
  const input = { groups, request: { geozones_groups: ['g'], geozones: ['z1', 'x'] } };
  const ids = await compute.run('a', 'zoneSelection', input, given(bytesOf(heads), [named('z4', 'New')]));
  expect(JSON.parse(ids)).toEqual({ ids: ['z1', 'z3', 'z4'], unknown: ['x'] });
});

test('a wrong request is refused with its field, and the next one is answered', async () => {
  const compute = open();
  const heads = given(bytesOf([named('z', 'Zone')]));
  const wrong = idsOf(compute, 'a', { sortField: 'colour' }, heads);
  expect(await errorOfAsync(wrong)).toMatchObject({ code: 'validation', field: 'sortField' });
  expect(await idsOf(compute, 'a', {}, heads)).toEqual([1, ['z']]);
});

test('a list that takes too long is ended, and other companies’ lists do not wait for it', async () => {
  ownClock();
  const ends: unknown[] = [];
  const compute = open({ onEnd: (end) => ends.push(end) });
  const { input, begun } = endlessWork('compute');
  const heads = given(bytesOf([named('z', 'Zone')]));
  const endless = { ...heads, pages: { changes: input } };
  const order: string[] = [];
  const hostile = async (): Promise<void> => {
    const error = await errorOfAsync(idsOf(compute, 'hostile', { sortField: 'name' }, endless));
    order.push('hostile');
    expect(error).toMatchObject({ code: 'limit-time', status: 422 });
  };
  const quiet = async (): Promise<void> => {
    await begun;
    for (let i = 0; i < 3; i++) {
      expect(await idsOf(compute, 'quiet', { sortField: 'name' }, heads)).toEqual([1, ['z']]);
      order.push('quiet');
    }
    expect(ends).toEqual([]);
    // The limit of processor time is 10 s; of a process that gets none, the clock decides later.
    await passTime(80_000);
  };
  await Promise.all([hostile(), quiet()]);
  expect(order).toEqual(['quiet', 'quiet', 'quiet', 'hostile']);
  expect(ends).toEqual([{ companyId: 'hostile', name: 'zoneList', reason: 'time' }]);
});
