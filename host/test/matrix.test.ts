import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { needs } from '../../test/needs.js';
import { type MinRole, OPERATION_ROLES, RANKED_ROLES, ROLES, type Role } from '../src/auth/roles.js';
import { documentOf } from './checkAnswer.js';
import { SAMPLES, type SampleOf } from './samples.js';
import { type Caller, type Given, onADatabase, type TestHost } from './testHost.js';

/** Tests every operation with every role, on the caller's own company and on another one: the status, and by `checkAnswer` the body. */

/** The status for an id of another company. Operations not listed here answer 200 without rows of other companies. */
const FOREIGN: Readonly<Record<string, number>> = {
  'get /geozones': 404,
  'get /custom_geozone_types': 404,
  'get /routes': 404,
  'get /trips': 404,
  'get /units': 404,
  'put /geozones/{id}': 400,
  'delete /geozones/{id}': 400,
  // Works across all companies.
  'delete /admin/geozones/{id}': 200,
  'get /geozones/{id}/hours': 400,
  'get /geozones/{id}/visits': 400,
  'put /geozonesgroup/{id}': 400,
  'delete /geozonesgroup/{id}': 400,
  'put /custom_geozone_types/{id}': 400,
  'delete /custom_geozone_types/{id}': 400,
  'get /photos/{id}/{size}': 404,
  // The type's photos are those of another company.
  'post /custom_geozone_types': 422,
  'put /routes/{id}': 422,
  'delete /routes/{id}': 422,
  'post /routes/{id}/match': 422,
  'put /trips/{id}': 422,
  'delete /trips/{id}': 422,
  'get /trips/{id}/report': 422,
  'post /trips/{id}/excuse': 422,
  'post /trips/{id}/cancel': 422,
  'post /trips/{id}/amend': 422,
  'post /trips/{id}/hand_over': 422,
  'get /switchcompany/{id}': 422,
  'get /company/{id}/properties': 422,
  'put /company/{id}/properties': 422,
  'put /company/{id}/properties/copy': 422,
  'get /company/{id}/roles': 422,
  'post /company/{id}/history': 422,
  'post /keys/{id}/rotate': 404,
  'delete /keys/{id}': 404,
  'post /trips': 422,
  'post /geozones/suggest': 422,
  'put /event_sinks/{id}': 404,
  'delete /event_sinks/{id}': 404,
  'post /event_sinks/{id}/replay': 404,
  'get /event_sinks/{id}/dead_letters': 404,
  'post /event_sinks/{id}/dead_letters/retry': 404,
  // The sink of the rule is that of another company.
  'post /notification_rules': 422,
  'put /notification_rules/{id}': 404,
  'delete /notification_rules/{id}': 404,
  'put /units/{id}': 422,
  'delete /units/{id}': 422,
  'get /units/{id}/track': 422,
  'get /units/{id}/visits': 422,
  'get /units/{id}/movement': 422,
  'post /locators': 422,
  'delete /locators/{id}': 404,
  'get /locator/{id}': 404,
};
/** Streams do not end, so `streams.test.ts` tests them. */
const STREAMS = ['get /events'];

