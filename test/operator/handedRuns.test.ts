/** Runs that were handed over, followed by an operator with the fixes of all units: the events are those of the batch. */

import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { ZoneIndex } from '../../src/index.js';
import {
  chargesOf,
  describeEvents,
  rowChanges,
  runWindows,
  type UnitInput,
  type UnitOutput,
  type UnitStep,
  unitOperator,
} from '../../src/operator/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripChange, type TripEvent } from '../../src/trips/index.js';
import { changesWithHandOvers, otherFixes, UNITS } from '../trips/randomChanges.js';
import { DATE, randomRun } from '../trips/randomRuns.js';
import { LONG, seeded } from '../volume.js';

const [UNIT] = UNITS as readonly [string];
const ZONES = new ZoneIndex([{ id: 'far', type: { key: 'circle' }, geometry: [[-30, -60]], width: 100 }]);
const HOUR = 3_600_000;
type Named = Fix & { readonly unitId: string };

interface Handed {
  readonly trip: Trip;
  readonly changes: readonly TripChange[];
  readonly fixes: readonly Named[];
}

/** A random run with hand-overs, and the fixes of its units at distinct times. */
function handedRun(seed: number): Handed {
  const run = randomRun(seeded(seed));
  const random = seeded(seed + 3_000_000);
  const others = UNITS.map((_, k) => (k === 0 ? run.fixes : otherFixes(run, random)));
  const changes = changesWithHandOvers(run, random);
  const fixes = others.flatMap((list, k): Named[] => {
    const distinct = new Map(
      list.map((fix) => [Math.round(fix.time), { ...fix, time: Math.round(fix.time) }]),
    );
    return [...distinct.values()].map((fix) => ({ ...fix, unitId: UNITS[k]! }));
  });
  const trip = { ...run.trip, dates: [DATE], changes } as unknown as Trip;
  return { trip, changes, fixes };
}

/** The events of the run when its fixes arrive in this order. The operator gets the history when it asks for it. */
function toldOf(
  trip: Trip,
  order: readonly Named[],
  latenessSeconds: number,
  random: () => number,
): {
  readonly events: readonly TripEvent[];
  readonly rebuilds: number;
} {
  const operator = unitOperator(() => ({ zones: ZONES, trips: () => [trip] }), { latenessSeconds });
  const outputs: UnitOutput[] = [];
  const known: Named[] = [];
  let step: UnitStep | null = null;
  let rebuilds = 0;
  const send = (input: UnitInput): void => {
    const state = step === null ? null : JSON.stringify(step.state);
    step = operator.step(state, { unitId: UNIT, zonesVersion: 1, input });
    outputs.push(...step.outputs);
  };
  const answer = (): void => {
    for (let demand = step!.rebuild; demand !== null; demand = step!.rebuild) {
      rebuilds++;
      const { of, from } = demand;
      const fixes = known.filter(({ time }) => from === null || time >= from);
      send({ kind: 'rebuild', of, from, fixes, outputs: [...outputs] });
    }
  };
  for (let i = 0; i < order.length; ) {
    const some = order.slice(i, i + 1 + Math.floor(random() * 12));
    i += some.length;
    known.push(...some);
    // Fixes of the key's own unit need no name.
    const sent = some.map((fix) =>
      fix.unitId === UNIT && random() < 0.5 ? { ...fix, unitId: undefined } : fix,
    );
    send({ kind: 'fixes', fixes: sent });
    if (random() < 0.3) answer();
  }
  const window = runWindows().on(trip, 'UTC', DATE)!;
  send({ kind: 'time', time: window.to + HOUR + latenessSeconds * 1000 });
  answer();
  const own = outputs.flatMap(({ of, event }) => (of === 'trips' ? [event] : []));
  return { events: describeEvents('trips', own), rebuilds };
}

const sorted = (events: readonly TripEvent[]): readonly TripEvent[] =>
  events
    .map(({ type, time, pointIndex }) => ({ type, time, pointIndex }))
    .sort(
      (a, b) => a.time - b.time || (a.type < b.type ? -1 : 1) || (a.pointIndex ?? -1) - (b.pointIndex ?? -1),
    );

/** The events of the batch over the fixes of all units that the key gets. */
function expected({ trip, changes, fixes }: Handed): readonly TripEvent[] {
  const tracks = Object.fromEntries(
    UNITS.map((unit) => [unit, readTrack(fixes.filter(({ unitId }) => unitId === unit))]),
  );
  const { changes: _, ...plain } = trip as Trip & { changes: unknown };
  return sorted(evaluateTrip(plain as Trip, DATE, { tracks }, { timeZone: 'UTC', changes }).events);
}

/** The fixes of the trip's unit, and of the others while they are in charge: what a processor sends to the key. */
function routed({ trip, fixes }: Handed): Named[] {
  const charges = chargesOf(UNIT, rowChanges(trip, DATE));
  return fixes.filter(
    ({ unitId, time }) =>
      unitId === UNIT || charges.some((one) => one.unitId === unitId && time >= one.from && time < one.to),
  );
}

describe('T50: an operator follows a run that was handed over', () => {
  const COUNT = LONG ? 600 : 8;
  test.each([
    [0, 0, 'in order of time'],
    [300, 300, 'in any order within the lateness'],
    [60, 3600, 'late too, with the history'],
  ])('lateness %i s, delays up to %i s: %s', (latenessSeconds, delay) => {
    const seen = { handed: 0, others: 0, rebuilds: 0, events: 0 };
    for (let seed = 0; seed < COUNT; seed++) {
      const run = handedRun(seed);
      const random = seeded(seed + 5_000_000);
      const order = routed(run)
        .map((fix) => ({ fix, at: fix.time + Math.floor(random() * delay * 1000) }))
        .sort((a, b) => a.at - b.at)
        .map(({ fix }) => fix);
      if (order.length === 0) continue;
      const told = toldOf(run.trip, order, latenessSeconds, random);
      const events = expected({ ...run, fixes: order });
      expect({ seed, events: sorted(told.events) }).toEqual({ seed, events });
      seen.handed += run.changes.filter(({ type }) => type === 'handOver').length;
      seen.others += order.filter(({ unitId }) => unitId !== UNIT).length;
      seen.rebuilds += told.rebuilds;
      seen.events += events.length;
    }
    expect(seen.handed).toBeGreaterThan(COUNT / 2);
    expect(seen.others).toBeGreaterThan(COUNT);
    expect(seen.events).toBeGreaterThan(COUNT);
    if (delay > latenessSeconds) expect(seen.rebuilds).toBeGreaterThan(COUNT / 4);
  });

  test('the fixes of the other unit are told of no part but the run', () => {
    const run = handedRun(3);
    const [fix] = run.fixes.filter(({ unitId }) => unitId !== UNIT);
    const operator = unitOperator(() => ({ zones: ZONES, trips: () => [] }));
    const step = operator.step(null, {
      unitId: UNIT,
      zonesVersion: 1,
      input: { kind: 'fixes', fixes: [fix!] },
    });
    expect([step.outputs, step.state.parts, step.rebuild]).toEqual([[], {}, null]);
  });
});
