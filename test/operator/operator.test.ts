import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import {
  type UnitMessage,
  type UnitOutput,
  type UnitState,
  type UnitStep,
  unitOperator,
} from '../../src/operator/index.js';
import { describedMovement } from '../../src/operator/movementRow.js';
import { describedRuns } from '../../src/operator/runEvents.js';
import { describedVisits } from '../../src/operator/visitRow.js';
import { detectTrips, findVisits, MovementTracker, readTrack, VisitTracker } from '../../src/tracks/index.js';
import { evaluateTrip, type TripEvent, type TripOptions } from '../../src/trips/index.js';
import { pick, ZONES } from '../tracks/journeys.js';
import { planeIndex, START } from '../tracks/planeIndex.js';
import { LONG, seeded } from '../volume.js';
import { type Atom, DAY, twinOf, UNIT, type UnitStream, unitStream } from './streamOfUnit.js';

const INDEX = planeIndex(ZONES);
const CASES = LONG ? 600 : 20;

const messageOf = (input: UnitMessage['input'], zonesVersion = 1): UnitMessage => ({
  unitId: UNIT,
  zonesVersion,
  input,
});
const operatorOf = ({ options, trips }: UnitStream) =>
  unitOperator(() => ({ zones: INDEX, trips: () => trips }), options);

/** Consecutive fixes in messages of random sizes. */
function grouped(random: () => number, atoms: readonly Atom[]): Atom[] {
  const groups: Atom[] = [];
  for (const atom of atoms) {
    const last = groups.at(-1);
    if (atom.kind === 'fixes' && last?.kind === 'fixes' && random() < 0.7)
      groups[groups.length - 1] = { kind: 'fixes', fixes: [...last.fixes, ...atom.fixes] };
    else groups.push(atom);
  }
  return groups;
}

const eventsOf = <Part extends UnitOutput['of']>(outputs: readonly UnitOutput[], of: Part) =>
  outputs.flatMap((one) => (one.of === of ? [one.event] : [])) as Extract<
    UnitOutput,
    { of: Part }
  >['event'][];

const byText = (items: readonly unknown[]): string[] => items.map((item) => JSON.stringify(item)).sort();

/** Compares all outputs with the batch over `fixes`. `open`: trackers after the same fixes, for what is not over. */
function expectBatch(
  { options, trips }: UnitStream,
  outputs: readonly UnitOutput[],
  fixes: readonly Fix[],
  open: { readonly visits: VisitTracker; readonly movement: MovementTracker },
  now: number,
): void {
  const track = readTrack(fixes, options);
  const visits = describedVisits(eventsOf(outputs, 'visits')).filter(({ exit }) => exit !== null);
  expect(byText([...visits, ...open.visits.openVisits(UNIT)])).toEqual(
    byText(findVisits(track, INDEX, options)),
  );
  const kinds = { trip: 'trips', parking: 'parkings', stop: 'stops' } as const;
  const report = detectTrips(track, {}, options);
  const current = open.movement.current(UNIT);
  const items = describedMovement(eventsOf(outputs, 'movement')).filter(({ to }) => to !== null);
  for (const [kind, list] of Object.entries(kinds)) {
    const own = items.flatMap(({ kind: is, ...item }) => (is === kind ? [item] : []));
    expect(byText([...own, ...current[list]])).toEqual(byText(report[list]));
  }
  const runs = describedRuns(eventsOf(outputs, 'trips'));
  for (const trip of trips) {
    const given = { ...options, timeZone: 'UTC', now } as TripOptions;
    const { events } = evaluateTrip(trip, DAY, track, given);
    const plain = ({ type, time, pointIndex }: TripEvent): object => ({ type, time, pointIndex });
    expect(byText(runs.get(JSON.stringify([trip.id, DAY])) ?? [])).toEqual(byText(events.map(plain)));
  }
}

/** The time to which the runs were evaluated: the last multiple of 30 s, or the last fix. */
function nowOf(atoms: readonly Atom[], fixes: readonly Fix[]): number {
  const times = atoms.flatMap((atom) => (atom.kind === 'time' ? [atom.time] : []));
  const { time, length } = readTrack(fixes);
  return Math.max(Math.floor(Math.max(...times) / 30_000) * 30_000, ...time.subarray(0, length));
}

