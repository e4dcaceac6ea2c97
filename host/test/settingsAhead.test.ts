import { expect, it } from 'vitest';
import { encodeFixes, encodeTick } from '../src/stream/message.js';
import { settingsAhead } from '../src/stream/settingsAhead.js';

const fixes = (unitId: string, companyId = 'c') =>
  encodeFixes(companyId, [{ unitId, fix: { time: 1000, lon: 44, lat: 56 } }]);
const at = (payload: Uint8Array, seq: number) => ({ seq, stamp: 1000, payload });

it('asks once for the units of all waiting messages, and gives each its settings before its first fix', async () => {
  const configured = new Map<string, unknown>();
  const asked: string[][] = [];
  const seen: number[] = [];
  const core = {
    // Another company is not open yet.
    has: (companyId: string) => companyId === 'c',
    unknown: ({ fixes: given }: { readonly fixes: readonly { readonly unitId: string }[] }, seq: number) => {
      seen.push(seq);
      return [...new Set(given.map(({ unitId }) => unitId))].filter((id) => !configured.has(id));
    },
    configure: (_: string, unitId: string, settings: unknown) => void configured.set(unitId, settings),
  } as unknown as Parameters<typeof settingsAhead>[0];
  const configure = settingsAhead(core, {
    async settingsOf(units) {
      const unitIds = units.map(({ unitId }) => unitId);
      asked.push(unitIds);
      return new Map(
        unitIds.filter((id) => id !== 'bus').map((id) => [id, { tripdetector_minparktime: id.length }]),
      );
    },
  });
  const payloads = [
    fixes('van'),
    encodeTick(),
    new TextEncoder().encode('{ damaged'),
    fixes('bus'),
    fixes('other', 'd'),
    fixes('bus'),
    fixes('truck'),
  ];
  const queue = payloads.map(at);
  const take = (unitId: string, seq: number): Promise<void> =>
    configure({ companyId: 'c', fixes: [{ unitId }] }, seq, queue.slice(seq + 1));

  await take('van', 0);
  expect(asked).toEqual([['van', 'bus', 'other', 'truck']]);
  expect([...configured]).toEqual([['van', { tripdetector_minparktime: 3 }]]);
  // A later sequence would adopt stored states too early.
  expect(new Set(seen)).toEqual(new Set([0]));
  await take('bus', 3);
  await take('bus', 5);
  await take('truck', 6);
  expect(asked).toHaveLength(1);
  expect(configured.get('bus')).toBeNull();
  expect(configured.get('truck')).toEqual({ tripdetector_minparktime: 5 });
  // Companies take turns: the one answer serves the units of both.
  await configure({ companyId: 'd', fixes: [{ unitId: 'other' }] }, 7);
  expect(asked).toHaveLength(1);
  // Read again, not from the earlier answer.
  configured.delete('van');
  await take('van', 8);
  expect(asked).toEqual([['van', 'bus', 'other', 'truck'], ['van']]);
});
