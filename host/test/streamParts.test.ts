import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { readTrack } from 'wayzone/tracks';
import { readCursor, writeCursor } from '../src/live/cursor.js';
import { type CellCore, cellCore } from '../src/stream/cellCore.js';
import { partOf } from '../src/stream/cellMap.js';
import { failureOf } from '../src/stream/failure.js';
import { isPreferred } from '../src/stream/fixOrder.js';
import {
  decodeMessage,
  encodeFixes,
  encodeRetry,
  encodeTick,
  type FixesMessage,
  partOfUnit,
} from '../src/stream/message.js';
import { readState } from '../src/stream/readState.js';
import { zoneRules } from '../src/zones/zoneRules.js';
import { storedState } from './storedState.js';

/** The pure functions of the stream. */

const NOW = Date.UTC(2026, 2, 2, 12);

test('the cell of a unit among those of its company is fixed for all versions, and cells have about the same size', () => {
  expect(
    ['', 'van', 'truck-17', 'Лада', '0f8fad5b-d9cb-469f-a165-70867728950e'].map((id) => partOf(id, 64)),
  ).toEqual([11, 6, 52, 5, 45]);
  const counts = new Array<number>(64).fill(0);
  for (let i = 0; i < 64_000; i++) counts[partOf(`unit-${i}`, 64)]!++;
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1150);
});

describe('messages', () => {
  const fixes = [{ unitId: 'van', fix: { time: NOW, lon: 30, lat: 60, speedKph: 5 } }];
  test('survive a round trip', () => {
    expect(decodeMessage(encodeFixes('c', fixes), NOW)).toEqual({ kind: 'fixes', companyId: 'c', fixes });
    expect(decodeMessage(encodeTick(), NOW)).toEqual({ kind: 'tick' });
  });
  test.each([
    ['bytes', new Uint8Array([255, 254])],
    ['text', 'hello'],
    ['another version', JSON.stringify({ v: 9, tick: true })],
    ['no fixes', JSON.stringify({ v: 1, company: 'c' })],
    [
      'a fix without a unit',
      JSON.stringify({ v: 1, company: 'c', fixes: [[{ time: NOW, lon: 1, lat: 1 }]] }),
    ],
  ])('%s: message-invalid', (_, payload) => {
    const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
    expect(() => decodeMessage(bytes, NOW)).toThrow(expect.objectContaining({ code: 'message-invalid' }));
  });
  test('a text that PostgreSQL cannot store is rejected in writing and in reading', () => {
    const bad = [{ unitId: 'van', fix: { time: NOW, lon: 30, lat: 60, note: '\0' } as never }];
    expect(() => encodeFixes('c', bad)).toThrow(expect.objectContaining({ code: 'text-invalid' }));
    const message = (company: string, unitId: string): Uint8Array =>
      new TextEncoder().encode(
        JSON.stringify({ v: 1, company, fixes: [[unitId, { time: NOW, lon: 1, lat: 1 }]] }),
      );
    for (const bytes of [message('\0', 'van'), message('c', '\ud800')])
      expect(() => decodeMessage(bytes, NOW)).toThrow(expect.objectContaining({ code: 'text-invalid' }));
  });
  test('a fix that cannot be read names its unit, and leaves the fixes of its neighbours', () => {
    const good = { time: NOW, lon: 1, lat: 1 };
    const cases: [string, object][] = [
      ['fixes[1][1].note', { ...good, note: '\0' }],
      ['fixes[1]', { time: NOW }],
      ['fixes[1].time', { ...good, time: 9e15 }],
    ];
    for (const [field, bad] of cases) {
      const fixes = [
        ['bus', good],
        ['van', bad],
        ['van', good],
        ['bus', good],
      ];
      const payload = new TextEncoder().encode(JSON.stringify({ v: 1, company: 'c', fixes }));
      expect(decodeMessage(payload, NOW)).toEqual({
        kind: 'fixes',
        companyId: 'c',
        fixes: [0, 1].map(() => ({ unitId: 'bus', fix: good })),
        bad: new Map([['van', expect.stringContaining(field)]]),
      });
      const part = partOfUnit('c', 'van', [payload, payload]);
      expect(JSON.parse(new TextDecoder().decode(part))).toEqual({
        v: 1,
        company: 'c',
        fixes: [0, 1].flatMap(() => [fixes[1], fixes[2]]),
      });
    }
    const retry = { companyId: 'c', unitId: 'van', skip: [4, 7] };
    expect(decodeMessage(encodeRetry(retry), NOW)).toEqual({ kind: 'retry', ...retry });
  });
});

