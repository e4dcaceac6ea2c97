import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { GENERATORS, GENERATORS_PATH, generator, needs } from '../../test/needs.js';
import { documentOf } from './checkAnswer.js';
import { type Given, NOW, onADatabase } from './testHost.js';

/** Clients of three generators, made from the document of a running host: their users' programs compile under `strict`, without casts, and run. */

const ROOT = resolve(import.meta.dirname, '../..');

/** What every program does: creates, reads, edits, lists and deletes, with typed lists of objects. */
const DONE = `
export interface Done {
  readonly created: string;
  readonly edited: string;
  readonly listed: readonly [max: number, names: readonly string[]];
  readonly deleted: string;
  readonly left: number;
  readonly gradation: readonly (number | null)[];
  readonly sensors: readonly (string | undefined)[];
  readonly refused: readonly [code: number, field: string | undefined];
}
`;
const ZONE = `{ name: 'Yard', type: { key: 'circle' as const }, geometry: [[30, 60]] as [number, number][], width: 500 }`;
const UNIT = `{ name: 'Van', sensors: [{ name: 'Fuel', type: { key: 'fuel' }, param1: { param_key: 'adc1' } }], trailers: [] }`;
const GRADATION = `{ track_gradation: { styles: [{ max: 60, hex_color: '#00aa00' }, { max: null, hex_color: '#aa0000' }] } }`;
const BY_NAME = `{ from: 0, count: 10, sortField: 'name', conditions: [{ field: 'name', value: 'mov' }] }`;

const OPENAPI_FETCH = `import createClient from 'openapi-fetch';
import type { paths } from './fetchApi.js';
${DONE}
export async function run(baseUrl: string, token: string, companyId: string): Promise<Done> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });
  const given = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
    if (data === undefined) throw new Error(JSON.stringify(error));
    return data;
  };
  const created = given(await client.POST('/api_v1/geozones', { body: ${ZONE} }));
  const path = { id: created.id };
  const found = given(await client.GET('/api_v1/geozones', { params: { query: { ids: created.id } } }));
  if (Array.isArray(found)) throw new Error('expected one zone');
  const { id: _, ...read } = found as Exclude<typeof found, readonly unknown[]>;
  const edited = given(await client.PUT('/api_v1/geozones/{id}', { params: { path }, body: { ...read, name: 'Moved' } }));
  const { max, list } = given(await client.POST('/api_v1/geozones/filter', { body: ${BY_NAME} }));
  const group = given(await client.POST('/api_v1/geozonesgroup', { body: { name: 'Round', geozones: [path] } }));
  const groups = given(await client.POST('/api_v1/geozonesgroup/filter', { body: { fields: ['geozones.name'] } }));
  if (groups[0]?.id !== group.id) throw new Error('expected the group');
  const route = given(await client.POST('/api_v1/routes', { body: { name: 'Round', company_id: companyId, points: [${ZONE}, ${ZONE}] } }));
  given(await client.DELETE('/api_v1/routes/{id}', { params: { path: { id: route.id } } }));
  const way = given(await client.GET('/api_v1/routing/{points}', { params: { path: { points: '60,30;60,30.05' }, query: { language: 'en' } } }));
  if (way.values[0] === undefined) throw new Error('expected a leg');
  const file = await client.POST('/api_v1/geozones/export_kml', { body: { geozones: [path] }, parseAs: 'text' });
  if (!String(file.data).includes('<name>Moved</name>')) throw new Error('expected the zone');
  const deleted = given(await client.DELETE('/api_v1/geozones/{id}', { params: { path } }));
  const left = given(await client.POST('/api_v1/geozones/filter', { body: ${BY_NAME} }));
  const properties = given(await client.PUT('/api_v1/company/{id}/properties', { params: { path: { id: companyId } }, body: ${GRADATION} }));
  const unit = given(await client.POST('/api_v1/units', { body: ${UNIT} }));
  const { error } = await client.PUT('/api_v1/geozones/{id}', { params: { path: { id: 'none' } }, body: ${ZONE} });
  if (error === undefined) throw new Error('expected an error');
  return {
    created: created.name,
    edited: edited.name,
    listed: [max, list.map(({ name }) => name)],
    deleted: deleted.name,
    left: left.max,
    gradation: (properties.track_gradation?.styles ?? []).map(({ max }) => max),
    sensors: (unit.sensors ?? []).map(({ name }) => name),
    refused: [error.code, error.field],
  };
}
`;

