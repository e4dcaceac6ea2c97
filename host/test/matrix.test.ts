import { beforeAll, expect, test } from 'vitest';
import { isRole, type MinRole, type Role, satisfies } from '../src/auth/roles.js';
import { documentOf } from './checkAnswer.js';
import { SAMPLES, type SampleOf } from './samples.js';
import { type Caller, type Given, onBothDatabases, type TestHost } from './testHost.js';

/** Tests every operation with every role, on the caller's own company and on another one: the status, and by `checkAnswer` the body. */

const ROLES = ['VIEWER', 'TARIFF_EDITOR', 'USER', 'CONTROLLER', 'MANAGER', 'ADMIN', 'SUPER_ADMIN'] as const;

/** The status for an id of another company. Operations not listed here answer 200 without rows of other companies. */
const FOREIGN: Readonly<Record<string, number>> = {
  'put /geozones/{id}': 400,
  'delete /geozones/{id}': 400,
  // Works across all companies.
  'delete /admin/geozones/{id}': 200,
  'put /geozonesgroup/{id}': 400,
  'delete /geozonesgroup/{id}': 400,
  'put /custom_geozone_types/{id}': 400,
  'delete /custom_geozone_types/{id}': 400,
  'put /custom_geozone_types/{id}/photo': 400,
  'get /custom_geozone_types/{id}/photo/{size}': 404,
  'put /routes/{id}': 422,
  'delete /routes/{id}': 422,
  'put /trips/{id}': 422,
  'delete /trips/{id}': 422,
  'get /trips/{id}/report': 422,
  'get /company/{id}/properties': 422,
  'put /company/{id}/properties': 422,
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
  let operations: readonly { name: string; method: string; minRole: MinRole | 'NONE' }[];
  beforeAll(async () => {
    ({ hosted } = given());
    owner = await hosted.as(await hosted.company(), 'SUPER_ADMIN');
    foreign = await hosted.company();
    const { paths } = await documentOf(hosted.host.app);
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method} ${path.replace('/api_v1', '')}`,
        method: method.toUpperCase(),
        minRole: operation['x-min-role'] as MinRole | 'NONE',
      })),
    );
  });

  test('every operation of the document has a sample, and every sample an operation', () => {
    const names = operations.map(({ name }) => name);
    expect(Object.keys(SAMPLES).sort()).toEqual(names.filter((name) => !STREAMS.includes(name)).sort());
    expect(Object.keys(FOREIGN).filter((name) => !names.includes(name))).toEqual([]);
    expect(ROLES.every(isRole)).toBe(true);
  });

  for (const role of [null, ...ROLES] as const)
    test(`${role ?? 'nobody'} may call the documented operations, only in their own company`, async () => {
      const own = await hosted.as(owner.companyId, role);
      const other = await hosted.as(foreign, role);
      const wrong: unknown[] = [];
      for (const { name, method, minRole } of operations) {
        const sampleOf = SAMPLES[name];
        if (sampleOf === undefined) continue;
        const refusal = refusalOf(role, minRole);
        const mine = await ask(own, method, sampleOf);
        if (mine.status !== (refusal ?? 200)) wrong.push([name, 'own', mine]);
        const theirs = await ask(other, method, sampleOf);
        if (theirs.status !== (refusal ?? FOREIGN[name] ?? 200)) wrong.push([name, 'other', theirs]);
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
    method: string,
    sampleOf: SampleOf,
  ): Promise<{ status: number; body: unknown; id: string | undefined }> {
    const { url, body, headers, id } = await sampleOf(owner);
    const answer = await caller.send(method, url, body, headers);
    return { status: answer.status, body: answer.body, id };
  }
}

function refusalOf(role: Role | null, minRole: MinRole | 'NONE'): 401 | 403 | null {
  if (minRole === 'NONE') return null;
  if (role === null) return 401;
  return satisfies(role, minRole) ? null : 403;
}

/** `POST /positions` names the rejected id. */
function isEcho(body: unknown, id: string): boolean {
  const { taken, errors } = body as { taken?: number; errors?: { message: string }[] };
  return taken === 0 && errors?.length === 1 && errors[0]!.message.includes(id);
}

onBothDatabases(contract);
