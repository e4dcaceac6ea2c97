import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { ZoneIndex } from '../../src/index.js';
import {
  describeEvents,
  type UnitInput,
  type UnitMessage,
  type UnitState,
  type UnitStep,
  unitOperator,
} from '../../src/operator/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { sealed } from '../../src/tracks/stream/sealed.js';
import { evaluateTrip, type TripChange, type TripEvent } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';

const START = Date.UTC(2026, 2, 2, 8);
const circle = (id: string, lon: number, width = 500) => ({
  id,
  type: { key: 'circle' as const },
  geometry: [[lon, 55.7]] as [number, number][],
  width,
});
const DEPOT = circle('depot', 37.6);
const INDEX = new ZoneIndex([DEPOT]);
const fix = (minute: number, lon: number, more: Partial<Fix> = {}): Fix => ({
  time: START + minute * 60_000,
  lon,
  lat: 55.7,
  ...more,
});
const message = (input: UnitInput, zonesVersion = 1): UnitMessage => ({
  unitId: 'truck',
  zonesVersion,
  input,
});
const fixes = (...list: Fix[]): UnitMessage => message({ kind: 'fixes', fixes: list });
const typesOf = ({ outputs }: UnitStep): string[] => outputs.map(({ event }) => event.type);

describe('the state', () => {
  const operator = unitOperator(() => ({ zones: INDEX }), { latenessSeconds: 30 });
  const first = operator.step(null, fixes(fix(0, 37.58), fix(1, 37.6), fix(3, 37.6)));

  test('is plain JSON with a version; a unit without zones or movement takes less than 2.5 kB', () => {
    expect(JSON.parse(JSON.stringify(first.state))).toEqual(first.state);
    expect(first.state).toMatchObject({
      kind: 'unit',
      version: 9,
      unitId: 'truck',
      zonesVersion: 1,
      outputs: 1,
    });
    const idle = operator.step(null, fixes(fix(0, 30)));
    expect(JSON.stringify(idle.state).length).toBeLessThan(2500);
  });

  test('does not depend on the order of keys, as a column of type jsonb gives them back', () => {
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null
        ? value
        : Array.isArray(value)
          ? value.map(reversed)
          : Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, own]) => [name, reversed(own)]),
            );
    const next = fixes(fix(5, 37.62));
    const stored = reversed(first.state) as UnitState;
    expect(Object.keys(stored)[0]).toBe('checksum');
    expect(operator.step(stored, next)).toEqual(operator.step(first.state, next));
    expect(operator.step(JSON.stringify(stored), next)).toEqual(operator.step(first.state, next));
  });

  test('of an operator that lacked a part: the part begins with the next fix', () => {
    const { checksum: _, ...body } = first.state;
    const { movement: __, ...parts } = first.state.parts;
    const drive = fixes(fix(5, 37.61), fix(6, 37.62), fix(7, 37.63), fix(8, 37.64));
    const before = sealed({ ...body, parts });
    const begun = operator.step(before, drive).outputs.filter(({ of }) => of === 'movement');
    expect(begun.map(({ event }) => [event.type, event.time])).toEqual([['begin', START + 3 * 60_000]]);
    // Without a new seal the state is damaged.
    expect(errorOf(() => operator.step({ ...first.state, parts }, drive))).toMatchObject({
      code: 'state-corrupt',
      field: 'state.checksum',
    });
  });

  test.each([
    ['text that is not JSON', '{', 'state-corrupt', 'state'],
    ['another version', { ...first.state, version: 10 }, 'state-version', 'state.version'],
    ['an earlier version', { ...first.state, version: 5 }, 'state-version', 'state.version'],
    ['a version of the host before', { v: 1, visits: {} }, 'state-corrupt', 'state.version'],
    ['a changed field', { ...first.state, outputs: 0 }, 'state-corrupt', 'state.checksum'],
    ['another kind', { ...first.state, kind: 'visits' }, 'state-corrupt', 'state.kind'],
    ['no object', 7, 'state-corrupt', 'state'],
  ])('%s is rejected', (_, state, code, field) => {
    expect(errorOf(() => operator.step(state as UnitState, fixes(fix(5, 37.6))))).toMatchObject({
      code,
      field,
    });
  });

  test('of other options or of another unit is rejected', () => {
    const other = unitOperator(() => ({ zones: INDEX }), { latenessSeconds: 60 });
    expect(errorOf(() => other.step(first.state, fixes(fix(5, 37.6))))).toMatchObject({
      code: 'state-options',
    });
    const bus = { ...fixes(fix(5, 37.6)), unitId: 'bus' };
    expect(errorOf(() => operator.step(first.state, bus))).toMatchObject({
      code: 'unit-message',
      field: 'message.unitId',
    });
  });
});

