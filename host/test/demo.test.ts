import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fix } from 'wayzone';
import { signToken } from '../src/auth/tokens.js';
import { cityDay, cityFile, DAY_LENGTH, DAY_START } from '../src/demo/cityDay.js';
import { demoPlayer, fixesBetween, tripsOf } from '../src/demo/demoFleet.js';
import { exampleCompany, seed } from '../src/demo/seed.js';
import { embedded, NOW, SETTINGS, testHost } from './testHost.js';

/** The example city's vehicles drive on today's clock. */

test('a day follows the day before, and no fix is played twice or left out, however the time is cut', () => {
  const fleet = cityDay();
  const start = NOW - (NOW % 60_000);
  const all = fixesBetween(fleet, start, start - 1, start + 2 * DAY_LENGTH - 1);
  expect(all.length).toBe(2 * fleet.reduce((sum, { fixes }) => sum + fixes.length, 0));
  expect(all.every(([, { time }], i) => i === 0 || time >= all[i - 1]![1].time)).toBe(true);
  const cut: (typeof all)[number][] = [];
  for (let from = start - 1; from < start + 2 * DAY_LENGTH - 1; from += 7_000_000)
    cut.push(...fixesBetween(fleet, start, from, Math.min(from + 7_000_000, start + 2 * DAY_LENGTH - 1)));
  expect(cut).toEqual(all);
});

test('at each minute of the shift several couriers drive, on the ways of other vehicles', () => {
  const fleet = cityDay();
  const isCourier = ({ name }: { readonly name: string }): boolean => name.startsWith('courier');
  const placeOf = ({ lon, lat }: Fix): string => `${lon},${lat}`;
  const places = new Set(fleet.filter((one) => !isCourier(one)).flatMap(({ fixes }) => fixes.map(placeOf)));
  const couriers = fleet.filter(isCourier);
  expect(couriers.length).toBe(12);
  const all = couriers.flatMap(({ fixes }) => fixes);
  expect(all.filter((fix) => !places.has(placeOf(fix)))).toEqual([]);
  // Time ascends, and nobody is faster than 150 km/h.
  const jumps = couriers.flatMap(({ fixes }) =>
    fixes.slice(1).filter(({ time, lon, lat }, i) => {
      const before = fixes[i]!;
      const meters = Math.hypot((lon - before.lon) * 55_800, (lat - before.lat) * 111_200);
      return !(meters / (time - before.time) < 0.042);
    }),
  );
  expect(jumps).toEqual([]);
  const driving = Array.from({ length: 350 }, (_, i) => {
    const from = (180 + i) * 60_000;
    return couriers.filter(({ fixes }) =>
      fixes.some(({ time, speedKph }) => time >= from && time < from + 60_000 && speedKph! > 3),
    ).length;
  });
  expect(Math.min(...driving)).toBeGreaterThan(3);
});

test('trips keep their places in the day', () => {
  const stored = JSON.parse(new TextDecoder().decode(cityFile('city-trips.json'))) as {
    readonly name: string;
    readonly unit: { readonly id: string };
  }[];
  const byDay = stored.filter(({ unit }) => unit.id !== 'night-8');
  const same = tripsOf(DAY_START).filter(({ unit }) => unit.id !== 'night-8');
  const plain = (value: object): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(',"after_days":0', ''));
  expect(plain(same)).toEqual(plain(byDay));
  // Half a day later some points are planned for the day after.
  const later = tripsOf(DAY_START + 12 * 3_600_000).find(({ name }) => name === 'Calls')!;
  const [first, last] = [later.points[0]!.arrival, later.points.at(-1)!.arrival];
  expect([later.dates, first, last]).toMatchObject([
    ['2026-03-02'],
    { time: '20:50', after_days: 0 },
    { time: '06:00', after_days: 1 },
  ]);
});

test('a start has hours of history and trips; a restart goes on where the former one was stopped', async () => {
  const { storage } = await embedded();
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-demo-'));
  await seed(storage, NOW);
  const companyId = (await exampleCompany(storage))!;
  const hosted = await testHost(storage);
  const access = { companyId, userId: 'demo', role: 'ADMIN' } as const;
  const token = await signToken(hosted.host.secret!, SETTINGS, access, NOW + 3_600_000);
  let time = NOW;
  const open = (): Promise<() => Promise<void>> =>
    demoPlayer({ app: hosted.host.app, token, companyId, folder, now: () => time });
  const counted = async (): Promise<readonly [units: number, fixes: number, trips: number]> => {
    const { rows } = await storage.db.executeQuery<{ units: string; fixes: string }>(
      storage.db
        .selectFrom('fixes')
        .select(({ fn }) => [fn.count('unit_id').distinct().as('units'), fn.countAll().as('fixes')])
        .compile(),
    );
    const trips = await storage.db.selectFrom('trips').select('id').execute();
    return [Number(rows[0]!.units), Number(rows[0]!.fixes), trips.length];
  };
  await (await open())();
  const { start } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as { start: number };
  const fleet = cityDay();
  const due = (): number => fixesBetween(fleet, start, start - 1, time).length;
  expect(await counted()).toEqual([19, due(), 8]);
  const before = due();
  time += 60_000;
  const again = await open();
  await again();
  await again();
  expect(due()).toBeGreaterThan(before);
  expect(await counted()).toEqual([19, due(), 8]);
  const visits = await storage.db.selectFrom('events').select('event').execute();
  expect(visits.length).toBeGreaterThan(50);
  await hosted.close();
  rmSync(folder, { recursive: true });
});
