import type { ChildProcess } from 'node:child_process';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import type { UnitFix } from '../src/live/unitFix.js';
import type { Storage } from '../src/storage/storage.js';
import { heldPartitions } from '../src/stream/heldPartitions.js';
import { guiltyUnits, isolatedTrial, type TrialOptions } from '../src/stream/isolatedTrial.js';
import type { LogMessage } from '../src/stream/log.js';
import { encodeFixes } from '../src/stream/message.js';
import type { Held } from '../src/stream/partitionReader.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import { gaugeSetAside, listSetAside, resolveSetAside } from '../src/stream/setAside.js';
import { tableLog } from '../src/stream/tableLog.js';
import { startTurns } from '../src/stream/turns.js';
import { zoneRules } from '../src/zones/zoneRules.js';
import { addCompany } from './addCompany.js';
import { newPartition } from './newPartition.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';

/** Messages that cannot be read, and units with which a worker dies: only a trial in a process of its own shows which. */

const START = Date.UTC(2026, 2, 2, 6);
const van = (minute: number, unitId = 'van'): UnitFix => ({
  unitId,
  fix: { time: START + minute * 60_000, lon: 30, lat: 60 },
});
const messageAt = (seq: number): LogMessage => ({
  seq,
  stamp: START,
  payload: encodeFixes('c', [van(seq)]),
});

const RULES = zoneRules([], { timeZone: 'UTC', holidays: [] });

describe('a trial in a process of its own', () => {
  const options = (more: Partial<TrialOptions> = {}): TrialOptions => ({
    partition: 0,
    from: newPartition,
    latenessSeconds: 30,
    log: {
      async *read(_, from) {
        for (let seq = from; ; seq++) yield [messageAt(seq)];
      },
    },
    zones: {
      current: async () => ({ version: 1, index: new ZoneIndex([]), rules: RULES }),
      at: async () => ({ version: 1, index: new ZoneIndex([]), rules: RULES }),
    } as unknown as TrialOptions['zones'],
    trips: { at: async () => ({ version: 1, timeZone: 'UTC', units: new Map() }) },
    store: {
      fixesOf: async () => [],
      firstFixOf: async () => null,
      eventsOf: async () => [],
      settingsOf: async () => new Map(),
      tripEventsOf: async () => [],
      tripDatesOf: async () => [],
      nextOrdinal: async () => 0,
      fixCount: async () => 0,
      meetingEventsOf: async () => [],
      asideOf: async () => ({ state: null, rows: [] }),
    },
    routes: async () => null,
    pairs: { of: async () => [], dateOf: async () => '2026-03-02' },
    ...more,
  });

  test('replays the partition up to the message and survives a sound one', async () => {
    const read: number[] = [];
    const log: TrialOptions['log'] = {
      async *read(_, from) {
        for (let seq = from; ; seq++) {
          read.push(seq);
          yield [messageAt(seq)];
        }
      },
    };
    expect(await isolatedTrial(messageAt(4), options({ log }))).toBe('survived');
    expect(read).toEqual([1, 2, 3, 4]);
    expect(await guiltyUnits(messageAt(1), options())).toEqual(new Map());
  });

  test('a process that ends while it processes a unit names it, and no neighbour; one that ends before the message does not count', async () => {
    const children: ChildProcess[] = [];
    const onStarted = (child: ChildProcess): void => void children.push(child);
    const kill = (): void => void children.at(-1)!.kill('SIGKILL');
    // The first thing that the message of a new unit needs: here the process ends as by a fault of the unit.
    const store: TrialOptions['store'] = {
      ...options().store,
      settingsOf: async (asked) => {
        if (asked.some(({ unitId }) => unitId === 'van')) kill();
        return new Map();
      },
    };
    const units = ['bus', 'van', 'car'].map((unitId) => van(1, unitId));
    const message = { ...messageAt(1), payload: encodeFixes('c', units) };
    expect(await isolatedTrial(message, options({ onStarted, store }))).toEqual({ ended: 'van' });
    // Three trials, and one without the unit.
    expect([...(await guiltyUnits(message, options({ onStarted, store }))).keys()]).toEqual(['van']);
    expect(children).toHaveLength(5);
    const early: TrialOptions['log'] = {
      async *read() {
        kill();
        yield await new Promise<never>(() => {});
      },
    };
    expect(await isolatedTrial(messageAt(4), options({ onStarted, log: early }))).toBe('unknown');
  });

  test('a unit that does not end within its limit counts as one that ended its process', async () => {
    const store = { ...options().store, settingsOf: () => new Promise<never>(() => {}) };
    expect(await isolatedTrial(messageAt(1), options({ store, limitMs: 2000 }))).toEqual({ ended: 'van' });
  });
});

