import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { readTrack, type Visit } from 'wayzone/tracks';
import { readCursor, writeCursor } from '../src/live/cursor.js';
import { alarmOf } from '../src/stream/acquirePartition.js';
import { emittedVisits, visitRevisions } from '../src/stream/emittedVisits.js';
import { failureOf } from '../src/stream/failure.js';
import { isPreferred } from '../src/stream/fixOrder.js';
import { decodeMessage, encodeFixes, TICK } from '../src/stream/message.js';
import { partitionOf } from '../src/stream/partitionOf.js';
import type { EmittedVisit } from '../src/stream/streamEvent.js';
import { readState, writeState } from '../src/stream/unitState.js';
import { type UnitTrackers, unitTrackers } from '../src/stream/unitTrackers.js';
import { zoneRules } from '../src/zones/zoneRules.js';

/** The pure functions of the stream. */

const NOW = Date.UTC(2026, 2, 2, 12);

test('the partition of a unit is fixed for all versions, and partitions have about the same size', () => {
  expect(
    ['', 'van', 'truck-17', 'Лада', '0f8fad5b-d9cb-469f-a165-70867728950e'].map((id) => partitionOf(id, 64)),
  ).toEqual([11, 6, 52, 5, 45]);
  const counts = new Array<number>(64).fill(0);
  for (let i = 0; i < 64_000; i++) counts[partitionOf(`unit-${i}`, 64)]!++;
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1150);
});

