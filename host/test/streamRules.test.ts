import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fix, type Geozone, ZoneIndex } from 'wayzone';
import { prepareHours, splitByHours } from 'wayzone/hours';
import { type DescribedSpeeding, describeEvents } from 'wayzone/operator';
import { findSpeeding, findVisits, readTrack, type Speeding } from 'wayzone/tracks';
import { EVENT_SCHEMA } from '../src/live/eventSchema.js';
import { write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import type { StreamEvent } from '../src/stream/streamEvent.js';
import { addCompany } from './addCompany.js';
import { eventsInOrder } from './eventsInOrder.js';
import { memoryRun } from './memoryRun.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';

/** Speeding and hours in the stream are those of the batch, over restarts, late fixes and edits of the zones. */

const START = Date.UTC(2026, 2, 2, 6);
const TIME_ZONE = 'Europe/Helsinki';
const circle = (id: string, lon: number, more: object = {}): Geozone & { readonly id: string } =>
  ({ id, name: id, type: { key: 'circle' }, geometry: [[lon, 60]], width: 800, ...more }) as never;
/** In Helsinki 06:00 UTC is 08:00. */
const HOURS = { weekly: [{ days: [1, 2, 3, 4, 5], from: '08:10', to: '08:30' }] };
const ZONES = [
  circle('slow', 30, { speed_limit: 40 }),
  circle('open', 30.01, { hours: HOURS }),
  circle('plain', 30.02),
];
const SETTINGS = { advanced_speedlimit: '70' };
const index = new ZoneIndex(ZONES);
const hoursOf = (zoneId: string) => (zoneId === 'open' ? prepareHours(HOURS, { timeZone: TIME_ZONE }) : null);

/** To and fro through the zones; the reported speed is that of the positions, with a faster part now and then. */
function driveOf(seconds: readonly number[], faster: number): Fix[] {
  let lon = 29.98;
  let direction = 1;
  return seconds.map((second, i) => {
    const step = i === 0 ? 0 : second - seconds[i - 1]!;
    const kph = Math.floor(second / 300) % faster === 0 ? 90 : 35;
    lon += (direction * ((kph / 3.6) * step)) / 55_800;
    if (lon > 30.04 || lon < 29.97) direction = -direction;
    return { time: START + second * 1000, lon, lat: 60, speedKph: kph };
  });
}

const batchSpeeding = (
  fixes: readonly Fix[],
  settings: object = SETTINGS,
  thresholds: object = {},
): Speeding[] => findSpeeding(readTrack(fixes), { settings, index, zoneLimits: { slow: 40 }, ...thresholds });
/** Without the last one if it is under way. */
const ended = (items: readonly (DescribedSpeeding | Speeding)[]): unknown[] =>
  items.flatMap((one) =>
    one.to === null || one.end === 'track' ? [] : [JSON.parse(JSON.stringify({ ...one, kind: undefined }))],
  );
const batchHours = (fixes: readonly Fix[]): unknown[] => {
  const visits = findVisits(readTrack(fixes), index);
  const parts = splitByHours(visits, hoursOf, { until: fixes.at(-1)!.time + 1 });
  return parts.flatMap(({ visit, zoneId, from, open }, i) =>
    i > 0 && parts[i - 1]!.visit === visit ? [{ zoneId, time: from, open }] : [],
  );
};

test('speeding and hours of random drives equal the batch, with lateness, restarts and late fixes', async () => {
  const found = { speeding: 0, hours: 0, revised: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 5, max: 90 }), { minLength: 30, maxLength: 60 }),
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 60, maxLength: 60 }),
      fc.record({ toleranceKph: fc.constantFrom(0, 15), minSeconds: fc.constantFrom(0, 60) }),
      async (steps, faster, moves, thresholds) => {
        const { toleranceKph, minSeconds } = thresholds;
        // The unit's own tolerance replaces the company's.
        const strictness = {
          company: { tolerance_kph: 100, min_seconds: minSeconds },
          units: { van: { tolerance_kph: toleranceKph } },
        };
        let second = 0;
        const fixes = driveOf(
          steps.map((step) => {
            second += step;
            return second;
          }),
          faster,
        );
        // A move delays a fix by some places; the lateness of 30 s does not cover all of them.
        const order = fixes
          .map((fix, i) => ({ fix, at: i + (moves[i]! > 4 ? moves[i]! : 0) }))
          .sort((a, b) => a.at - b.at)
          .map(({ fix }) => fix);
        const run = memoryRun(index, {
          settings: SETTINGS,
          ruled: ZONES as never,
          timeZone: TIME_ZONE,
          strictness,
        });
        for (const [i, fix] of order.entries()) {
          await run.handle(fix.time, [fix]);
          if (moves[i]! === 1) run.commit();
          if (moves[i]! === 2) {
            run.commit();
            await run.restart();
          }
          if (moves[i]! === 3) await run.handle(Math.max(...order.slice(0, i + 1).map(({ time }) => time)));
        }
        const end = fixes.at(-1)!.time;
        await run.handle(end + 60_000);
        run.commit();
        const speeding = ended(describeEvents('speeding', run.events));
        expect(speeding).toEqual(ended(batchSpeeding(fixes, SETTINGS, thresholds)));
        expect(describeEvents('hours', run.events)).toEqual(batchHours(fixes));
        found.speeding += speeding.length;
        found.hours += batchHours(fixes).length;
        found.revised += run.events.filter((event) => event.type === 'revised' && 'kind' in event).length;
      },
    ),
    { numRuns: 60, seed: 38 },
  );
  expect(Math.min(found.speeding, found.hours, found.revised)).toBeGreaterThan(10);
});

