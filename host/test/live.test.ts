import { beforeAll, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { MovementTracker, VisitTracker } from 'wayzone/tracks';
import type { UnitFix } from '../src/live/fixes.js';
import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import type { StreamEvent } from '../src/stream/streamEvent.js';
import { type Caller, type Given, NOW, onADatabase, type TestHost } from './testHost.js';
import { testStream } from './testStream.js';

/** Fixes are stored by day with a retention, in one transaction with states and events, also over restarts and with a second process. */

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
  beforeAll(() => {
    hosted = given().hosted;
    storage = given().database.storage;
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

  /** Starts another process on the same database. */
  const started = async (): Promise<{
    push(fixes: readonly UnitFix[]): Promise<void>;
    close(): Promise<void>;
  }> => {
    const live = testStream({ storage, now: () => NOW });
    return { push: (fixes) => live.push(admin.companyId, fixes), close: () => live.close() };
  };
  const pushAnew = async (fixes: readonly UnitFix[]): Promise<void> => {
    const live = await started();
    await live.push(fixes);
    await live.close();
  };

  /** Each unit drives to and fro through the three circles. Some fixes arrive late, some twice. */
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

  const expected = async (fixes: readonly UnitFix[]): Promise<StreamEvent[]> => {
    const rows = (await admin.send('GET', '/geozones')).body as ConstructorParameters<typeof ZoneIndex>[0];
    const visits = new VisitTracker(new ZoneIndex(rows), { latenessSeconds: 30 });
    const movement = new MovementTracker({}, { latenessSeconds: 30 });
    const options = { receivedAt: NOW };
    return fixes.flatMap(({ unitId, fix }) => [
      ...visits.push(unitId, fix, options),
      ...movement.push(unitId, fix, options),
    ]);
  };
  const stored = async (): Promise<{ seq: string; ordinal: number; event: unknown }[]> =>
    storage.db
      .selectFrom('events')
      .select(['seq', 'ordinal', 'event'])
      .where('company_id', '=', admin.companyId)
      .orderBy('seq')
      .orderBy('ordinal')
      .execute();

  test('restarts after every batch and repeated batches do not change the stored events', async () => {
    const fixes = driveOf(await fleet(4));
    const events = await expected(fixes);
    expect(events.length).toBeGreaterThan(20);
    for (let from = 0; from < fixes.length; from += 40) {
      const batch = fixes.slice(from, from + 40);
      await pushAnew(batch);
      // As if the response was lost, the client sends the batch again.
      if (from % 80 === 0) await pushAnew(batch);
    }
    const rows = await stored();
    expect(rows.map(({ event }) => event)).toEqual(JSON.parse(JSON.stringify(events)));
  });

  test('a batch that cannot be stored leaves no fix, event or state; without the wrong fix it is accepted', async () => {
    const fixes = driveOf(await fleet(2));
    const live = await started();
    await live.push(fixes.slice(0, 60));
    const before = [await stored(), await counted()];
    // Texts of PostgreSQL cannot contain NUL.
    const broken = [
      ...fixes.slice(60, 100),
      { unitId: fixes[0]!.unitId, fix: { time: NOW, lon: 30, lat: 60, note: '\0' } as never },
    ];
    await expect(live.push(broken)).rejects.toMatchObject({ code: 'text-invalid' });
    expect([await stored(), await counted()]).toEqual(before);
    await live.push(fixes.slice(60));
    await live.close();
    expect((await stored()).map(({ event }) => event)).toEqual(
      JSON.parse(JSON.stringify(await expected(fixes))),
    );

    async function counted(): Promise<unknown> {
      const { rows } = { rows: await storage.db.selectFrom('fixes').select('time').execute() };
      return [
        rows.length,
        await storage.db
          .selectFrom('unit_states')
          .select(['seq', 'state'])
          .where('company_id', '=', admin.companyId)
          .orderBy('unit_id')
          .execute(),
      ];
    }
  });

  test('two processes that write one company, in turn and at the same time, emit each event once', async () => {
    const units = await fleet(4);
    const fixes = driveOf(units);
    const processes = [await started(), await started()];
    for (let from = 0; from < fixes.length; from += 30)
      await processes[(from / 30) % 2]!.push(fixes.slice(from, from + 30));
    const rows = await stored();
    expect(rows.map(({ event }) => event)).toEqual(JSON.parse(JSON.stringify(await expected(fixes))));

    // At the same time, each with its own units: both requests are accepted.
    const others = await fleet(2);
    const all = driveOf(others);
    await Promise.all(others.map((id, i) => processes[i]!.push(all.filter(({ unitId }) => unitId === id))));
    const ofUnit = (events: readonly unknown[], id: string): unknown[] =>
      events.filter((event) => (event as StreamEvent).unitId === id);
    const batch = JSON.parse(JSON.stringify(await expected(all))) as unknown[];
    const own = (await stored()).map(({ event }) => event);
    for (const id of others) expect(ofUnit(own, id)).toEqual(ofUnit(batch, id));
    for (const one of processes) await one.close();
  });

  test('fixes are in the partition of their day; old days are deleted with their events, and older fixes are rejected', async () => {
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
    // The partition of a deleted day is created again when a fix needs it.
    await days.ensure([old]);
    await expect(days.ensure([old, NOW])).resolves.toBeUndefined();
  });
}

onADatabase(contract);
