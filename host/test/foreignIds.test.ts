import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { pairSource } from '../src/stream/pairSource.js';
import { storedHistory } from '../src/stream/storedHistory.js';
import { jsonBodies, type Schema, walk, withValue } from './bodyParts.js';
import { type ApiDocument, documentOf } from './checkAnswer.js';
import { SAMPLES, type Sample } from './samples.js';
import { type Caller, type Given, NOW, onADatabase, type TestHost } from './testHost.js';

/**
 * An id in a body is one of the caller's company. The test finds the ids in the published schemas of all bodies: a new operation whose ids are not
 * checked, or are hidden in an object without a description, fails it.
 */

const ANY_TEXT = 'the value of a custom field: any text, and never read as an id';

/** Ids that are accepted, each with the reason why nothing of another company can follow from them. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'conditions[].value.id': 'compared with the company’s rows',
  'conditions[].value[].id': 'compared with the company’s rows',
  'post /geozones/export_kml geozones[].id': 'selects among the company’s rows',
  'post /geozones/export_kml geozones_groups[].id': 'selects among the company’s rows',
  'settings.*': ANY_TEXT,
  'custom_fields.*': ANY_TEXT,
  object_id: 'selects among the company’s history',
  user_id: 'a user of the identity provider, whom the host does not know',
  'trip.user_id': 'a user of the identity provider, whom the host does not know',
  'drivers[].user.id': 'a user of the identity provider, whom the host does not know',
  'services[].id': 'a name inside the unit’s row',
  'services[].unit_id': 'replaced by the id of the unit',
  'sensors[].id': 'a name inside the unit’s row',
  'sensors[].unit_id': 'replaced by the id of the unit',
  'post /tracks/speeding zoneLimits.*': 'limits for the company’s zones',
  'post /company/{id}/history object_id': 'selects among the company’s history',
};
/** Objects without described fields. None may name anything by an id. */
const BARE = [
  'fixes[]',
  'drivers[]',
  'services[]',
  'sensors[]',
  'speeding',
  'custom_fields',
  'settings',
  'track_gradation',
  'monitoring_sensors_settings',
  'holidays',
];

