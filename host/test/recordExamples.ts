/** Records a request and an answer of each operation, from the samples of the tests. */

import type { Example } from '../src/publishedDocument.js';
import { SAMPLES } from './samples.js';
import type { TestHost } from './testHost.js';

/** Longest list in an example; longer ones are cut. */
const MOST_ITEMS = 3;

/** Examples by `operationId`, sorted. Random ids and secrets are replaced by fixed ones in the order of their appearance. */
export async function recordExamples(
  hosted: TestHost,
  operations: readonly (readonly [name: string, { readonly operationId: string }])[],
): Promise<Record<string, Example>> {
  const found: (readonly [string, Example])[] = [];
  for (const [name, { operationId }] of operations) {
    const path = name.replace('/api_v1', '');
    const sample = SAMPLES[path];
    if (sample === undefined) continue;
    const owner = await hosted.as(await hosted.company(), 'SUPERVISOR');
    const { url, body, headers } = await sample(owner);
    const [method = ''] = path.split(' ');
    const answer = await owner.send(method.toUpperCase(), url, body, headers);
    if (answer.status !== 200) throw new Error(`expected 200 of ${name}, received ${JSON.stringify(answer)}`);
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const isSent = typeof body === 'object' && !Buffer.isBuffer(body);
    const example = {
      ...(isSent ? { body: shortened(body) } : {}),
      ...(isJson ? { answer: shortened(answer.body) } : {}),
    };
    found.push([operationId, withFixedIds(example)]);
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Lists of objects and texts are cut; lists of numbers and of positions are whole, because their length has a meaning. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isCut = value.every(
      (item) => typeof item === 'string' || (typeof item === 'object' && !Array.isArray(item)),
    );
    return (isCut ? value.slice(0, MOST_ITEMS) : value).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part)]));
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:-\d+)?/g;
/** Keys of sinks, in base64. */
const SINK_SECRET = /whsec_[\w+/]+=*/g;
/** Keys, tickets and ids of locators: base64url of 16 bytes and more. Their field tells them from words, because one in forty has no digit. */
const SECRET =
  /(?<="(?:user_company_api_key|ticket|id)":"|user_company_api_key=)[\w-]{22}(?:[\w-]{21})?(?=")/g;

function withFixedIds(example: Example): Example {
  const known = new Map<string, string>();
  const text = JSON.stringify(example)
    .replace(UUID, (id) => {
      const fixed = known.get(id) ?? `00000000-0000-4000-8000-${String(known.size + 1).padStart(12, '0')}`;
      known.set(id, fixed);
      return fixed;
    })
    .replace(SINK_SECRET, `whsec_${'A'.repeat(43)}=`)
    .replace(SECRET, (secret) => `${'A'.repeat(secret.length - 1)}1`);
  return JSON.parse(text) as Example;
}
