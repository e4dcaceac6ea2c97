import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents } from 'wayzone/operator';
import { detectTrips, findVisits, readTrack } from 'wayzone/tracks';
import { EVENT_SCHEMA } from '../src/live/eventSchema.js';
import type { Storage } from '../src/storage/storage.js';
import { FIRST_CELL } from '../src/stream/cellMap.js';
import type { LiveStream } from '../src/stream/liveStream.js';
import { encodeFixes, encodeTick } from '../src/stream/message.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import type { StreamEvent } from '../src/stream/streamEvent.js';
import { addCompany, type CompanyRows } from './addCompany.js';
import { batchMovement } from './batchMovement.js';
import { eventsInOrder } from './eventsInOrder.js';
import { embedded } from './testHost.js';
import { addTo, testStream } from './testStream.js';

/** The clock of cells, late fixes, messages that end workers, outages of the database, and settings. */

const START = Date.UTC(2026, 2, 2, 6);
const MINUTE = 60_000;
const YARD = {
  id: 'yard',
  type: { key: 'circle' as const },
  geometry: [[30, 60]] as [number, number][],
  width: 500,
};

/** Whether a statement is the one with which a commit begins. */
const isCommit = (node: unknown): boolean => JSON.stringify(node).includes('update cell_positions p');

const isMovementEvent = (event: StreamEvent): boolean =>
  'kind' in event && ['trip', 'parking', 'stop', 'unknown'].includes(event.kind);

interface Bench {
  readonly storage: Storage;
  /** When messages arrive, epoch milliseconds. */
  time: number;
  /** How many of the worker's next commits fail with a short outage of the database. */
  outages: number;
  open(): Promise<LiveStream>;
  /** The events of visits. */
  events(): Promise<StreamEvent[]>;
  movement(): Promise<StreamEvent[]>;
  close(): Promise<void>;
}

async function bench(units: CompanyRows['units'] = []): Promise<Bench> {
  const { storage } = await embedded();
  await addCompany(storage, 'c', { zones: [{ ...YARD, name: 'Yard' }], units });
  const opened: LiveStream[] = [];
  let isAway = false;
  const refuse = (): never => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  const failing: Storage = {
    ...storage,
    db: storage.db.withPlugin({
      transformQuery({ node }) {
        if (self.outages > 0 && !isAway && isCommit(node)) {
          self.outages--;
          isAway = true;
          setTimeout(() => {
            isAway = false;
          }, 50);
        }
        return isAway ? refuse() : node;
      },
      transformResult: async ({ result }) => result,
    }),
  };
  const all = (): Promise<StreamEvent[]> => eventsInOrder(storage);
  const self: Bench = {
    storage,
    time: START,
    outages: 0,
    async open() {
      const live = testStream({ storage: failing, now: () => self.time }, storage);
      opened.push(live);
      return live;
    },
    events: async () => (await all()).filter((event) => !isMovementEvent(event)),
    movement: async () => (await all()).filter(isMovementEvent),
    async close() {
      for (const live of opened) await live.close();
      const check = new Ajv2020({ strict: false }).compile(EVENT_SCHEMA);
      for (const event of await all()) {
        check(event);
        expect(check.errors, JSON.stringify(event)).toBeNull();
      }
      await storage.close();
    },
  };
  return self;
}

const fixAt = (minute: number, lon: number): Fix => ({ time: START + minute * MINUTE, lon, lat: 60 });
const van = (fixes: readonly Fix[]): { unitId: string; fix: Fix }[] =>
  fixes.map((fix) => ({ unitId: 'van', fix }));

/** Adds a tick and waits until a later message is committed. */
async function tick(given: Bench, live: LiveStream, time: number): Promise<void> {
  given.time = time;
  await addTo(given.storage, 'c', 'other', time, encodeTick());
  await live.push('c', [{ unitId: 'other', fix: { time, lon: 0, lat: 10 } }]);
}

test('a unit without fixes emits `lost` once by the clock, also over a restart', async () => {
  const given = await bench();
  let live = await given.open();
  await live.push('c', van([fixAt(0, 29.98), fixAt(1, 30)]));
  await tick(given, live, START + 5 * MINUTE);
  expect((await given.events()).map(({ type }) => type)).toEqual(['enter']);
  await tick(given, live, START + 90 * MINUTE);
  expect((await given.events()).map(({ type }) => type)).toEqual(['enter', 'lost']);
  await live.close();
  live = await given.open();
  await tick(given, live, START + 95 * MINUTE);
  await live.push('c', van([fixAt(96, 30), fixAt(98, 29.98)]));
  await tick(given, live, START + 120 * MINUTE);
  expect((await given.events()).map(({ type }) => type)).toEqual(['enter', 'lost', 'found', 'exit']);
  await given.close();
});

test('hours of late fixes are stored, and the visits then equal the batch', async () => {
  const given = await bench();
  const live = await given.open();
  const lonOf = (minute: number): number => 30 + ((minute % 20) - 10) / 400;
  const drive = (from: number, to: number): Fix[] =>
    Array.from({ length: to - from }, (_, i) => fixAt(from + i, lonOf(from + i)));
  given.time = START + 30 * MINUTE;
  await live.push('c', van(drive(0, 30)));
  await tick(given, live, START + 500 * MINUTE);
  given.time = START + 501 * MINUTE;
  await live.push('c', van(drive(480, 500)));
  const before = describeEvents(
    'visits',
    (await given.events()).filter(({ unitId }) => unitId === 'van'),
  );
  // The fixes of a gap of six hours arrive in two messages, the later part first.
  await live.push('c', van(drive(200, 480)));
  await live.push('c', van(drive(30, 200)));
  await tick(given, live, START + 560 * MINUTE);
  const events = (await given.events()).filter(({ unitId }) => unitId === 'van');
  const all = findVisits(readTrack(drive(0, 500)), new ZoneIndex([YARD]));
  expect(all.length).toBeGreaterThan(before.length + 10);
  const text = ({ zoneId, enter, exit }: { zoneId: string; enter: number; exit: number | null }): string =>
    `${zoneId} ${enter} ${exit}`;
  expect(describeEvents('visits', events).map(text)).toEqual(all.map(text));
  expect(events.some(({ type }) => type === 'revised')).toBe(true);
  // Sent again, they change nothing.
  const count = events.length;
  await live.push('c', van(drive(30, 200)));
  expect((await given.events()).filter(({ unitId }) => unitId === 'van')).toHaveLength(count);
  await given.close();
});