function contract(given: () => Given): void {
  let hosted: TestHost;
  let owner: Caller;
  let foreign: string;
  /** Samples whose objects are as they were made: a refused request and a `GET` change nothing, so the next request takes the same. */
  const unchanged = new Map<string, Awaited<ReturnType<SampleOf>>>();
  let operations: readonly { name: string; method: string; minRole: MinRole | 'NONE'; stated: string }[];
  beforeAll(async () => {
    ({ hosted } = given());
    owner = await hosted.as(await hosted.company(), 'SUPERVISOR');
    foreign = await hosted.company();
    const { paths } = await documentOf(hosted.host.app);
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method} ${path.replace('/api_v1', '')}`,
        method: method.toUpperCase(),
        minRole: roleOf(method, path),
        stated: operation['x-min-role'],
      })),
    );
  });

  test('every operation of the document has a sample, and every sample an operation', () => {
    const names = operations.map(({ name }) => name);
    expect(Object.keys(SAMPLES).sort()).toEqual(names.filter((name) => !STREAMS.includes(name)).sort());
    expect(Object.keys(FOREIGN).filter((name) => !names.includes(name))).toEqual([]);
    expect(operations.filter(({ minRole, stated }) => minRole !== stated)).toEqual([]);
  });

  for (const role of [null, ...ROLES] as const)
    test(`${role ?? 'nobody'} may call the documented operations, only in their own company`, async () => {
      const own = await hosted.as(owner.companyId, role);
      const other = await hosted.as(foreign, role);
      const wrong: unknown[] = [];
      for (const { name, method, minRole } of operations) {
        if (SAMPLES[name] === undefined) continue;
        const refusal = refusalOf(role, minRole);
        const mine = await ask(own, name, method);
        if (mine.status !== (refusal ?? 200)) wrong.push([name, 'own', mine]);
        const theirs = await ask(other, name, method);
        // SUPERVISOR reaches every company by its id.
        const isReached = role === 'SUPERVISOR' && / \/company\/\{id\}\//.test(name);
        const foreignStatus = isReached ? 200 : (FOREIGN[name] ?? 200);
        if (theirs.status !== (refusal ?? foreignStatus)) wrong.push([name, 'other', theirs]);
        const isLeak =
          theirs.status === 200 &&
          FOREIGN[name] === undefined &&
          theirs.id !== undefined &&
          JSON.stringify(theirs.body).includes(theirs.id);
        if (isLeak && !isEcho(theirs.body, theirs.id!)) wrong.push([name, 'leak', theirs]);
      }
      expect(wrong).toEqual([]);
    });

  async function ask(
    caller: Caller,
    name: string,
    method: string,
  ): Promise<{ status: number; body: unknown; id: string | undefined }> {
    const sample = unchanged.get(name) ?? (await SAMPLES[name]!(owner));
    const { url, body, headers, id } = sample;
    const answer = await caller.send(method, url, body, headers);
    if (answer.status >= 400 || method === 'GET') unchanged.set(name, sample);
    else unchanged.delete(name);
    return { status: answer.status, body: answer.body, id };
  }
}

/** The role of an operation by the file of facts. Operations that need no token are not in it. */
function roleOf(method: string, path: string): MinRole | 'NONE' {
  const url = path.replace('/api_v1', '').replaceAll(/\{(\w+)\}/g, ':$1');
  return OPERATION_ROLES[`${method.toUpperCase()} ${url}`]?.role ?? 'NONE';
}

/** The default ranks of the roles beside the order. */
const SIDES: Partial<Record<Role, MinRole>> = { TARIFF_EDITOR: 'READER', CONTROLLER: 'OPERATOR' };

function refusalOf(role: Role | null, minRole: MinRole | 'NONE'): 401 | 403 | null {
  if (minRole === 'NONE') return null;
  if (role === null) return 401;
  const rank = RANKED_ROLES.indexOf(SIDES[role] ?? (role as MinRole));
  return rank >= RANKED_ROLES.indexOf(minRole) ? null : 403;
}

/** `POST /positions` names the rejected id. */
function isEcho(body: unknown, id: string): boolean {
  const { taken, errors } = body as { taken?: number; errors?: { message: string }[] };
  return taken === 0 && errors?.length === 1 && errors[0]!.message.includes(id);
}

onADatabase(contract);

const PLATFORM = resolve(import.meta.dirname, '../../../shared/platform-api.md');

needs({ name: 'the platform’s document', isThere: existsSync(PLATFORM) }).test(
  'the roles are those of the platform’s document (needs it)',
  () => {
    const text = readFileSync(PLATFORM, 'utf8');
    const [, names = ''] = /Role names in this document: (.*?)\./.exec(text) ?? [];
    expect(ROLES).toEqual(names.split(', '));
    const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const found = new Map(rows.map(([, method, path, role = '']) => [`${method} ${path}`, role]));
    const wrong = Object.entries(OPERATION_ROLES).flatMap(([operation, { role, of }]) => {
      if (of === undefined) return [];
      const cell = found.get(of);
      // A silent cell; the second of two stated roles, "per text", is the one that holds for `GET /me`.
      const stated = /(\w+) and above per text/.exec(cell ?? '')?.[1] ?? /^[A-Z_]+/.exec(cell ?? '')?.[0];
      return cell !== undefined && (stated === undefined || stated === role)
        ? []
        : [[operation, of, cell, role]];
    });
    // Rows with three columns (dictionaries and access) have the answer in the place of the role.
    expect(wrong).toEqual([]);
  },
);
