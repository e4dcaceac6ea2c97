import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bodyOf, hostileText } from './bodies.js';
import { documentOf } from './checkAnswer.js';
import { SAMPLES } from './samples.js';
import { type Caller, type Given, onBothDatabases, type TestHost } from './testHost.js';

/**
 * Sends random and hostile requests to every operation, generated from the document's schemas. `checkAnswer` fails for an undocumented response, and
 * so for every 500. A rejected request must not change any row.
 */

const RUNS = process.env['WAYZONE_LONG'] === '1' ? 150 : 12;
const STREAMS = ['get /events'];
/** Tables that a rejected request must not change. Tickets and fixes are counted; the other tables are covered by the company's version. */
const TABLES = [
  'units',
  'locators',
  'tickets',
  'fixes',
  'events',
  'pictures',
  'geozones',
  'routes',
  'trips',
] as const;

function contract(given: () => Given): void {
  let hosted: TestHost;
  let owner: Caller;
  beforeAll(async () => {
    ({ hosted } = given());
    owner = await hosted.as(await hosted.company(), 'SUPERVISOR');
  });

  const rows = async (): Promise<unknown> => {
    const counts = sql.join(TABLES.map((name) => sql`(select count(*) from ${sql.table(name)})`));
    const { rows: found } = await sql`
      select zones_version, properties, ${counts} from companies where id = ${owner.companyId}
    `.execute(given().database.storage.db);
    return JSON.stringify(found);
  };

  const unchanged = async (send: () => Promise<{ status: number }>): Promise<void> => {
    const before = await rows();
    const { status } = await send();
    expect(status).toBeLessThan(500);
    if (status >= 400) expect(await rows()).toBe(before);
  };

  test('bodies, ids and queries of all kinds are accepted or rejected as documented', async () => {
    const { paths, components } = await documentOf(hosted.host.app);
    let asked = 0;
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods)) {
        const name = `${method} ${path.replace('/api_v1', '')}`;
        if (STREAMS.includes(name)) continue;
        const sample = await SAMPLES[name]!(owner);
        const media = operation.requestBody?.content['application/json'];
        const body = media === undefined ? fc.constant(undefined) : bodyOf(media.schema, components.schemas);
        const names = (operation.parameters ?? []).filter((one) => one.in === 'query');
        const query = fc.record(Object.fromEntries(names.map((one) => [one.name, hostileText])), {
          requiredKeys: [],
        });
        await fc.assert(
          fc.asyncProperty(body, query, fc.option(hostileText, { freq: 3 }), async (value, fields, id) => {
            asked++;
            const search = Object.entries(fields).map(([key, text]) => `${key}=${encoded(text ?? '')}`);
            const address = id === null ? sample.url.split('?')[0]! : replaced(path, id);
            const url = `${address}${search.length === 0 ? '' : `?${search.join('&')}`}`;
            await unchanged(() =>
              media === undefined
                ? owner.send(method.toUpperCase(), url, sample.body, sample.headers)
                : owner.send(method.toUpperCase(), url, JSON.stringify(value) ?? 'null', {
                    'content-type': 'application/json',
                  }),
            );
          }),
          { numRuns: RUNS, seed: 20_261_125 },
        );
      }
    expect(asked).toBeGreaterThan(500);
  });

  test('bodies that do not match their media type are rejected', async () => {
    const kinds = [
      'application/json',
      'application/x-ndjson',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'image/png',
      'text/plain',
      'x',
    ];
    const targets = [
      'POST /geozones',
      'POST /positions',
      'POST /geozones/import',
      'POST /geozones/export_kml',
      'POST /osmand',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...targets),
        fc.constantFrom(...kinds),
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
          fc.constantFrom(
            '[',
            '{"a":',
            '[1,2',
            '"',
            '\ufeff{}',
            '['.repeat(20_000),
            '{"__proto__":{"a":1}}',
            '1e400',
            '--b\r\n\r\n',
            'id=%00&lat=60&lon=30',
            'id=%ff%fe&lat=%&lon=%zz',
            '__proto__=1&constructor=2&lat=60',
            '&=&=;'.repeat(5000),
          ),
          hostileText.map(
            (text) =>
              `--b\r\nContent-Disposition: form-data; name="file"; filename="a.kml"\r\n\r\n${text}\r\n--b--\r\n`,
          ),
        ),
        async (target, kind, body) => {
          const [method, url] = target.split(' ') as [string, string];
          await unchanged(() => owner.send(method, url, body, { 'content-type': kind }));
        },
      ),
      { numRuns: 60, seed: 20_261_125 },
    );
  });

  test('random requests of phone trackers are accepted or rejected as documented', async () => {
    const { url: _, body } = await SAMPLES['post /units']!(owner);
    expect((await owner.send('POST', '/units', body)).status).toBe(200);
    const { device_key: key } = body as { device_key: string };
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            lat: hostileText,
            lon: hostileText,
            timestamp: hostileText,
            speed: hostileText,
            bearing: hostileText,
            accuracy: hostileText,
          },
          { requiredKeys: [] },
        ),
        fc.boolean(),
        fc.boolean(),
        async (fields, isKnown, isForm) => {
          const all = { lat: '60', lon: '30', ...fields, ...(isKnown ? { id: key } : {}) };
          const search = Object.entries(all).map(([name, text]) => `${name}=${encoded(text)}`);
          await unchanged(() =>
            isForm
              ? owner.send('POST', '/osmand', search.join('&'), {
                  'content-type': 'application/x-www-form-urlencoded',
                })
              : owner.send('GET', `/osmand?${search.join('&')}`),
          );
        },
      ),
      { numRuns: 40, seed: 20_261_125 },
    );
  });
}

/** Encodes a text for a URL. Lone surrogates, which `encodeURIComponent` rejects, are replaced. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function replaced(path: string, id: string): string {
  return path.replace('/api_v1', '').replaceAll(/\{\w+\}/g, encoded(id).slice(0, 1500));
}

onBothDatabases(contract, { importsPerMinute: 1e6, positionsPerMinute: 1e6 });