describe('a unit operator', () => {
  test('gives the outputs of the trackers for any split, retry and restore, and those of the batch', () => {
    let count = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const random = seeded(seed);
      const given = unitStream(random, 40, pick(random, [0, 25]));
      // Without a lateness the order of arrival is that of time.
      const stream = given.options.latenessSeconds === 0 ? { ...given, atoms: inOrder(given.atoms) } : given;
      const operator = operatorOf(stream);
      const twin = twinOf(stream, INDEX);
      const all: UnitOutput[] = [];
      let state: UnitState | string | null = null;
      let last: UnitStep | null = null;
      for (const input of grouped(random, stream.atoms)) {
        const step: UnitStep = operator.step(state, messageOf(input));
        if (random() < 0.3) expect(operatorOf(stream).step(state, messageOf(input))).toEqual(step);
        all.push(...step.outputs);
        state = random() < 0.5 ? JSON.stringify(step.state) : step.state;
        last = step;
      }
      expect(last?.rebuild, `seed ${seed}`).toBeNull();
      expect(all, `seed ${seed}`).toEqual(twin.outputs);
      expectBatch(stream, all, stream.fixes, twin, nowOf(stream.atoms, stream.fixes));
      count += all.length;
    }
    expect(count).toBeGreaterThan(CASES);
  });

  test('asks for the history after late fixes, and then describes all fixes, whenever the history comes', () => {
    let rebuilds = 0;
    let revised = 0;
    for (let seed = 0; seed < CASES; seed++) {
      const random = seeded(seed + 5_000_000);
      const stream = unitStream(random, 40, 400);
      const operator = operatorOf(stream);
      const all: UnitOutput[] = [];
      const sent: Fix[] = [];
      let step: UnitStep | null = null;
      const take = (input: UnitMessage['input']): void => {
        step = operator.step(step && JSON.stringify(step.state), messageOf(input));
        all.push(...step.outputs);
      };
      const rebuild = (): void => {
        rebuilds++;
        const before = all.length;
        take({ kind: 'rebuild', fixes: [...sent], outputs: [...all] });
        revised += all.length - before;
        expect(step!.rebuild).toBeNull();
      };
      for (const input of grouped(random, stream.atoms)) {
        take(input);
        if (input.kind === 'fixes') sent.push(...input.fixes);
        if (step!.rebuild !== null && random() < 0.2) rebuild();
      }
      rebuild();
      expect(all.map(({ number }) => number)).toEqual(all.map((_, i) => i + 1));
      const open = {
        visits: new VisitTracker(INDEX, stream.options),
        movement: new MovementTracker({}, stream.options),
      };
      const sorted = [...sent].filter(({ time }) => Number.isFinite(time)).sort((a, b) => a.time - b.time);
      for (const fix of sorted) for (const one of [open.visits, open.movement]) one.push(UNIT, fix);
      const { clock } = step!.state as unknown as { clock: number };
      for (const one of [open.visits, open.movement]) one.advance(clock);
      expectBatch(stream, all, sent, open, nowOf(stream.atoms, sent));
    }
    expect(rebuilds).toBeGreaterThan(CASES);
    expect(revised).toBeGreaterThan(0);
  });

  test('gives no output at a time before wakeAt, and says when the next may come', () => {
    let [woken, waits] = [0, 0];
    for (let seed = 0; seed < CASES; seed++) {
      const random = seeded(seed + 9_000_000);
      const stream = unitStream(random, 25, 0);
      const end = START + 2 * 3_600_000;
      const operator = operatorOf(stream);
      let step: UnitStep | null = null;
      let latest = START;
      for (const input of stream.atoms) {
        if (random() < 0.3 && step !== null) {
          const known: UnitStep = step;
          const time = known.wakeAt === null ? START + 1e9 : known.wakeAt - 1;
          // A time that has passed means at once.
          if (time >= latest) {
            waits++;
            expect(
              operator.step(known.state, messageOf({ kind: 'time', time })).outputs,
              `seed ${seed}`,
            ).toEqual([]);
          }
        }
        step = operator.step(step?.state ?? null, messageOf(input));
        if (input.kind === 'fixes' && Number.isFinite(input.fixes[0]!.time))
          latest = Math.max(latest, input.fixes[0]!.time);
      }
      // A chain of timers ends with the runs.
      for (let i = 0; seed % 25 === 0 && step!.wakeAt !== null && step!.wakeAt < end; i++) {
        expect(i).toBeLessThan(1000);
        const at: number = step!.wakeAt;
        step = operator.step(step!.state, messageOf({ kind: 'time', time: at }));
        expect(step.wakeAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(at);
        woken += step.outputs.length;
      }
    }
    expect(woken).toBeGreaterThan(0);
    expect(waits).toBeGreaterThan(CASES);
  });
});

function inOrder(atoms: readonly Atom[]): Atom[] {
  const timeOf = (atom: Atom): number =>
    atom.kind === 'fixes' ? atom.fixes[0]!.time : (atom as { time: number }).time;
  return [...atoms].sort((a, b) => timeOf(a) - timeOf(b));
}