const SWAGGER = `import { Api } from './swaggerApi.js';
${DONE}
const apiOf = (baseUrl: string, token: string) => {
  const client = new Api<string>({
    baseUrl,
    baseApiParams: { secure: true },
    securityWorker: (given) => ({ headers: { authorization: 'Bearer ' + String(given) } }),
  });
  client.setSecurityData(token);
  return client.apiV1;
};
export async function run(baseUrl: string, token: string, companyId: string): Promise<Done> {
  const fleet = apiOf(baseUrl, token);
  const { data: created } = await fleet.postGeozones(${ZONE});
  const { id } = created;
  const { data: found } = await fleet.getGeozones({ ids: id });
  if (Array.isArray(found)) throw new Error('expected one zone');
  const { id: _, ...read } = found;
  const { data: edited } = await fleet.putGeozonesById({ id }, { ...read, name: 'Moved' });
  const { data: page } = await fleet.postGeozonesFilter(${BY_NAME});
  const { data: deleted } = await fleet.deleteGeozonesById({ id });
  const { data: left } = await fleet.postGeozonesFilter(${BY_NAME});
  const { data: properties } = await fleet.putCompanyByIdProperties({ id: companyId }, ${GRADATION});
  const { data: unit } = await fleet.postUnits(${UNIT});
  const refused = await fleet
    .putGeozonesById({ id: 'none' }, ${ZONE})
    .then(() => ({ code: 0, field: '' }), (answer: { error: { code: number; field?: string } }) => answer.error);
  return {
    created: created.name,
    edited: edited.name,
    listed: [page.max, page.list.map(({ name }) => name)],
    deleted: deleted.name,
    left: left.max,
    gradation: (properties.track_gradation?.styles ?? []).map(({ max }) => max),
    sensors: (unit.sensors ?? []).map(({ name }) => name),
    refused: [refused.code, refused.field],
  };
}
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
  const fleet = apiOf(baseUrl, token);
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

const HEY_API = `import { createClient } from './heyApi/client/index.js';
import * as fleet from './heyApi/sdk.gen.js';
${DONE}
export async function run(baseUrl: string, token: string, companyId: string): Promise<Done> {
  const client = createClient({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) });
  const common = { client, throwOnError: true as const };
  const { data: created } = await fleet.postGeozones({ ...common, body: ${ZONE} });
  const path = { id: created.id };
  const { data: found } = await fleet.getGeozones({ ...common, query: { ids: created.id } });
  if (Array.isArray(found)) throw new Error('expected one zone');
  const { id: _, ...read } = found;
  const { data: edited } = await fleet.putGeozonesById({ ...common, path, body: { ...read, name: 'Moved' } });
  const { data: page } = await fleet.postGeozonesFilter({ ...common, body: ${BY_NAME} });
  const { data: deleted } = await fleet.deleteGeozonesById({ ...common, path });
  const { data: left } = await fleet.postGeozonesFilter({ ...common, body: ${BY_NAME} });
  const { data: properties } = await fleet.putCompanyByIdProperties({ ...common, path: { id: companyId }, body: ${GRADATION} });
  const { data: unit } = await fleet.postUnits({ ...common, body: ${UNIT} });
  const { error } = await fleet.putGeozonesById({ client, path: { id: 'none' }, body: ${ZONE} });
  if (error === undefined) throw new Error('expected an error');
  return {
    created: created.name,
    edited: edited.name,
    listed: [page.max, page.list.map(({ name }) => name)],
    deleted: deleted.name,
    left: left.max,
    gradation: (properties.track_gradation?.styles ?? []).map(({ max }) => max),
    sensors: (unit.sensors ?? []).map(({ name }) => name),
    refused: [error.code, error.field],
  };
}
`;

const EXPECTED = {
  created: 'Yard',
  edited: 'Moved',
  listed: [1, ['Moved']],
  deleted: 'Moved',
  left: 0,
  gradation: [60, null],
  sensors: ['Fuel'],
  refused: [4000, 'id'],
};

/** A client's user: `day` is a whole day of a dispatcher. */
interface Program {
  run: (baseUrl: string, token: string, companyId: string) => Promise<unknown>;
  day?: (
    baseUrl: string,
    token: string,
    companyId: string,
    now: number,
  ) => Promise<{ zoneIds: readonly string[] }>;
}

function contract(given: () => Given): void {
  /** Makes a client, compiles the program beside it and loads it. */
  const loaded = async (
    name: string,
    program: string,
    generate: (document: object, folder: string) => Promise<void>,
  ): Promise<Program> => {
    const folder = join(ROOT, 'out/clients', name);
    mkdirSync(folder, { recursive: true });
    // Generators change the document that they read.
    await generate(structuredClone(await documentOf(given().hosted.host.app)), folder);
    const file = join(folder, 'program.ts');
    writeFileSync(file, program);
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const flags =
      '--noEmit --ignoreConfig --strict --skipLibCheck --target es2022 --lib es2023,dom,dom.iterable --module nodenext --types node';
    try {
      execFileSync(process.execPath, [compiler, ...flags.split(' '), file], { cwd: ROOT, stdio: 'pipe' });
    } catch (error) {
      throw new Error(String((error as { stdout?: Buffer }).stdout ?? error));
    }
    return (await import(pathToFileURL(file).href)) as Program;
  };
  let baseUrl: string | null = null;
  const caller = async (): Promise<readonly [baseUrl: string, token: string, companyId: string]> => {
    const { hosted } = given();
    baseUrl ??= await hosted.host.app.listen({ host: '127.0.0.1', port: 0 });
    const companyId = await hosted.company();
    const { headers } = await hosted.as(companyId, 'ADMIN');
    return [baseUrl, headers['authorization']!.replace('Bearer ', ''), companyId];
  };

  needs(GENERATORS).test('openapi-typescript with openapi-fetch (needs WAYZONE_GENERATORS)', async () => {
    const { run } = await loaded('fetch', OPENAPI_FETCH, async (document, folder) => {
      const { astToString, default: openapiTS } = generator('openapi-typescript') as {
        astToString: (nodes: unknown) => string;
        default: (document: object) => Promise<unknown>;
      };
      writeFileSync(join(folder, 'fetchApi.d.ts'), astToString(await openapiTS(document)));
    });
    expect(await run(...(await caller()))).toEqual(EXPECTED);
  });

  needs(GENERATORS).test('swagger-typescript-api, and a day (needs WAYZONE_GENERATORS)', async () => {
    const { run, day } = await loaded('swagger', SWAGGER, async (document, folder) => {
      const fileName = 'swaggerApi.ts';
      const { generateApi } = generator('swagger-typescript-api') as {
        generateApi: (options: object) => Promise<unknown>;
      };
      const common = { httpClientType: 'fetch', extractRequestParams: true, silent: true };
      await generateApi({ ...common, spec: document, output: folder, fileName });
    });
    expect(await run(...(await caller()))).toEqual(EXPECTED);
    const done = await day!(...(await caller()), NOW);
    expect(done).toMatchObject({
      name: 'Depot',
      taken: 90,
      statuses: ['on_time', 'on_time'],
      points: 90,
      max: 1,
      code: 4220,
    });
    expect(done.zoneIds).toHaveLength(2);
  });

  needs(GENERATORS).test('@hey-api/openapi-ts (needs WAYZONE_GENERATORS)', async () => {
    const { run } = await loaded('hey', HEY_API, async (document, folder) => {
      const file = join(GENERATORS_PATH!, 'node_modules/@hey-api/openapi-ts/dist/index.mjs');
      const { createClient } = (await import(pathToFileURL(file).href)) as {
        createClient: (options: object) => Promise<unknown>;
      };
      const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
      const output = { path: join(folder, 'heyApi') };
      await createClient({ input: document, output, logs: { level: 'silent', file: false }, plugins });
    });
    expect(await run(...(await caller()))).toEqual(EXPECTED);
  });
}

onADatabase(contract);
