import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { LONG } from '../../test/volume.js';
import { jsonBodies, walk, withValue } from './bodyParts.js';
import { type ApiDocument, documentOf } from './checkAnswer.js';
import { SAMPLES, type Sample } from './samples.js';
import { type Caller, type Given, onADatabase } from './testHost.js';

/** What the published schema of a body forbids is refused: a wrong value at every place of every body. */

const VALUES: readonly unknown[] = [{ a: 1 }, null, true, 'x', [7]].slice(0, LONG ? undefined : 2);

/** What is taken although the schema says otherwise, each with the reason. */
const TAKEN: readonly (readonly [body: RegExp, reason: string])[] = [
  [/^post \/positions /, 'each item is checked by itself, and refused in the answer'],
  [/ fixes(?:\[\]| \[7\])/, 'a fix that cannot be read is left out of its track, and counted'],
];

function contract(given: () => Given): void {
  let document: ApiDocument;
  let caller: Caller;
  beforeAll(async () => {
    const { hosted } = given();
    document = await documentOf(hosted.host.app);
    caller = await hosted.as(await hosted.company(), 'SUPERVISOR');
  });

  test('a value that the schema forbids', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
    ajv.addSchema(document, 'api');
    const validatorOf = (name: string): ValidateFunction => {
      const [method, url] = name.split(' ') as [string, string];
      const path = ['paths', `/api_v1${url}`, method, 'requestBody', 'content', 'application/json', 'schema'];
      return ajv.compile({
        $ref: encodeURI(
          `api#/${path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
        ),
      });
    };
    const taken: string[] = [];
    let refused = 0;
    for (const { name, method, schema } of jsonBodies(document)) {
      const isValid = validatorOf(name);
      const paths = new Set<string>();
      walk(schema, document, '', (_, path) => void paths.add(path));
      let sample: Sample | undefined;
      for (const path of paths)
        for (const value of VALUES) {
          sample ??= await SAMPLES[name]!(caller);
          const { url, body, headers } = sample;
          const changed = withValue(body, schema, path, value, document);
          if (isValid(changed)) continue;
          const { statusCode: status } = await given().hosted.host.app.inject({
            method: method as 'POST',
            url: `/api_v1${url}`,
            headers: { ...caller.headers, ...headers, 'content-type': 'application/json' },
            payload: JSON.stringify(changed),
          });
          if (status < 400) {
            sample = undefined;
            const found = `${name} ${path} ${JSON.stringify(value)}`;
            if (!TAKEN.some(([known]) => known.test(found))) taken.push(found);
          } else refused++;
        }
    }
    expect(taken).toEqual([]);
    expect(refused).toBeGreaterThan(400);
  });
}

onADatabase(contract);
