import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import {
  type DescribedVisit,
  describeEvents,
  lastTimeOf,
  type RouteNews,
  UnitFleet,
  type UnitInput,
  type UnitOutput,
  type UnitState,
  unitOperator,
} from '../../src/operator/index.js';
import { reviseRoute } from '../../src/operator/runEvents.js';
import { reviseVisits } from '../../src/operator/unitEvents.js';
import { inTrackOrder } from '../../src/operator/unitFlow.js';
import { readStreamRules } from '../../src/tracks/streamOptions.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded } from '../volume.js';
import { type UnitStream, unitStream } from './streamOfUnit.js';

const CASES = LONG ? 200 : 3;
const IDS = ['a', 'b', 'c'];

interface Moment {
  readonly unitId: string | null;
  readonly input: Exclude<UnitInput, { kind: 'rebuild' }>;
}

/** The streams of three units as one log. All units get each time. */
function logOf(random: () => number, streams: readonly UnitStream[]): Moment[] {
  const left = streams.map(({ atoms }) => [...atoms]);
  const log: Moment[] = [];
  let time = 0;
  while (left.some((atoms) => atoms.length > 0)) {
    const at = Math.floor(random() * left.length);
    const atom = left[at]!.shift();
    if (atom === undefined) continue;
    if (atom.kind === 'time') {
      time = Math.max(time, atom.time);
      log.push({ unitId: null, input: { kind: 'time', time } });
    } else log.push({ unitId: IDS[at]!, input: atom });
  }
  return log;
}

describe('a fleet', () => {
  test('gives the outputs and states of the operator for each unit, over restarts, late fixes and rebuilds', () => {
    const seen = { outputs: 0, rebuilds: 0, moves: 0, timers: 0 };
    for (let seed = 0; seed < CASES; seed++) {
      const random = seeded(seed + 600_000);
      const streams = IDS.map(() => unitStream(random, 25, 300));
      const [{ options }] = streams as [UnitStream];
      const { trips: _, routeOf: __, ...places } = streams[0]!.places;
      const operator = unitOperator(() => places, options);
      let fleet = new UnitFleet(places, options);
      const rules = readStreamRules(options).fixRules;
      const states = new Map<string, UnitState>();
      const wakes = new Map<string, number | null>();
      const sent = new Map<string, Fix[]>(IDS.map((id) => [id, []]));
      const own: UnitOutput[] = [];
      const expected: UnitOutput[] = [];
      let clock = Number.NEGATIVE_INFINITY;
      const step = (unitId: string, input: UnitInput): void => {
        const next = operator.step(states.get(unitId) ?? null, { unitId, zonesVersion: 0, input });
        states.set(unitId, next.state);
        expected.push(...next.outputs);
        wakes.set(unitId, next.wakeAt);
      };
      for (const { unitId, input } of logOf(random, streams)) {
        if (input.kind === 'time') {
          clock = Math.max(clock, input.time);
          own.push(...fleet.advance(input.time));
          for (const id of IDS) step(id, input);
        } else if (input.kind === 'fixes') {
          sent.get(unitId!)!.push(...input.fixes);
          for (const fix of input.fixes) own.push(...fleet.push(unitId!, fix));
          step(unitId!, input);
        } else {
          fleet.configure(unitId!, input.settings ?? null);
          step(unitId!, input);
        }
        if (unitId !== null && fleet.lateFrom(unitId) !== null && random() < 0.3) {
          seen.rebuilds++;
          const fixes = sent.get(unitId)!;
          const events = own.flatMap((one) => (one.unitId === unitId ? [one.event] : []));
          expect(fleet.demand(unitId)).not.toBeNull();
          expect(fleet.demand(unitId, { from: null, events })).toBeNull();
          step(unitId, {
            kind: 'rebuild',
            fixes,
            outputs: expected.filter((one) => one.unitId === unitId),
          });
          const steps = fleet.rebuild(unitId, { from: null, events, fixes: inTrackOrder(fixes, rules) });
          let next = steps.next();
          while (next.done !== true) next = steps.next();
          own.push(...next.value);
        }
        for (const id of IDS) {
          if (!fleet.has(id)) continue;
          const wakeAt = fleet.wakeAt(id);
          expect(wakeAt).toBe(wakes.get(id));
          if (wakeAt === null || random() < 0.7) continue;
          // The timer of one unit.
          const before = own.length;
          own.push(...fleet.advance(wakeAt, id));
          step(id, { kind: 'time', time: wakeAt });
          seen.timers += own.length - before;
        }
        if (random() < 0.1) {
          // Another fleet, as after a restart.
          seen.moves++;
          const other = new UnitFleet(places, options);
          if (Number.isFinite(clock)) other.advance(clock);
          for (const id of IDS.filter((one) => fleet.has(one))) {
            const text = fleet.stateText(id);
            expect(text).toBe(JSON.stringify(fleet.state(id)));
            other.adopt(text);
          }
          fleet = other;
        }
      }
      expect(own, `seed ${seed}`).toEqual(expected);
      for (const id of IDS) {
        const { parts, outputs, lateFrom, clock: reached } = fleet.state(id);
        expect({ parts, outputs, lateFrom, clock: reached }, `seed ${seed}`).toEqual({
          clock: states.get(id)!.clock,
          parts: states.get(id)!.parts,
          outputs: states.get(id)!.outputs,
          lateFrom: states.get(id)!.lateFrom,
        });
      }
      seen.outputs += own.length;
    }
    expect(Math.min(seen.outputs, seen.rebuilds, seen.moves, seen.timers)).toBeGreaterThan(CASES / 2);
  });

  test('selects the events of a history by the latest instant that they depend on', () => {
    const random = seeded(5);
    const { places, options, atoms } = unitStream(random, 60, 0);
    const fleet = new UnitFleet({ ...places, trips: () => [] }, options);
    const outputs = atoms.flatMap((atom) =>
      atom.kind === 'fixes' ? atom.fixes.flatMap((fix) => [...fleet.push('a', fix)]) : [],
    );
    expect(outputs.length).toBeGreaterThan(3);
    for (const { event } of outputs) expect(lastTimeOf(event)).toBeGreaterThanOrEqual(event.time);
  });

  test('rejects states that it cannot follow, a history that is too short, and unknown options', () => {
    const { places, options, atoms } = unitStream(seeded(9), 30, 0);
    const followed = unitOperator(() => places, options);
    let state: UnitState | null = null;
    for (const input of atoms) state = followed.step(state, { unitId: 'a', zonesVersion: 1, input }).state;
    const fleet = new UnitFleet(places, options);
    expect(errorOf(() => fleet.adopt(state!))).toMatchObject({
      code: 'state-version',
      field: 'state.parts.routes',
    });
    const { parts } = state!;
    expect(Object.keys(parts)).toContain('trips');
    const other = new UnitFleet(places, { ...options, maxGapSeconds: 61 });
    fleet.push('a', { time: Date.UTC(2026, 0, 1), lon: 10, lat: 0 });
    expect(errorOf(() => other.adopt(fleet.state('a')))).toMatchObject({ code: 'state-options' });
    expect(errorOf(() => fleet.adopt(fleet.state('a')))).toMatchObject({ code: 'unit-known' });
    fleet.invalidate('a', Date.UTC(2026, 0, 1));
    const short = { from: Date.UTC(2026, 0, 1), events: [], fixes: [] };
    expect(errorOf(() => fleet.rebuild('a', short).next())).toMatchObject({ code: 'option-value' });
    expect(errorOf(() => new UnitFleet(null as never))).toMatchObject({
      code: 'option-type',
      field: 'places',
    });
    expect(errorOf(() => new UnitFleet(places, { lateness: 1 } as never))).toMatchObject({
      code: 'option-unknown',
    });
    fleet.forget('a');
    expect([fleet.has('a'), fleet.lateFrom('a'), fleet.openVisits('a')]).toEqual([false, null, []]);
  });
});

