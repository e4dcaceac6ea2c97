import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { launch, newPage } from '../../test/chromium.js';
import { CHROMIUM, GENERATORS, GENERATORS_PATH, generator, needs } from '../../test/needs.js';
import { REFUSALS } from '../src/operation.js';
import { type ApiDocument, documentOf } from './checkAnswer.js';
import { recordExamples } from './recordExamples.js';
import { embedded, type TestHost, testHost } from './testHost.js';

/** The published document, the pages and the entity tags. Renew the recorded examples with `vitest -u`. */

interface Published {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string;
        readonly description?: string;
        readonly headers?: object;
        readonly content?: Readonly<Record<string, unknown>>;
      }
    >
  >;
}

let hosted: TestHost;
let document: ApiDocument;
const operations: (readonly [name: string, operation: Published])[] = [];

beforeAll(async () => {
  const database = await embedded();
  hosted = await testHost(database.storage);
  document = await documentOf(hosted.host.app);
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item))
      operations.push([`${method} ${path}`, operation as unknown as Published]);
  return () => hosted.close();
});

/** Keywords that say what a value is, besides those of objects and arrays. */
const FORMS = ['$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'enum'];
/** Keywords whose values are schemas by name, or a list of schemas. */
const PARTS = ['properties', 'anyOf', 'oneOf', 'allOf'];

/** The places of schemas without a type, of objects without fields or a schema of all fields, and of arrays without a schema of items. */
function bareSchemas(
  value: unknown,
  seen: { objects: number; arrays: number },
  at: string = '',
  isSchema: boolean = false,
): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as Readonly<Record<string, unknown>>;
  if (!isSchema)
    return Object.entries(schema).flatMap(([name, part]) =>
      name === 'example' || name === 'examples'
        ? []
        : bareSchemas(part, seen, `${at}/${name}`, name === 'schema' || at === '/components/schemas'),
    );
  const types = [schema['type'] ?? []].flat();
  if (types.includes('object')) seen.objects++;
  if (types.includes('array')) seen.arrays++;
  const isFilled = (name: string): boolean => Object.keys(Object(schema[name]) as object).length > 0;
  // Settings of clients may be any JSON.
  const isOne = FORMS.some((name) => name in schema) || schema['title'] === 'JSON object';
  const isBare =
    (types.length === 0 && !isOne) ||
    (types.includes('object') && !isOne && !isFilled('properties') && !isFilled('additionalProperties')) ||
    (types.includes('array') && !isFilled('items'));
  const parts = [
    ...PARTS.flatMap((name) =>
      Object.entries(Object(schema[name]) as object).map(([key, part]) => [`${name}/${key}`, part] as const),
    ),
    ...(['items', 'additionalProperties'] as const).map((name) => [name, schema[name]] as const),
  ];
  return [
    ...(isBare ? [at] : []),
    ...parts.flatMap(([name, part]) => {
      // A form that only requires fields is a part of the schema around it.
      const isCondition = Object.keys(Object(part) as object).join('') === 'required';
      return isCondition ? [] : bareSchemas(part, seen, `${at}/${name}`, true);
    }),
  ];
}

interface Redocly {
  readonly BaseResolver: new () => object;
  readonly createConfig: (config: object) => Promise<object>;
  readonly makeDocumentFromString: (text: string, path: string) => object;
  readonly lintDocument: (given: object) => Promise<readonly Problem[]>;
}
interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

describe('the published document', () => {
  needs(GENERATORS).test('has no error by the rules of Redocly (needs WAYZONE_GENERATORS)', async () => {
    const { BaseResolver, createConfig, lintDocument, makeDocumentFromString } = generator(
      '@redocly/openapi-core',
    ) as Redocly;
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintDocument({
      document: makeDocumentFromString(JSON.stringify(document), 'openapi.json'),
      externalRefResolver: new BaseResolver(),
      config,
    });
    expect(
      problems.map(({ ruleId, severity, message, location }) =>
        [severity, ruleId, message, location[0]?.pointer].join(' '),
      ),
    ).toEqual([]);
  });

  needs(GENERATORS).test('has no error by the rules of Spectral (needs WAYZONE_GENERATORS)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-spectral-'));
    const [file, rules] = ['openapi.json', 'rules.yaml'].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    writeFileSync(file, JSON.stringify(document));
    writeFileSync(rules, 'extends: ["spectral:oas"]');
    const command = join(GENERATORS_PATH!, 'node_modules/.bin/spectral');
    const { stdout, status } = spawnSync(command, ['lint', file, '-r', rules, '-F', 'warn', '-f', 'text'], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect([stdout.trim(), status]).toEqual(["No results with a severity of 'warn' or higher found!", 0]);
  });

  test('describes every object and every array', () => {
    const seen = { objects: 0, arrays: 0 };
    expect(bareSchemas(document, seen)).toEqual([]);
    expect(seen.objects).toBeGreaterThan(500);
    expect(seen.arrays).toBeGreaterThan(200);
    // The walk finds what it looks for.
    const bare = {
      schema: {
        anyOf: [{ type: ['object', 'null'] }, { type: 'array' }, { type: 'object', properties: { a: {} } }],
      },
    };
    expect(bareSchemas(bare, seen)).toEqual([
      '/schema/anyOf/0',
      '/schema/anyOf/1',
      '/schema/anyOf/2/properties/a',
    ]);
  });

  test('names every operation once, and says what it needs and answers', () => {
    expect(operations.length).toBeGreaterThan(60);
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [name, { operationId, summary, description, responses }] of operations) {
      expect(operationId, name).toMatch(/^(get|post|put|delete)[A-Z]\w+$/);
      expect(summary, name).not.toBe('');
      expect(description, name).toMatch(/Needs (the role [A-Z]+|no token)/);
      expect(Object.keys(responses), name).toEqual(
        expect.arrayContaining(['200', ...REFUSALS.map(String), ...(name.startsWith('get') ? ['304'] : [])]),
      );
      expect(responses['200'], name).toMatchObject({ headers: { 'x-request-id': {} } });
    }
  });

  test('has the examples that the operations take and give', async () => {
    const recorded = await recordExamples(hosted, operations);
    await expect(`${JSON.stringify(recorded, null, 1)}\n`).toMatchFileSnapshot('../examples.json');
    for (const [name, { operationId, requestBody, responses }] of operations) {
      // Streams, files, and forms have no example as JSON.
      const taken = requestBody?.content['application/json'];
      const isForm = Object.keys(requestBody?.content ?? {}).some((type) => type.includes('form'));
      if (taken !== undefined && !isForm) expect(recorded[operationId], name).toHaveProperty('body');
      const given = responses['200']?.content?.['application/json'];
      if (given !== undefined) expect(recorded[operationId], name).toHaveProperty('answer');
    }
  });

  test('names the addresses of the setting', async () => {
    const database = await embedded();
    const other = await testHost(database.storage, { publicUrls: ['https://fleet.example'] });
    const { json } = await other.host.app.inject({ url: '/api_v1/openapi.json' });
    expect(json()).toMatchObject({ servers: [{ url: 'https://fleet.example' }] });
    await other.close();
    expect(document).toMatchObject({ servers: [{ url: '/' }] });
  });
});