test('of two fixes with the same time the one that `readTrack` keeps is kept', () => {
  const value = fc.constantFrom(1, 2, 3);
  const fix = fc
    .record({
      lon: value,
      lat: value,
      accuracyMeters: fc.constantFrom(undefined, 5, 10),
      valid: fc.constantFrom(undefined, true, false),
    })
    .map(({ accuracyMeters, valid, ...place }) => ({
      time: NOW,
      ...place,
      ...(accuracyMeters === undefined ? {} : { accuracyMeters }),
      ...(valid === undefined ? {} : { valid }),
    }));
  fc.assert(
    fc.property(fix, fix, (a, b) => {
      const { lon, lat, length } = readTrack([a, b]);
      if (length === 0) return;
      const kept = isPreferred(b, a) ? b : a;
      expect([kept.lon, kept.lat]).toEqual([lon[0], lat[0]]);
    }),
  );
});

describe('cursors', () => {
  test('survive a round trip in at most 64 bytes; those of earlier versions are read', () => {
    for (const number of [0, 1, 17, 999_999_999_999_999]) {
      const text = writeCursor(number);
      expect(readCursor(text)).toBe(number);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64);
    }
    const earlier = new Map([
      [0, [5, 2]],
      [3, [17, 0]],
    ]);
    expect(readCursor('0.5.2,3.17.0')).toEqual(earlier);
    expect(readCursor('17')).toEqual(new Map([[-1, [17, 0]]]));
  });
  test.each(['x', 'n', 'n1.5', 'n-1', '1.2', '1.2.3,', '1.2.3;4.5.6', '99999.1.1'])(
    '%s is rejected',
    (text) => {
      expect(() => readCursor(text)).toThrow(expect.objectContaining({ code: 'option-value' }));
    },
  );
});

describe('states', () => {
  const index = new ZoneIndex([{ id: 'yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 }]);
  const zones = {
    index,
    rules: zoneRules([{ id: 'yard', speed_limit: 20 }], { timeZone: 'UTC', holidays: [] }),
  };
  const message = (fixes: FixesMessage['fixes']): FixesMessage => ({ kind: 'fixes', companyId: 'c', fixes });
  /** A core that follows the company `c` from message 2 on. */
  const coreOf = (states: readonly string[]): CellCore => {
    const core = cellCore({ latenessSeconds: 30, clock: NOW });
    const stored = states.map((state) => ({ unitId: 'van', companyId: 'c', seq: 1, state }));
    core.open('c', zones, stored, 2);
    return core;
  };
  const drive = (core: CellCore): string[] =>
    Array.from({ length: 10 }, (_, i) => NOW + 1e8 + i * 30_000).flatMap((time, i) => {
      const fixes = [{ unitId: 'van', fix: { time, lon: 30 + i / 200, lat: 60 } }];
      const { events } = core.apply(message(fixes), 2 + i, time);
      return events.flatMap(({ event }) => ('kind' in event ? [`${event.type} ${event.kind}`] : []));
    });
  const following = coreOf([]);
  const settings = { tripdetector_minparktime: 20, advanced_speedlimit: 60 };
  following.configure('c', 'van', settings);
  for (const lon of [29.97, 30, 30.001])
    following.apply(message([{ unitId: 'van', fix: { time: NOW + lon * 1e6, lon, lat: 60 } }]), 1, NOW + 4e7);
  const { state } = following.save(['van'], 1)[0]!;

  test('survive a restart, with the settings of the unit', () => {
    const again = coreOf([state]);
    expect(again.unknown(message([{ unitId: 'van', fix: { time: NOW, lon: 0, lat: 0 } }]), 2)).toEqual([]);
    expect(storedState(state).settings).toEqual(settings);
    expect(drive(again)).toEqual(drive(following));
    expect(again.save(['van'], 12)).toEqual(following.save(['van'], 12));
  });
  test('of another version throw state-version', () => {
    for (const text of ['{"v":7}', '{"v":5,"unit":{}}', '{"unit":{}}'])
      expect(() => readState(text)).toThrow(expect.objectContaining({ code: 'state-version' }));
  });
  test('settings that cannot be read are left out, and the others count', () => {
    const core = coreOf([]);
    core.configure('c', 'van', { advanced_speedlimit: 'slow', tripdetector_minparktime: 20 } as never);
    core.configure('c', 'bus', { advanced_speedlimit: 60, tripdetector_minparktime: 'soon' } as never);
    core.configure('c', 'car', { advanced_speedlimit: 'slow', tripdetector_minparktime: 'soon' } as never);
    const fix = { time: NOW, lon: 30, lat: 60 };
    core.apply(message(['van', 'bus', 'car'].map((unitId) => ({ unitId, fix }))), 2, NOW);
    expect(core.save(['van', 'bus', 'car'], 2).map((one) => storedState(one.state).settings)).toEqual([
      { tripdetector_minparktime: 20 },
      { advanced_speedlimit: 60 },
      null,
    ]);
  });
});

test('errors of the statement and outages of the database are distinguished', () => {
  const codes = ['22P05', '23505', '25006', '53100', '08006', 'ECONNRESET'];
  expect(codes.map((code) => failureOf(Object.assign(new Error('no'), { code })).kind)).toEqual([
    'refused',
    'refused',
    'unavailable',
    'unavailable',
    'unavailable',
    'unavailable',
  ]);
});