let storage: Storage;
beforeAll(async () => {
  ({ storage } = await embedded());
});
afterAll(() => storage.close());

const check = new Ajv2020({ strict: false }).compile(EVENT_SCHEMA);
async function eventsOf(companyId: string): Promise<StreamEvent[]> {
  const events = await eventsInOrder(storage, { company_id: companyId });
  for (const event of events) {
    check(event);
    expect(check.errors, JSON.stringify(event)).toBeNull();
  }
  return events;
}
interface Process {
  push(fixes: readonly Fix[], version?: number): Promise<void>;
  close(): Promise<void>;
}
async function opened(companyId: string, unitId: string): Promise<Process> {
  const live = testStream({ storage, now: () => START + 7_200_000 });
  return {
    push: (fixes, version) =>
      live.push(
        companyId,
        fixes.map((fix) => ({ unitId, fix })),
        version,
      ),
    close: () => live.close(),
  };
}
/** In a process of its own. */
async function pushAnew(companyId: string, unitId: string, fixes: readonly Fix[]): Promise<void> {
  const live = await opened(companyId, unitId);
  await live.push(fixes);
  await live.close();
}
const seconds = Array.from({ length: 120 }, (_, i) => i * 20);

test('a restart after every batch, and batches sent twice, give each event once', async () => {
  await addCompany(storage, 'restarts', {
    timeZone: TIME_ZONE,
    zones: ZONES,
    units: [{ id: 'van', settings: SETTINGS }],
  });
  const fixes = driveOf(seconds, 3);
  for (let from = 0; from < fixes.length; from += 15) {
    await pushAnew('restarts', 'van', fixes.slice(from, from + 15));
    if (from % 30 === 0) await pushAnew('restarts', 'van', fixes.slice(from, from + 15));
  }
  // Moves the watermark past all fixes before.
  const last = { ...fixes.at(-1)!, time: fixes.at(-1)!.time + 60_000, speedKph: 0 };
  await pushAnew('restarts', 'van', [last]);
  const events = await eventsOf('restarts');
  const all = fixes;
  expect(ended(describeEvents('speeding', events))).toEqual(ended(batchSpeeding([...all, last])));
  expect(ended(describeEvents('speeding', events)).length).toBeGreaterThan(2);
  expect(describeEvents('hours', events)).toEqual(batchHours(fixes));
  const ids = events
    .filter(({ type }) => type === 'begin' || type === 'end')
    .map((one) => JSON.stringify(one));
  expect(new Set(ids).size).toBe(ids.length);
  expect(events.some(({ type }) => type === 'revised')).toBe(false);
  const opens = events.flatMap((event) =>
    event.type === 'enter' ? [[event.zoneId, 'open' in event]] : [],
  ) as [string, boolean][];
  expect(opens.some(([zoneId]) => zoneId === 'open')).toBe(true);
  for (const [zoneId, hasOpen] of opens) expect(hasOpen, zoneId).toBe(zoneId === 'open');
});