describe('the pages', () => {
  test.each(['/', '/docs/'])('%s is a page that loads nothing from elsewhere', async (url) => {
    const { statusCode, headers, body } = await hosted.host.app.inject({ url });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
    expect(headers['content-security-policy']).not.toMatch(/https?:|script-src[^;]*unsafe/);
    expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const links = [...body.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const answer = await hosted.host.app.inject({ url: new URL(link, `http://host${url}`).pathname });
      expect([link, answer.statusCode]).toEqual([link, 200]);
    }
  });
});

needs(CHROMIUM).describe('in a browser (needs Chromium)', () => {
  test('the operations are shown without another server and without a violation of the policy', async () => {
    const baseUrl = await hosted.host.app.listen({ host: '127.0.0.1', port: 0 });
    const browser = await launch();
    const page = await newPage(browser);
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(baseUrl);
    await page.click('text=Operations');
    await page.waitForSelector('#operations-trips-getTripsByIdReport');
    await page.click('#operations-trips-getTripsByIdReport button');
    await page.waitForSelector('#operations-trips-getTripsByIdReport .opblock-description');
    await browser.close();
    // The icon of the page without a link.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(baseUrl) && !url.startsWith('data:'))).toEqual([]);
  });
});

describe('entity tags', () => {
  test('an unchanged answer is 304 without a body; a changed one is sent', async () => {
    const admin = await hosted.as(await hosted.company(), 'ADMIN');
    const zone = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
    const { body: made, headers: written } = await admin.send('POST', '/geozones', zone);
    const { id } = made as { id: string };
    const urls = [`/geozones?ids=${id}`, '/geozones', '/geozones/map', '/dictionaries', '/units', '/me'];
    const tags = new Map<string, string>();
    for (const url of urls) {
      const first = await admin.send('GET', url);
      const tag = String(first.headers['etag']);
      expect([url, tag]).toEqual([url, expect.stringMatching(/^"[\w-]+"$/)]);
      tags.set(url, tag);
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const again = await admin.send('GET', url, undefined, { 'if-none-match': known });
        expect([url, again.status, again.body, again.headers['etag']]).toEqual([url, 304, '', tag]);
      }
      const other = await admin.send('GET', url, undefined, { 'if-none-match': '"other"' });
      expect([url, other.status]).toEqual([url, 200]);
    }
    // The tag of a read and of a write both allow the next write.
    const tag = tags.get(urls[0]!)!;
    expect(tag.startsWith(String(written['etag']).slice(0, -1))).toBe(true);
    const moved = { ...zone, name: 'Moved' };
    const put = await admin.send('PUT', `/geozones/${id}`, moved, { 'if-match': tag });
    expect(put.status).toBe(200);
    expect((await admin.send('PUT', `/geozones/${id}`, moved, { 'if-match': tag })).status).toBe(412);
    for (const url of urls.slice(0, 3)) {
      const changed = await admin.send('GET', url, undefined, { 'if-none-match': tags.get(url)! });
      expect([url, changed.status]).toEqual([url, 200]);
    }
    // A write and an error are never 304.
    const star = await admin.send('POST', '/geozones', zone, { 'if-none-match': '*' });
    expect(star.status).toBe(200);
    const missing = await admin.send('GET', '/geozones?ids=none', undefined, { 'if-none-match': tag });
    expect([missing.status, missing.headers['etag']]).toEqual([404, undefined]);
  });
});