test('the movement of a unit uses the unit’s settings, also over a restart and with late fixes', async () => {
  const settings = { tripdetector_minparktime: '240', tripdetector_maxdistancemsg: 2000 };
  const given = await bench([{ id: 'van', settings }]);
  let live = await given.open();
  // A day and a half, with a night: drives of ten minutes with a rest of one minute, then rests of five minutes.
  const isNight = (minute: number): boolean => minute > 800 && minute < 1400;
  const fixOf = (minute: number): Fix => {
    const within = isNight(minute) ? 12 : minute % 15;
    const driven = Math.floor(Math.min(minute, 800) / 15) * 9 + Math.min(within, 9) - (within > 4 ? 1 : 0);
    return {
      ...fixAt(minute, 30 + driven / 400),
      ...(minute % 7 === 0 ? {} : { speedKph: within < 9 && within !== 4 ? 45 : 0 }),
    };
  };
  const drive = (from: number, to: number): Fix[] =>
    Array.from({ length: to - from }, (_, i) => fixOf(from + i)).filter(
      ({ time }) => !isNight((time - START) / MINUTE) || (time / MINUTE) % 20 === 0,
    );
  const sent: Fix[] = [];
  const send = async (fixes: readonly Fix[], minute: number): Promise<void> => {
    sent.push(...fixes);
    given.time = START + minute * MINUTE;
    await live.push('c', van(fixes));
    await tick(given, live, given.time);
  };
  const asBatch = async (): Promise<void> => {
    const emitted = describeEvents(
      'movement',
      (await given.movement()).filter(({ unitId }) => unitId === 'van'),
    );
    const track = readTrack(sent);
    expect(emitted).toEqual(batchMovement(detectTrips(track, settings), emitted));
    expect(emitted.length).toBeGreaterThan(sent.length / 30);
  };
  await send(drive(0, 100), 101);
  await asBatch();
  await live.close();
  live = await given.open();
  await send(drive(100, 200), 201);
  await asBatch();
  // Six hours without coverage arrive in two parts, the later part first.
  await send(drive(560, 1500), 1501);
  await send(drive(400, 560), 1502);
  await asBatch();
  await send(drive(200, 400), 1503);
  await asBatch();
  expect((await given.movement()).some(({ type }) => type === 'revised')).toBe(true);
  // Sent again, they change nothing.
  const count = (await given.movement()).length;
  await live.push('c', van(drive(300, 400)));
  expect(await given.movement()).toHaveLength(count);
  await given.close();
});

test('a message is not set aside because of outages of the database that its worker survives', async () => {
  const given = await bench();
  const cell = await addTo(given.storage, 'c', 'van', START, encodeFixes('c', van([fixAt(0, 30)])));
  await sql`update cell_positions set unproven = 3 where cell = ${cell}`.execute(given.storage.db);
  given.outages = 6;
  const live = await given.open();
  await live.push('c', van([fixAt(1, 30), fixAt(2, 30)]));
  expect(given.outages).toBe(0);
  expect(await given.storage.db.selectFrom('set_aside').select('reason').execute()).toEqual([]);
  expect((await given.events()).map(({ type }) => type)).toEqual(['enter']);
  await given.close();
});

test('a cell with an alarm is 503 and named by `unread`; without it the cell goes on by itself', async () => {
  const given = await bench();
  let live = await given.open();
  await live.push('c', van([fixAt(0, 30)]));
  await live.close();
  // As after a restore of a part of the tables: a message is missing.
  await sql`update cells set head = head + 1`.execute(given.storage.db);
  live = await given.open();
  await expect(live.push('c', van([fixAt(1, 30)]))).rejects.toMatchObject({
    message: 'log-gap',
    statusCode: 503,
  });
  while (live.unread().length === 0) await new Promise((done) => setTimeout(done, 50));
  expect(live.unread()).toEqual([{ cell: FIRST_CELL, reason: 'log-gap' }]);
  await live.close();
  await sql`update cell_positions set position = 2, replay_from = 3`.execute(given.storage.db);
  live = await given.open();
  // The client sends again until the worker has looked at the cell.
  const isTaken = (): Promise<boolean> =>
    live.push('c', van([fixAt(2, 30)])).then(
      () => true,
      () => false,
    );
  while (!(await isTaken()));
  await expect.poll(() => live.unread()).toEqual([]);
  expect(await given.storage.db.selectFrom('fixes').select('time').execute()).toHaveLength(3);
  await given.close();
});

test('a lateness that differs from the first start is rejected', async () => {
  const given = await bench();
  expect(await prepareStream(given.storage)).toEqual({ latenessSeconds: 30 });
  await expect(prepareStream(given.storage, 60)).rejects.toMatchObject({
    code: 'stream-settings',
    field: 'latenessSeconds',
  });
  await given.close();
});