describe('revisions', () => {
  const visit = (enter: number, exit: number): DescribedVisit => ({
    zoneId: 'a',
    seen: 'inside',
    enter,
    exit,
    enterBounds: [enter - 1, enter + 1],
    exitBounds: [exit - 1, exit + 1],
    end: 'left',
    fixCount: 2,
  });
  const returned = (from: number, to: number): RouteNews => ({
    type: 'returned',
    time: to,
    deviation: { from, to, maxMeters: 5 },
    alongMeters: null,
  });

  test('describe the later computation, also where an item takes the beginning or end of one that is withdrawn', () => {
    const random = seeded(77);
    const some = <Item>(of: (from: number, to: number) => Item): Item[] => {
      const items: Item[] = [];
      for (let time = 0; time < 60; ) {
        const from = time + Math.floor(random() * 8);
        time = from + 1 + Math.floor(random() * 8);
        if (random() < 0.7) items.push(of(from, time));
      }
      return items;
    };
    for (let i = 0; i < 2000; i++) {
      const [before, after] = [some(visit), some(visit)];
      const changes = reviseVisits('u', before, after);
      expect(describeEvents('visits', [...reviseVisits('u', [], before), ...changes])).toEqual(after);
      const run = { unitId: 'u', tripId: 't', date: '2026-03-02' };
      const [was, is] = [some(returned), some(returned)];
      const told = [...reviseRoute(run, [], was), ...reviseRoute(run, was, is)];
      expect(describeEvents('routes', told)).toEqual(is);
    }
  });
});