describe('a message', () => {
  const operator = unitOperator(() => ({ zones: INDEX }));
  test.each([
    [null, 'unit-message', 'message'],
    [{ unitId: 7, zonesVersion: 1, input: { kind: 'time', time: 1 } }, 'unit-id', 'message.unitId'],
    [
      { unitId: 'u', zonesVersion: -1, input: { kind: 'time', time: 1 } },
      'unit-message',
      'message.zonesVersion',
    ],
    [{ unitId: 'u', zonesVersion: 1 }, 'unit-message', 'message.input'],
    [{ unitId: 'u', zonesVersion: 1, input: { kind: 'tick' } }, 'unit-message', 'message.input.kind'],
    [
      { unitId: 'u', zonesVersion: 1, input: { kind: 'fixes', fixes: 'all' } },
      'unit-message',
      'message.input.fixes',
    ],
    [
      { unitId: 'u', zonesVersion: 1, input: { kind: 'fixes', fixes: [null] } },
      'unit-message',
      'message.input.fixes[0]',
    ],
    [
      { unitId: 'u', zonesVersion: 1, input: { kind: 'time', time: 'now' } },
      'option-value',
      'message.input.time',
    ],
    [
      { unitId: 'u', zonesVersion: 1, input: { kind: 'edit', settings: 5 } },
      'unit-message',
      'message.input.settings',
    ],
    [
      { unitId: 'u', zonesVersion: 1, input: { kind: 'rebuild', fixes: [], outputs: [{}] } },
      'unit-message',
      'message.input.outputs[0].unitId',
    ],
    [
      { unitId: 'u', zonesVersion: 1, input: { kind: 'rebuild', of: 'x', fixes: [], outputs: [] } },
      'unit-message',
      'message.input.of',
    ],
  ])('%j is rejected', (given, code, field) => {
    expect(errorOf(() => operator.step(null, given as never))).toMatchObject({ code, field });
  });

  test('with settings that the trip detector rejects changes nothing', () => {
    const given = message({ kind: 'edit', settings: { tripdetector_mintriptime: 'soon' } as never });
    expect(errorOf(() => operator.step(null, given))).toMatchObject({ code: 'setting-value' });
  });
});

describe('zones', () => {
  const wider = new ZoneIndex([circle('depot', 37.6, 600), circle('yard', 37.6)]);
  const operator = unitOperator((version) => ({ zones: version === 1 ? INDEX : wider }));
  const inside = operator.step(null, fixes(fix(0, 37.58), fix(1, 37.6), fix(2, 37.6)));

  test('of a greater version end the visits in edited ones first; a smaller version is ignored', () => {
    expect(typesOf(inside)).toEqual(['enter', 'begin', 'begin'].slice(0, inside.outputs.length));
    const edited = operator.step(inside.state, message({ kind: 'edit' }, 2));
    expect(edited.outputs.map(({ event }) => ('reason' in event ? event.reason : event.type))).toContain(
      'zone-changed',
    );
    expect(edited.state.zonesVersion).toBe(2);
    const late = operator.step(edited.state, fixes(fix(3, 37.601)));
    expect(late.state.zonesVersion).toBe(2);
    // The message that brings the version gives the same as an edit before it.
    const both = operator.step(inside.state, { ...fixes(fix(3, 37.601)), zonesVersion: 2 });
    expect(both.outputs).toEqual([...edited.outputs, ...late.outputs]);
    expect(both.state.parts).toEqual(late.state.parts);
  });
});

