import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateApi } from 'swagger-typescript-api';
import { expect, test } from 'vitest';
import { documentOf } from './checkAnswer.js';
import { embedded, NOW, testHost } from './testHost.js';

/** A dispatcher's day with the client of a second generator, which is made, compiled and run here. */

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'out/client');

/** A user's program: no cast, no `any`. */
const DAY = `import { Api } from './fleetApi.js';

export interface Day {
  readonly name: string;
  readonly taken: number;
  readonly statuses: readonly (string | null)[];
  readonly zoneIds: readonly string[];
  readonly trips: number;
  readonly points: number;
  readonly max: number;
  readonly code: number;
}

export async function day(baseUrl: string, token: string, companyId: string, now: number): Promise<Day> {
  const client = new Api<string>({
    baseUrl,
    baseApiParams: { secure: true },
    securityWorker: (given) => ({ headers: { authorization: 'Bearer ' + String(given) } }),
  });
  client.setSecurityData(token);
  const fleet = client.apiV1;
  const { data: unit } = await fleet.postUnits({ name: 'Van 1', device_key: companyId });
  const points = [30, 30.05].map((lon, i) => ({
    name: i === 0 ? 'Depot' : 'Shop',
    type: { key: 'circle' as const },
    geometry: [[lon, 60]] as [number, number][],
    width: 400,
  }));
  const zones = [];
  for (const point of points) zones.push((await fleet.postGeozones({ ...point, is_show_on_map: true })).data);
  const { data: trip } = await fleet.postTrips({
    name: 'Morning',
    unit: { id: unit.id },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: ['2026-03-02'],
    points: points.map((point, i) => ({
      ...point,
      arrival: { time: i === 0 ? '13:30' : '14:30', after_days: 0, deviation_minutes: 10 },
    })),
  });
  const start = now - 90 * 60_000;
  const { data: taken } = await fleet.postPositions(
    Array.from({ length: 90 }, (_, i) => ({
      unit_id: unit.id,
      time: start + i * 60_000,
      lon: i === 0 ? 29.98 : 30 + (0.05 * Math.min(Math.max(i - 15, 0), 60)) / 60,
      lat: 60,
    })),
  );
  const span = { from: String(now - 7_200_000), to: String(now) };
  const { data: report } = await fleet.getTripsByIdReport({ id: trip.id, date: '2026-03-02' });
  const { data: visits } = await fleet.getUnitsByIdVisits({ id: unit.id, ...span });
  const { data: movement } = await fleet.getUnitsByIdMovement({ id: unit.id, ...span });
  const { data: track } = await fleet.getUnitsByIdTrack({ id: unit.id, ...span });
  const { data: page } = await fleet.postGeozonesFilter({ from: 0, count: 1, conditions: [{ field: 'name', value: 'dep' }] });
  const refused = await fleet.getTripsByIdReport({ id: trip.id, date: '2026-03-09' }).catch((answer: { error: { code: number } }) => answer.error);
  return {
    name: page.list[0]?.name ?? '',
    taken: taken.taken,
    statuses: report.points.map(({ arrivalStatus }) => arrivalStatus),
    zoneIds: visits.map(({ zoneId }) => zoneId),
    trips: movement.trips.length,
    points: track.points.length,
    max: page.max,
    code: 'code' in refused ? refused.code : 0,
  };
}
`;

test('the client of swagger-typescript-api compiles without casts and runs a dispatcher’s day', async () => {
  const { storage } = await embedded();
  const hosted = await testHost(storage);
  const baseUrl = await hosted.host.app.listen({ host: '127.0.0.1', port: 0 });
  mkdirSync(FOLDER, { recursive: true });
  await generateApi({
    spec: structuredClone(await documentOf(hosted.host.app)) as never,
    output: FOLDER,
    fileName: 'fleetApi.ts',
    httpClientType: 'fetch',
    extractRequestParams: true,
    silent: true,
  });
  writeFileSync(join(FOLDER, 'day.ts'), DAY);
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const flags =
    '--noEmit --ignoreConfig --strict --skipLibCheck --target es2022 --lib es2023,dom,dom.iterable --module nodenext --types node';
  const compiled = () =>
    execFileSync(process.execPath, [compiler, ...flags.split(' '), join(FOLDER, 'day.ts')], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  try {
    expect(compiled()).toBe('');
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout ?? error));
  }

  const companyId = await hosted.company();
  const { headers } = await hosted.as(companyId, 'ADMIN');
  const { day } = (await import(pathToFileURL(join(FOLDER, 'day.ts')).href)) as {
    day: (...given: readonly unknown[]) => Promise<{ zoneIds: readonly string[] }>;
  };
  const done = await day(baseUrl, headers['authorization']!.replace('Bearer ', ''), companyId, NOW);
  expect(done).toMatchObject({
    name: 'Depot',
    taken: 90,
    statuses: ['on_time', 'on_time'],
    points: 90,
    max: 1,
    code: 4220,
  });
  expect(done.zoneIds).toHaveLength(2);
  await hosted.close();
});