describe('messages', () => {
  const fixes = [{ unitId: 'van', fix: { time: NOW, lon: 30, lat: 60, speedKph: 5 } }];
  test('survive a round trip', () => {
    expect(decodeMessage(encodeFixes('c', fixes), NOW)).toEqual({ kind: 'fixes', companyId: 'c', fixes });
    expect(decodeMessage(TICK, NOW)).toEqual({ kind: 'tick' });
  });
  test.each([
    ['bytes', new Uint8Array([255, 254])],
    ['text', 'hello'],
    ['another version', JSON.stringify({ v: 9, tick: true })],
    ['no fixes', JSON.stringify({ v: 1, company: 'c' })],
    ['a fix without a position', JSON.stringify({ v: 1, company: 'c', fixes: [['van', { time: NOW }]] })],
    [
      'a fix of another century',
      JSON.stringify({ v: 1, company: 'c', fixes: [['van', { time: 9e15, lon: 1, lat: 1 }]] }),
    ],
  ])('%s: message-invalid', (_, payload) => {
    const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
    expect(() => decodeMessage(bytes, NOW)).toThrow(expect.objectContaining({ code: 'message-invalid' }));
  });
  test('a text that PostgreSQL cannot store is rejected in writing and in reading', () => {
    const bad = [{ unitId: 'van', fix: { time: NOW, lon: 30, lat: 60, note: '\0' } as never }];
    expect(() => encodeFixes('c', bad)).toThrow(expect.objectContaining({ code: 'text-invalid' }));
    const bytes = new TextEncoder().encode(
      JSON.stringify({ v: 1, company: 'c', fixes: [['van', { time: NOW, lon: 1, lat: 1, note: '\0' }]] }),
    );
    expect(() => decodeMessage(bytes, NOW)).toThrow(expect.objectContaining({ code: 'text-invalid' }));
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
  const trackers = (): UnitTrackers => unitTrackers(zones, { latenessSeconds: 30, clock: () => NOW });
  const following = trackers();
  following.configure('van', { tripdetector_minparktime: 20, advanced_speedlimit: 60 } as object);
  for (const lon of [29.97, 30, 30.001])
    following.push('van', { time: NOW + lon * 1e6, lon, lat: 60 }, NOW + 4e7);

  test('survive a round trip, with the settings of the unit', () => {
    const state = following.stateOf('van');
    expect(readState(writeState(state))).toEqual(state);
    const again = trackers();
    again.adopt(readState(writeState(state)));
    expect(again.knows('van')).toBe(true);
    expect(again.stateOf('van')).toEqual(state);
    expect(JSON.stringify(state.movement)).toContain('"tripdetector_minparktime":20');
    expect(JSON.stringify(state.speeding)).toContain('"advanced_speedlimit":60');
  });
  test.each([1, 2])('of version %i contain visits only; movement begins with the next fix', (version) => {
    const before = readFileSync(resolve(import.meta.dirname, `fixtures/unitState${version}.json`), 'utf8');
    const adopted = trackers();
    adopted.adopt(readState(before));
    expect(adopted.openVisits('van').map(({ zoneId }) => zoneId)).toEqual(['yard']);
    expect(adopted.knows('van')).toBe(false);
    const drive = Array.from({ length: 10 }, (_, i) => NOW + 1e8 + i * 30_000);
    const events = drive.flatMap((time, i) =>
      adopted.push('van', { time, lon: 30 + i / 200, lat: 60 }, time),
    );
    // The drive goes out of the yard, which has a limit, at 33 km/h.
    expect(events.flatMap((event) => ('kind' in event ? [`${event.type} ${event.kind}`] : []))).toEqual([
      'begin speeding',
      'begin trip',
      'end speeding',
    ]);
  });
  test('of a newer version throw state-version', () => {
    expect(() => readState('{"v":5}')).toThrow(expect.objectContaining({ code: 'state-version' }));
  });
});

describe('revisions', () => {
  const visit = (zoneId: string, enter: number, exit: number | null): EmittedVisit => ({
    zoneId,
    seen: 'inside',
    enter,
    exit,
    enterBounds: [enter - 1, enter + 1],
    ...(exit === null ? {} : { exitBounds: [exit - 1, exit + 1], end: 'left', fixCount: 2 }),
  });
  test('a changed visit gives one event; others are withdrawn or added', () => {
    const changes = visitRevisions(
      'van',
      [visit('a', 10, 20), visit('b', 30, 40)],
      [visit('a', 12, 20), visit('c', 50, null)],
    );
    expect(changes.map(({ was, is }) => [was?.zoneId, was?.enter, is?.zoneId, is?.enter])).toEqual([
      ['a', 10, 'a', 12],
      ['b', 30, undefined, undefined],
      [undefined, undefined, 'c', 50],
    ]);
  });
  test('applied to the emitted visits they give the current visits', () => {
    const visits = fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 9 }))
        .map(([zone, at]) => visit(zone, at * 10, at * 10 + 5)),
      { selector: ({ zoneId, enter }) => `${zoneId} ${enter}` },
    );
    fc.assert(
      fc.property(visits, visits, (before, after) => {
        const emitted = before.map(
          (one) =>
            ({
              type: 'exit',
              unitId: 'van',
              zoneId: one.zoneId,
              time: one.exit!,
              bounds: [0, 0],
              reason: 'left',
              visit: one as Visit,
            }) as const,
        );
        const byKey = (list: readonly EmittedVisit[]): EmittedVisit[] =>
          [...list].sort((a, b) => a.enter - b.enter || (a.zoneId < b.zoneId ? -1 : 1));
        expect(emittedVisits([...emitted, ...visitRevisions('van', before, after)])).toEqual(byKey(after));
      }),
    );
  });
});

test('a checkpoint and a log that do not match raise an alarm', () => {
  const checkpoint = { streamCreated: 'a', position: 100, replayFrom: 90 };
  expect(alarmOf(checkpoint, { created: 'a', first: 90, last: 100 })).toBeNull();
  expect(alarmOf(checkpoint, null)).toBe('stream-missing');
  expect(alarmOf(checkpoint, { created: 'b', first: 1, last: 200 })).toBe('stream-replaced');
  expect(alarmOf(checkpoint, { created: 'a', first: 1, last: 99 })).toBe('stream-behind');
  expect(alarmOf(checkpoint, { created: 'a', first: 91, last: 200 })).toBe('stream-trimmed');
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
