import { type Kysely, Migrator } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { type VisitEvent, VisitTracker } from 'wayzone/tracks';
import { type LiveVisits, liveVisits } from '../src/live/liveVisits.js';
import type { UnitFix } from '../src/live/unitFix.js';
import { fixDays } from '../src/storage/fixDays.js';
import { MIGRATIONS } from '../src/storage/migrations.js';
import type { Storage } from '../src/storage/storage.js';
import { type ZoneCache, zoneCache } from '../src/zones/companyZones.js';
import { type Caller, type Given, NOW, onBothDatabases, type TestHost } from './testHost.js';

/** Fixes by day and their retention; fixes, states and events in one transaction, over restarts and beside a second process. */

const DAY_MS = 86_400_000;
const CIRCLES = [0, 1, 2].map((i) => ({
  name: `Stop ${i}`,
  type: { key: 'circle' },
  geometry: [[30 + i / 100, 60]],
  width: 200,
}));

function contract(given: () => Given): void {
  let hosted: TestHost;
  let storage: Storage;
  let admin: Caller;
  let zones: ZoneCache;
  beforeAll(async () => {
    hosted = given().hosted;
    storage = given().database.storage;
    zones = await zoneCache(storage);
    return () => zones.close();
  });

  const fleet = async (units: number): Promise<string[]> => {
    admin = await hosted.as(await hosted.company(), 'ADMIN');
    for (const zone of CIRCLES) expect((await admin.send('POST', '/geozones', zone)).status).toBe(200);
    const ids: string[] = [];
    for (let i = 0; i < units; i++) {
      const unit = { name: `U${i}`, device_key: `${admin.companyId}-${i}` };
      ids.push(((await admin.send('POST', '/units', unit)).body as { id: string }).id);
    }
    return ids;
  };

  /** What a process that has just started would hold. */
  const started = (): LiveVisits =>
    liveVisits({ storage, zones, days: fixDays(storage), onStored: () => {} });

  /** Each unit goes to and fro through the three circles; a part of the fixes come late, a part twice. */
  const driveOf = (units: readonly string[]): UnitFix[] => {
    const fixes = Array.from({ length: 60 }, (_, i) =>
      units.map((unitId, u) => ({
        unitId,
        fix: {
          time: NOW - 3_600_000 + i * 20_000 + u,
          lon: 30 + Math.abs(((i + u * 7) % 24) - 12) / 400 - 0.005,
          lat: 60,
        },
      })),
    ).flat();
    return fixes.flatMap((one, i) => {
      if (i % 17 === 3 && i + 1 < fixes.length) return [fixes[i + 1]!, one];
      return i % 13 === 5 ? [one, one] : [one];
    });
  };

  const expected = async (fixes: readonly UnitFix[]): Promise<VisitEvent[]> => {
    const rows = (await admin.send('GET', '/geozones')).body as ConstructorParameters<typeof ZoneIndex>[0];
    const tracker = new VisitTracker(new ZoneIndex(rows), { latenessSeconds: 30 });
    return fixes.flatMap(({ unitId, fix }) => [...tracker.push(unitId, fix, { receivedAt: NOW })]);
  };
  const stored = async (): Promise<{ number: string; event: unknown }[]> =>
    storage.db
      .selectFrom('events')
      .select(['number', 'event'])
      .where('company_id', '=', admin.companyId)
      .orderBy('number')
      .execute();

  test('a process that restarts after every batch, and is sent some of them twice, stores the events of one that does not', async () => {
    const fixes = driveOf(await fleet(4));
    const events = await expected(fixes);
    expect(events.length).toBeGreaterThan(20);
    for (let from = 0; from < fixes.length; from += 40) {
      const batch = fixes.slice(from, from + 40);
      await started().push(admin.companyId, batch, NOW);
      // The answer was lost: the client sends the batch again.
      if (from % 80 === 0) await started().push(admin.companyId, batch, NOW);
    }
    const rows = await stored();
    expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, i) => i + 1));
    expect(rows.map(({ event }) => event)).toEqual(JSON.parse(JSON.stringify(events)));
  });

  test('a batch whose transaction fails leaves no fix, no event and no state, and is taken when it is sent again', async () => {
    const fixes = driveOf(await fleet(2));
    const live = started();
    await live.push(admin.companyId, fixes.slice(0, 60), NOW);
    const before = [await stored(), await counted()];
    // jsonb refuses NUL: the last statement of the transaction that reads it fails.
    const broken = [
      ...fixes.slice(60, 100),
      { unitId: fixes[0]!.unitId, fix: { time: NOW, lon: 30, lat: 60, note: '\0' } as never },
    ];
    await expect(live.push(admin.companyId, broken, NOW)).rejects.toThrow();
    expect([await stored(), await counted()]).toEqual(before);
    await live.push(admin.companyId, fixes.slice(60), NOW);
    expect((await stored()).map(({ event }) => event)).toEqual(
      JSON.parse(JSON.stringify(await expected(fixes))),
    );

    async function counted(): Promise<unknown> {
      const { rows } = { rows: await storage.db.selectFrom('fixes').select('time').execute() };
      return [
        rows.length,
        await storage.db
          .selectFrom('unit_states')
          .select(['visits', 'last_time'])
          .where('company_id', '=', admin.companyId)
          .orderBy('unit_id')
          .execute(),
      ];
    }
  });

  test('two processes that write one company in turn, and at once, tell each event once', async () => {
    const units = await fleet(4);
    const fixes = driveOf(units);
    const processes = [started(), started()];
    for (let from = 0; from < fixes.length; from += 30)
      await processes[(from / 30) % 2]!.push(admin.companyId, fixes.slice(from, from + 30), NOW);
    const rows = await stored();
    expect(rows.map(({ event }) => event)).toEqual(JSON.parse(JSON.stringify(await expected(fixes))));

    // At once, each with units of its own: both are taken, numbers have no hole.
    const others = await fleet(2);
    const all = driveOf(others);
    await Promise.all(
      others.map((id, i) =>
        processes[i]!.push(
          admin.companyId,
          all.filter(({ unitId }) => unitId === id),
          NOW,
        ),
      ),
    );
    const own = await stored();
    expect(own.map(({ number }) => Number(number))).toEqual(own.map((_, i) => i + 1));
    expect(own).toHaveLength((await expected(all)).length);
  });

  test('fixes lie in the partition of their day; old days and their events go, and what is too old is refused', async () => {
    const [id] = await fleet(1);
    const at = (time: number): object => ({ unit_id: id, time, lon: 30, lat: 60 });
    const old = NOW - 399 * DAY_MS;
    const { body } = await admin.send('POST', '/positions', [
      at(old),
      at(old + DAY_MS),
      at(NOW),
      at(NOW - 402 * DAY_MS),
      at(NOW + DAY_MS),
    ]);
    expect(body).toMatchObject({
      taken: 3,
      errors: [
        { field: '[3].time', reason: 'time-range' },
        { field: '[4].time', reason: 'time-range' },
      ],
    });
    const days = fixDays(storage);
    expect(await days.dropBefore(old + DAY_MS)).toEqual(['fixes_20250127']);
    const { body: track } = await admin.send('GET', `/units/${id}/track?from=0&to=${NOW}`);
    expect((track as { points: { time: number }[] }).points.map(({ time }) => time)).toEqual([
      old + DAY_MS,
      NOW,
    ]);
    // A day that was dropped is made again when it is asked for.
    await days.ensure([old]);
    await expect(days.ensure([old, NOW])).resolves.toBeUndefined();
  });

  test('the migrations go down and up again with the rows', async () => {
    const fixes = driveOf(await fleet(4));
    await started().push(admin.companyId, fixes, NOW);
    const before = await storage.db
      .selectFrom('fixes')
      .selectAll()
      .orderBy('time')
      .orderBy('unit_id')
      .execute();
    const events = await storage.db
      .selectFrom('events')
      .selectAll()
      .orderBy('company_id')
      .orderBy('number')
      .execute();
    expect(before.length).toBeGreaterThan(100);
    const migrator = new Migrator({
      db: storage.db as Kysely<unknown>,
      provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    });
    const down = await migrator.migrateDown();
    expect(down.error).toBeUndefined();
    const up = await migrator.migrateToLatest();
    expect(up.error).toBeUndefined();
    expect(
      await storage.db.selectFrom('fixes').selectAll().orderBy('time').orderBy('unit_id').execute(),
    ).toEqual(before);
    expect(
      await storage.db.selectFrom('events').selectAll().orderBy('company_id').orderBy('number').execute(),
    ).toEqual(events);
  });
}

onBothDatabases(contract);