describe('trips', () => {
  const trip = (minutes: number, id = 'round'): Trip =>
    ({
      id,
      name: id,
      unit: { id: 'truck' },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02'],
      points: [
        { ...circle('', 37.6), name: 'Depot', arrival: { time: `08:${String(minutes).padStart(2, '0')}` } },
      ],
    }) as unknown as Trip;
  const versions: Record<number, readonly Trip[]> = { 1: [], 2: [trip(12)], 3: [trip(5)], 4: [] };
  const operator = unitOperator((version) => ({ zones: INDEX, trips: () => versions[version]! }));
  const day = [fix(0, 37.5), fix(10, 37.6), fix(15, 37.6)];

  test('that are added or edited after their fixes have passed ask for those, once', () => {
    let step = operator.step(null, fixes(...day));
    const all = [...step.outputs];
    const take = (next: UnitMessage): string[] => {
      step = operator.step(step.state, next);
      all.push(...step.outputs);
      return step.outputs.flatMap(({ of, event }) => (of === 'trips' ? [event.type] : []));
    };
    expect(take(message({ kind: 'edit' }, 2))).toEqual([]);
    const from = Date.UTC(2026, 2, 1, 7, 12);
    expect(step.rebuild).toEqual({ of: 'trips', from });
    expect(take({ ...fixes(fix(16, 37.6)), zonesVersion: 2 })).toEqual([]);
    const history = (): UnitMessage =>
      message({ kind: 'rebuild', of: 'trips', fixes: [...day, fix(16, 37.6)], outputs: [...all] }, 2);
    expect(take(history())).toEqual(
      expect.arrayContaining(['trip_activated', 'point_entered', 'trip_finished']),
    );
    expect(step.rebuild).toBeNull();
    // Sent twice, it changes nothing.
    expect(take(history())).toEqual([]);
    // The unit is late by the edited plan.
    expect(take(message({ kind: 'edit' }, 3))).toEqual([]);
    expect(step.rebuild?.of).toBe('trips');
    expect(take({ ...history(), zonesVersion: 3 })).toContain('revised');
    // A removed trip is followed no more; its events stay.
    expect(take(message({ kind: 'edit' }, 4))).toEqual([]);
    expect([step.rebuild, step.state.parts.trips]).toEqual([null, undefined]);
  });

  test('with changes in their row: the run is followed as changed, and asks for its fixes once for each change', () => {
    const excuse = { type: 'excuse', at: START - 3_600_000, pointIndex: 0, by: 'dispatch' } as const;
    const handOver = { type: 'handOver', at: START + 12 * 60_000, unitId: 'spare' } as const;
    const [depot] = trip(0).points;
    const seen = [-30, -25, -20, -15, -10, -5, 0, 5].map((minute) => fix(minute, 37.5));
    const morning = [...seen, fix(10, 37.6), fix(15, 37.6)];
    // The unit is seen elsewhere until later.
    const late = { ...trip(0), points: [{ ...depot!, arrival: { time: '07:50' } }] };
    const rows: Record<number, Trip> = {
      1: late,
      2: { ...late, changes: [excuse] },
      3: { ...late, changes: [excuse, handOver] },
    };
    const changed = unitOperator((version) => ({ zones: INDEX, trips: () => [rows[version]!] }));
    let step = changed.step(null, fixes(...morning));
    const all = [...step.outputs];
    expect(typesOf(step)).toContain('arrival_late');
    for (const version of [2, 3]) {
      step = changed.step(step.state, message({ kind: 'edit' }, version));
      all.push(...step.outputs);
      expect(step.rebuild?.of, `version ${version}`).toBe('trips');
      step = changed.step(
        step.state,
        message({ kind: 'rebuild', of: 'trips', fixes: morning, outputs: [...all] }, version),
      );
      all.push(...step.outputs);
      const { changes } = rows[version]!;
      // The unit counts until another one takes over.
      const own = morning.filter(({ time }) => version < 3 || time < handOver.at);
      const expected = evaluateTrip(
        late,
        '2026-03-02',
        { tracks: { truck: readTrack(own) } },
        { timeZone: 'UTC', now: START + 15 * 60_000, changes: changes as readonly TripChange[] },
      ).events;
      const byTime = (a: TripEvent, b: TripEvent): number => a.time - b.time || (a.type < b.type ? -1 : 1);
      const told = describeEvents(
        'trips',
        all.flatMap(({ of, event }) => (of === 'trips' ? [event] : [])),
      );
      expect([...told].sort(byTime), `version ${version}`).toEqual([...expected].sort(byTime));
      // The state has the changes.
      step = changed.step(step.state, message({ kind: 'time', time: START + 15 * 60_000 }, version));
      expect([step.rebuild, typesOf(step)]).toEqual([null, []]);
    }
  });

  test('that no fix reaches become overdue by the clock', () => {
    const away = [-30, -20, -10, 0, 10, 11].map((minute) => fix(minute, 37.5));
    let step = operator.step(null, { ...fixes(...away), zonesVersion: 2 });
    expect([step.rebuild, typesOf(step)]).toEqual([null, expect.not.arrayContaining(['arrival_overdue'])]);
    const types: string[] = [];
    while (step.wakeAt !== null && step.wakeAt <= START + 15 * 60_000) {
      step = operator.step(step.state, message({ kind: 'time', time: step.wakeAt }, 2));
      types.push(...typesOf(step));
    }
    expect(types).toContain('arrival_overdue');
    // Long after the run nothing of it is kept.
    const done = operator.step(step.state, message({ kind: 'time', time: START + 86_400_000 }, 2));
    expect(done.state.parts.trips).toBeUndefined();
  });
});