function contract(given: () => Given): void {
  let hosted: TestHost;
  let document: ApiDocument;
  let caller: Caller;
  let other: Caller;
  beforeAll(async () => {
    ({ hosted } = given());
    document = await documentOf(hosted.host.app);
    caller = await hosted.as(await hosted.company(), 'ADMIN');
    other = await hosted.as(await hosted.company(), 'ADMIN');
  });

  /** One object of each kind of the other company. */
  async function foreignIds(): Promise<readonly string[]> {
    const names = Object.keys(SAMPLES).filter((name) => /^delete \/(?!admin)/.test(name));
    const ids = await Promise.all(names.map(async (name) => (await SAMPLES[name]!(other)).id!));
    return [...ids, other.companyId];
  }

  test('every id in a body of every operation is checked against the caller’s company', async () => {
    const foreign = await foreignIds();
    expect(foreign.length).toBeGreaterThan(9);
    const wrong = new Map<string, unknown>();
    let [tried, refused] = [0, 0];
    for (const { name, method, schema } of jsonBodies(document)) {
      // The device key of a tracker is its secret, whatever its company.
      if (name.endsWith('/osmand')) continue;
      let sample: Sample | undefined;
      for (const path of idPaths(schema, document)) {
        const reason = ACCEPTED[`${name} ${path}`] ?? ACCEPTED[path];
        if (reason === ANY_TEXT) continue;
        const ask = async (id: string): Promise<{ status: number; text: string; fields: string[] }> => {
          sample ??= await SAMPLES[name]!(caller);
          const { url, body, headers } = sample;
          const answer = await caller.send(method, url, withValue(body, schema, path, id, document), headers);
          // A refused request changes nothing.
          if (answer.status === 200) sample = undefined;
          const { errors = [], field } = Object(answer.body) as {
            errors?: { field: string }[];
            field?: string;
          };
          return {
            status: answer.status,
            text: neutral(answer.body, id),
            fields: [field ?? '', ...errors.map((one) => one.field)],
          };
        };
        const unknown = await ask(randomUUID());
        for (const id of foreign) {
          tried++;
          const answer = await ask(id);
          const isUuid = id.length === 36;
          if (isUuid && answer.text !== unknown.text)
            wrong.set(`${name} ${path} tells of it`, [answer, unknown]);
          if (reason !== undefined && answer.status < 500) continue;
          refused++;
          const field = path.replaceAll('[]', '[0]');
          if (!answer.fields.includes(field)) wrong.set(`${name} ${path} is not refused`, answer);
        }
      }
    }
    expect([...wrong]).toEqual([]);
    expect(refused).toBeGreaterThan(150);
    expect(tried).toBeGreaterThan(refused);
  });

  test('no body has an object without a description in which an id could hide', () => {
    const found = jsonBodies(document).flatMap(({ schema }) => barePaths(schema, document));
    expect([...new Set(found)].filter((path) => !BARE.includes(path))).toEqual([]);
  });

  test('stored rows that name a unit of another company show nothing of it', async () => {
    const { storage } = given().database;
    const [own, theirs] = await Promise.all(
      [caller, other].map(async (one) => (await SAMPLES['get /units']!(one)).id!),
    );
    const sent = [0, 1].map((i) => ({ unit_id: theirs, time: NOW - i * 60_000, lon: 30, lat: 60 }));
    expect((await other.send('POST', '/positions', sent)).body).toMatchObject({ taken: 2 });
    await storage.db
      .insertInto('events')
      .values({
        company_id: other.companyId,
        cell: 99,
        seq: 1,
        ordinal: 0,
        unit_id: theirs!,
        time: NOW,
        event: JSON.stringify({ kind: 'meeting', units: [theirs, own], tripId: 't', date: '2026-03-02' }),
        number: 1_000_000,
      })
      .execute();
    const trailers = [{ trailer: { id: theirs }, meters: 1e7 }];
    await storage.db
      .updateTable('units')
      .set({ row: JSON.stringify({ trailers }) })
      .where('id', '=', own!)
      .execute();
    const all = { modulus: 1, residue: 0 };
    expect(await pairSource(storage).of(caller.companyId, all)).toEqual([]);
    const history = storedHistory(storage.db);
    const read = async (companyId: string): Promise<unknown> => {
      const run = { unitId: theirs!, tripId: 't', date: '2026-03-02' };
      return [
        (await history.fixesOf(companyId, theirs!, 0)).length,
        await history.fixCount(companyId, theirs!, 0, NOW),
        await history.firstFixOf(companyId, theirs!),
        (await history.eventsOf(companyId, theirs!, 0)).length > 0,
        (await history.tripEventsOf(companyId, run, 0)).length,
        (await history.tripDatesOf(companyId, theirs!, 't')).length,
        (await history.meetingEventsOf(companyId, [theirs!, own!])).length,
        (await history.settingsOf([{ companyId, unitId: theirs! }])).size,
        (await history.asideOf(companyId, theirs!)).rows.length,
      ];
    };
    expect(await read(caller.companyId)).toEqual([0, 0, null, false, 0, 0, 0, 0, 0]);
    expect(await read(other.companyId)).toEqual([2, 2, NOW - 60_000, true, 1, 1, 1, 1, 0]);
  });
}

const IS_ID = /(?:^|[._])ids?$|Ids?$/;

/** The paths of the ids in a body, such as `trailers[].trailer.id`; `.*` for the names of an object. */
function idPaths(schema: Schema, document: ApiDocument): string[] {
  const found = new Set<string>();
  walk(schema, document, '', (part, path) => {
    const isText = [part['type']].flat().includes('string');
    if (isText && (IS_ID.test(path.replaceAll('[]', '')) || String(part['pattern']).includes('{12}')))
      found.add(path);
    if (typeof part['additionalProperties'] === 'object') found.add(path === '' ? '*' : `${path}.*`);
  });
  return [...found];
}

/** The paths of objects and lists that say nothing of what is in them. */
function barePaths(schema: Schema, document: ApiDocument): string[] {
  const found: string[] = [];
  walk(schema, document, '', (part, path) => {
    const types = [part['type']].flat();
    const isOpen =
      types.includes('object') &&
      !['properties', 'additionalProperties', 'anyOf'].some((name) => name in part);
    if (isOpen || (types.includes('array') && part['items'] === undefined)) found.push(path);
  });
  return found;
}

/** The answer without what differs from one request to the next: new ids, and the id that was sent. */
function neutral(answer: unknown, id: string): string {
  return JSON.stringify(answer)
    .replaceAll(id, 'ID')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:-\d+)?/g, 'ID')
    .replaceAll(/"(?:device_key|etag|version|user_company_api_key|secret)":"[^"]*"/g, '');
}

onADatabase(contract);
