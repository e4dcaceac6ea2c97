import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goOnHost } from '../src/goOnHost.js';
import { hostJobs, type Jobs } from '../src/jobs/jobs.js';
import type { UnitFix } from '../src/live/unitFix.js';
import { readSettings } from '../src/settings.js';
import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import { type GoneOn, goOn } from '../src/stream/goOn.js';
import type { LiveStream } from '../src/stream/liveStream.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import { tableLog } from '../src/stream/tableLog.js';
import { zoneSource } from '../src/stream/zoneSource.js';
import { addCompany } from './addCompany.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';

/** An operator resumes a partition without the messages of a lost stream. No event is emitted twice; ids and cursors keep ascending. */

const START = Date.UTC(2026, 2, 2, 6);
const YARD = { id: 'yard', name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };

let storage: Storage;
let jobs: Jobs;
beforeAll(async () => {
  ({ storage } = await embedded());
  jobs = hostJobs();
  await addCompany(storage, 'c', { zones: [YARD], units: [{ id: 'van' }, { id: 'bus' }] });
});
afterAll(async () => {
  jobs.close();
  await storage.close();
});

const log = () => tableLog(storage, () => START + 3_600_000);
const settings = () => prepareStream(storage, { log: 'table' });
const open = async (): Promise<LiveStream> =>
  testStream({ storage, log: log(), settings: await settings(), zones: { jobs, baseOf: () => null } });
const goOnNow = async (partition = 0): Promise<GoneOn> =>
  goOn(partition, {
    storage,
    days: fixDays(storage),
    log: log(),
    zones: zoneSource(storage, jobs),
    settings: await settings(),
    now: START + 3_600_000,
  });
const at = (unitId: string, minute: number, lon: number): UnitFix => ({
  unitId,
  fix: { time: START + minute * 60_000, lon, lat: 60 },
});
interface Row {
  readonly seq: string;
  readonly unit_id: string;
  readonly event: { readonly type: string; readonly visit?: { readonly enter: number } };
}
const events = async (unitId: string): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select seq, unit_id, event from events where unit_id = ${unitId} order by seq, ordinal`.execute(
    storage.db,
  );
  return rows;
};
/** The types of the events of visits: the yard is left and entered in jumps, which movement takes for noise of one parking. */
const typesOf = async (unitId: string): Promise<string[]> =>
  (await events(unitId)).filter(({ event }) => 'visit' in event).map(({ event }) => event.type);

test('a partition resumes without its stream; units without a state are computed from their fixes', async () => {
  let live = await open();
  await live.push('c', [at('van', 0, 29.97), at('van', 1, 30), at('van', 2, 30)]);
  await live.push('c', [at('bus', 0, 29.97), at('bus', 1, 29.97)]);
  expect(await typesOf('van')).toEqual(['enter']);
  await expect(goOnNow()).rejects.toMatchObject({ code: 'alarm-missing' });
  await expect(goOnNow(7)).rejects.toMatchObject({ code: 'alarm-missing' });
  await live.close();

  // As after the kill of a worker that had written no state, over a log restored from a backup with one message.
  await sql`delete from unit_states`.execute(storage.db);
  await sql`delete from stream_log where seq > 1`.execute(storage.db);
  await sql`update partitions set replay_from = 1, position = 40`.execute(storage.db);
  await sql`update stream_heads set last_seq = 1`.execute(storage.db);
  live = await open();
  await expect(live.push('c', [at('van', 3, 30)])).rejects.toMatchObject({ message: 'stream-behind' });
  await live.close();
  expect(await goOnNow()).toEqual({ alarm: 'stream-behind', units: 2, revised: 0 });
  await expect(goOnNow()).rejects.toMatchObject({ code: 'alarm-missing' });

  live = await open();
  await live.push('c', [at('van', 4, 29.97), at('van', 5, 29.97), at('bus', 5, 29.97)]);
  expect(await typesOf('van')).toEqual(['enter', 'exit']);
  const [enter, exit] = await events('van');
  expect(Number(exit!.seq)).toBeGreaterThan(41);
  // The visit began before the loss. The fix of the rejected request was in the log and was applied.
  expect(exit!.event.visit!.enter).toBeLessThan(START + 60_000);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from fixes where unit_id = 'van'`.execute(storage.db);
  expect([rows[0]!.n, Number(enter!.seq)]).toEqual([6, 1]);
  await live.close();

  // Second loss: the log begins after the messages that a restart needs.
  await sql`delete from stream_log`.execute(storage.db);
  await sql`update partitions set replay_from = replay_from - 2`.execute(storage.db);
  live = await open();
  await expect(live.push('c', [at('van', 6, 30)])).rejects.toMatchObject({ message: 'stream-trimmed' });
  await live.close();
  expect(await goOnNow()).toMatchObject({ alarm: 'stream-trimmed', revised: 0 });
  live = await open();
  await live.push('c', [at('van', 7, 30), at('van', 8, 30)]);
  await live.push('c', [at('van', 9, 29.97), at('van', 10, 29.97)]);
  await live.close();
  expect(await typesOf('van')).toEqual(['enter', 'exit', 'enter', 'exit']);
  expect(await typesOf('bus')).toEqual([]);
  const seqs = (await events('van')).map(({ seq }) => Number(seq));
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
});

test('the command reads the number of its partition', async () => {
  for (const args of [[], ['--partition'], ['--partition', '-1'], ['--partition', 'all']])
    await expect(goOnHost(readSettings({}), args)).rejects.toMatchObject({
      code: 'option-value',
      field: '--partition',
    });
});