describe('a message that is tried alone', () => {
  test.each([
    [5, false, ['handled']],
    [5, true, ['aside van', 'handled']],
    [3, true, ['handled']],
  ] as const)('after %i tries, guilty: %s: %s', async (tries, guilty, expected) => {
    const done: string[] = [];
    const partitions = heldPartitions();
    const queue = [messageAt(1)];
    const run = {
      partition: 0,
      epoch: 1,
      committed: 0,
      hasPending: false,
      pendingFixes: 0,
      handle: async () => void done.push('handled'),
      setAside: async (_: LogMessage, units: ReadonlyMap<string, string>) =>
        void done.push(`aside ${[...units.keys()].join()}`),
    };
    const one = { run, queue, take: () => queue.shift()!, stop: () => {} } as unknown as Held;
    partitions.held.set(0, one);
    partitions.careful.set(0, 50);
    const asked: number[] = [];
    const turns = startTurns({
      partitions,
      store: { recordTry: async () => tries, takeTryBack: async () => {} },
      checkpoints: { pend: () => {}, commitNow: async () => {} },
      guiltyUnits: async (_, { seq }) => {
        asked.push(seq);
        return new Map(guilty ? [['van', 'it ended each process']] : []);
      },
      isTaskWaiting: () => false,
      onFailed: async (_, error) => {
        throw error;
      },
      onEnded: () => {},
    });
    await turns.give(one);
    await turns.ended();
    expect(done).toEqual(expected);
    expect(asked).toEqual(tries > 3 ? [1] : []);
  });
});

describe('with a log', () => {
  let storage: Storage;
  beforeAll(async () => {
    ({ storage } = await embedded());
    await addCompany(storage, 'c', { zones: [], units: [] });
  });
  afterAll(() => storage?.close());

  const stored = async (): Promise<number> =>
    (await storage.db.selectFrom('fixes').select('time').execute()).length;

  test('workers that are killed in a row set no message aside, and no acknowledged fix is lost', async () => {
    const settings = await prepareStream(storage, { log: 'table' });
    const log = tableLog(storage, () => START);
    await log.publish([{ partition: 0, payload: encodeFixes('c', [van(0), van(1)]) }]);
    // What five kills of its worker leave behind, each while the message was tried.
    await sql`update partitions set unproven = 6, trying = 1, tries = 5`.execute(storage.db);
    const live = testStream({ storage, log, settings });
    await live.push('c', [van(2)]);
    await live.close();
    expect(await listSetAside(storage)).toEqual([]);
    expect(await stored()).toBe(3);
  });

  test('a message that names no unit is listed and counted; a replay skips it; it is published again or skipped', async () => {
    const settings = await prepareStream(storage, { log: 'table' });
    const log = tableLog(storage, () => START);
    let live = testStream({ storage, log, settings });
    const before = await stored();
    const nonsense = new TextEncoder().encode('nonsense');
    await log.publish([
      { partition: 0, payload: nonsense },
      { partition: 0, payload: new TextEncoder().encode('{"v":2}') },
    ]);
    await live.push('c', [van(12)]);
    const [first, second] = await listSetAside(storage);
    expect(first).toMatchObject({
      partition: 0,
      unitId: null,
      companyId: null,
      reason: expect.stringContaining('JSON'),
    });
    expect(second).toMatchObject({ unitId: null, seq: first!.seq + 1, messages: [first!.seq + 1] });
    const registry = new Registry();
    gaugeSetAside(registry, storage);
    expect(await registry.metrics()).toContain('\nwayzone_set_aside{partition="0"} 2\n');

    // A replay can read the second by now, but gives the outputs of the first run.
    await live.close();
    const payload = Buffer.from(encodeFixes('c', [van(11)]));
    await sql`update stream_log set payload = ${payload} where seq = ${second!.seq}`.execute(storage.db);
    await sql`update set_aside set payload = ${payload} where seq = ${second!.seq}`.execute(storage.db);
    await sql`update partitions set replay_from = 1`.execute(storage.db);
    await sql`delete from unit_states`.execute(storage.db);
    live = testStream({ storage, log, settings });
    await live.push('c', [van(13)]);
    expect(await stored()).toBe(before + 2);

    await resolveSetAside(storage, log, first!, 'skip');
    await resolveSetAside(storage, log, second!, 'retry');
    await live.push('c', [van(14)]);
    expect(await stored()).toBe(before + 4);
    expect(await listSetAside(storage)).toEqual([]);
    expect(await registry.metrics()).not.toContain('wayzone_set_aside{');
    for (const decision of ['retry', 'skip'] as const)
      for (const key of [second!, { unitId: 'van' }, { unitId: '' }])
        await expect(resolveSetAside(storage, log, key as never, decision)).rejects.toMatchObject({
          code: 'aside-missing',
        });
    await live.close();
  });

  test('a message that was not published again stays aside', async () => {
    const settings = await prepareStream(storage, { log: 'table' });
    const log = tableLog(storage, () => START);
    const live = testStream({ storage, log, settings });
    await log.publish([{ partition: 0, payload: new TextEncoder().encode('[]') }]);
    await live.push('c', [van(21)]);
    const [one] = await listSetAside(storage);
    const refuse = { publish: () => Promise.reject(new Error('the log is full')) };
    await expect(resolveSetAside(storage, refuse, one!, 'retry')).rejects.toThrow('the log is full');
    expect(await listSetAside(storage)).toEqual([one]);
    await live.close();
  });
});
