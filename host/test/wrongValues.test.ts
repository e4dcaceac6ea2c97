import { beforeAll, expect, test } from 'vitest';
import { LONG } from '../../test/volume.js';
import { jsonBodies, walk, withValue } from './bodyParts.js';
import { type ApiDocument, documentOf } from './checkAnswer.js';
import { SAMPLES, type Sample } from './samples.js';
import { type Caller, type Given, onADatabase, type TestHost } from './testHost.js';

/** A value is checked before it becomes a text or reaches the database: at every place of every body, query and address a wrong one is no 500. */

/** JSON texts. The ordinary run has the first ones. */
const VALUES = [
  '{"toString":1}',
  '"a\\u0000"',
  '"\\ud800"',
  '{"\\u0000":1}',
  '{"toJSON":1,"valueOf":2,"length":-1}',
  '{"__proto__":{"a":1}}',
  '"__proto__"',
  '"constructor"',
  '1e308',
  '-1e400',
  '9007199254740993',
  '[[]]',
  '[null]',
  '[{"toString":1}]',
  '{}',
  '""',
  'null',
  'true',
].slice(0, LONG ? undefined : 2);
const TEXTS = [
  '%00',
  '__proto__',
  '1e400',
  '-1',
  '9'.repeat(30),
  '%ED%A0%80',
  '%',
  '%27%22',
  'a,b',
  '0.5',
].slice(0, LONG ? undefined : 2);
const PLACE = '"here"';
/** Streams do not end. */
const STREAMS = ['get /events'];

function contract(given: () => Given): void {
  let hosted: TestHost;
  let document: ApiDocument;
  let caller: Caller;
  const samples = new Map<string, Sample>();
  const wrong: unknown[] = [];
  let asked = 0;
  beforeAll(async () => {
    ({ hosted } = given());
    document = await documentOf(hosted.host.app);
    caller = await hosted.as(await hosted.company(), 'SUPERVISOR');
  });

  /** Sends a changed sample. A refused request changes nothing, so the next one takes the same. */
  async function send(name: string, method: string, change: (sample: Sample) => Sample): Promise<void> {
    const sample = samples.get(name) ?? (await SAMPLES[name]!(caller));
    const { url, body, headers } = change(sample);
    const { status } = await caller.send(method, url, body, headers);
    asked++;
    if (status >= 500) wrong.push([name, url, body, status]);
    if (status >= 400 || method === 'GET') samples.set(name, sample);
    else samples.delete(name);
  }

  test('at every place of every body', async () => {
    for (const { name, method, schema } of jsonBodies(document)) {
      const paths = new Set<string>();
      walk(schema, document, '', (_, path) => void paths.add(path));
      for (const path of paths)
        for (const value of VALUES)
          await send(name, method, ({ url, body, headers = {} }) => ({
            url,
            body: JSON.stringify(withValue(body, schema, path, 'here', document)).replace(PLACE, value),
            headers: { ...headers, 'content-type': 'application/json' },
          }));
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(700);
  });

  test('in every field that trip changes, units and rules have beside the described ones', async () => {
    for (const name of [
      'date',
      'at',
      'reason',
      'from',
      'unitId',
      'pointIndex',
      'trip',
      'settings',
      'speeding',
    ])
      for (const operation of Object.keys(SAMPLES).filter((one) =>
        /^(?:post|put) \/(?:trips|units)/.test(one),
      ))
        for (const value of VALUES)
          await send(operation, operation.split(' ')[0]!.toUpperCase(), ({ url, body, headers = {} }) => ({
            url,
            body: JSON.stringify({ ...(body as object), [name]: 'here' }).replace(PLACE, value),
            headers: { ...headers, 'content-type': 'application/json' },
          }));
    expect(wrong).toEqual([]);
  });

  test('in every parameter of every address, query and header', async () => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const name = `${method} ${path.replace('/api_v1', '')}`;
        if (STREAMS.includes(name)) continue;
        for (const { name: parameter, in: place } of parameters)
          for (const text of TEXTS)
            await send(name, method.toUpperCase(), (sample) => {
              if (place === 'header')
                return { ...sample, headers: { ...sample.headers, [parameter]: text.replaceAll('%', '') } };
              const [address = '', query = ''] = sample.url.split('?');
              if (place === 'query')
                return {
                  ...sample,
                  url: `${address}?${query.replace(`${parameter}=`, 'x=')}&${parameter}=${text}`,
                };
              const template = path.replace('/api_v1', '').split('/');
              const own = address.split('/');
              const url = template.map((part, i) => (part === `{${parameter}}` ? text : own[i])).join('/');
              return { ...sample, url: query === '' ? url : `${url}?${query}` };
            });
      }
    expect(wrong).toEqual([]);
  });

  test('a token of a company that does not exist is 401 everywhere', async () => {
    for (const id of ['c0ffee00-0000-4000-8000-000000000000', 'a\0b', '\ud800', '']) {
      const nobody = await hosted.as(id, 'SUPERVISOR');
      for (const name of Object.keys(SAMPLES)) {
        const [method = '', path = ''] = name.split(' ');
        if (document.paths[`/api_v1${path}`]![method]!['x-min-role'] === 'NONE') continue;
        const sample = samples.get(name) ?? (await SAMPLES[name]!(caller));
        samples.set(name, sample);
        const { status } = await nobody.send(method.toUpperCase(), sample.url, sample.body, sample.headers);
        if (status !== 401) wrong.push([name, id, status]);
      }
    }
    expect(wrong).toEqual([]);
  });
}

onADatabase(contract, { importsPerMinute: 1e6, positionsPerMinute: 1e6 });