test('a limit and hours that are set while a unit drives hold from its next step, also after a restart', async () => {
  await addCompany(storage, 'edits', {
    timeZone: TIME_ZONE,
    zones: [circle('edits-a', 30), circle('edits-b', 30.01)],
    units: [{ id: 'edits-van' }],
  });
  // At 50 km/h through both circles.
  const fixes = Array.from({ length: 30 }, (_, i) => ({
    time: START + i * 10_000,
    lon: 29.99 + i * 0.0025,
    lat: 60,
    speedKph: 50,
  }));
  let live = await opened('edits', 'edits-van');
  await live.push(fixes.slice(0, 3));
  const edited = await write(storage, 'edits', async (writer) => {
    await writer.update('geozones', circle('edits-a', 30, { speed_limit: 30 }));
    await writer.update('geozones', circle('edits-b', 30.01, { hours: { weekly: [] } }));
    return writer.version;
  });
  await live.push(fixes.slice(3, 5), edited);
  await live.close();
  live = await opened('edits', 'edits-van');
  await live.push(fixes.slice(5));
  const events = await eventsOf('edits');
  expect(describeEvents('speeding', events)).toMatchObject([
    { end: 'below', parts: [{ zoneId: 'edits-a', limitKph: 30 }] },
  ]);
  expect(events.flatMap((event) => (event.type === 'enter' ? [[event.zoneId, event.open]] : []))).toEqual([
    ['edits-a', undefined],
    ['edits-b', false],
  ]);
  // Without its limit the zone ends no more speeding, and a unit that is followed goes on to be.
  const removed = await write(storage, 'edits', async (writer) => {
    await writer.update('geozones', circle('edits-a', 30));
    return writer.version;
  });
  const back = fixes.map((fix, i) => ({ ...fix, time: START + 3_600_000 + i * 10_000 }));
  await live.push(back, removed);
  await live.close();
  expect(describeEvents('speeding', await eventsOf('edits'))).toHaveLength(1);
});

test('what a company and a unit call speeding counts from the next start', async () => {
  const units = ['strict-van', 'strict-bus', 'strict-car'];
  await addCompany(storage, 'strict', { zones: [], units: units.map((id) => ({ id, settings: SETTINGS })) });
  const properties = { speeding: { tolerance_kph: 10, min_seconds: 30 } };
  await storage.db
    .updateTable('companies')
    .set({ properties: JSON.stringify(properties) })
    .where('id', '=', 'strict')
    .execute();
  for (const [id, speeding] of [
    ['strict-bus', { tolerance_kph: 30 }],
    // Written by another version: what is not a number from 0 is left out.
    ['strict-car', { tolerance_kph: '5', min_seconds: -1 }],
  ] as const)
    await storage.db
      .updateTable('units')
      .set({ row: JSON.stringify({ speeding }) })
      .where('id', '=', id)
      .execute();
  const fixes = driveOf(seconds.slice(0, 60), 2).map((fix) => ({ ...fix, lat: 61 }));
  for (const id of units) await pushAnew('strict', id, fixes);
  const events = await eventsOf('strict');
  const of = (unitId: string): unknown[] =>
    ended(
      describeEvents(
        'speeding',
        events.filter((event) => 'unitId' in event && event.unitId === unitId),
      ),
    );
  const own = ended(findSpeeding(readTrack(fixes), { settings: SETTINGS, toleranceKph: 10, minSeconds: 30 }));
  expect(own.length).toBeGreaterThan(0);
  expect(of('strict-van')).toEqual(own);
  expect(of('strict-car')).toEqual(own);
  expect(of('strict-bus')).toEqual([]);
});
