import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import {
  type UnitMessage,
  type UnitOutput,
  type UnitState,
  type UnitStep,
  unitOperator,
} from '../../src/operator/index.js';
import { describedRoute, describedRun } from '../../src/operator/runEvents.js';
import {
  describedHours,
  describedMovement,
  describedSpeeding,
  describedVisits,
} from '../../src/operator/unitEvents.js';
import { detectTrips, findSpeeding, findVisits, matchRoute, readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripEvent, type TripOptions } from '../../src/trips/index.js';
import { pick } from '../tracks/journeys.js';
import { START } from '../tracks/planeIndex.js';
import { LONG, seeded } from '../volume.js';
import {
  type Atom,
  DAY,
  isOn,
  onRouteOf,
  placesOf,
  readingOf,
  type Twin,
  trackersOf,
  twinOf,
  UNIT,
  type UnitStream,
  unitStream,
} from './streamOfUnit.js';

const CASES = LONG ? 600 : 2;

const messageOf = (input: UnitMessage['input'], zonesVersion = 1): UnitMessage => ({
  unitId: UNIT,
  zonesVersion,
  input,
});
const operatorOf = ({ options, places }: UnitStream) => unitOperator(() => places, options);

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
  stream: UnitStream,
  outputs: readonly UnitOutput[],
  fixes: readonly Fix[],
  open: Omit<Twin, 'outputs'>,
  now: number,
): void {
  const { options, places, settings } = stream;
  const { zones: index, speedLimitOf: zoneLimits, hoursOf } = places;
  const track = readTrack(fixes, options);
  const all = findVisits(track, index, options);
  const visits = describedVisits(eventsOf(outputs, 'visits')).filter(({ exit }) => exit !== null);
  expect(byText([...visits, ...open.visits.openVisits(UNIT)])).toEqual(byText(all));
  const isOver = (zoneId: string, time: number): boolean =>
    visits.some((visit) => visit.zoneId === zoneId && visit.enter < time && time < visit.exit!);
  const told = describedHours(eventsOf(outputs, 'visits'));
  expect(byText(told.filter(({ zoneId, time }) => isOver(zoneId, time)))).toEqual(
    byText(
      visits.flatMap(({ zoneId, enter, exit }) => {
        const times: { zoneId: string; time: number; open: boolean }[] = [];
        const hours = hoursOf(zoneId) ?? null;
        for (let time = hours?.nextChange(enter) ?? null; time !== null && time < exit!; ) {
          times.push({ zoneId, time, open: hours!.isOpen(time) });
          time = hours!.nextChange(time);
        }
        return times;
      }),
    ),
  );
  const kinds = { trip: 'trips', parking: 'parkings', stop: 'stops' } as const;
  const report = detectTrips(track, {}, options);
  const current = open.movement.current(UNIT);
  const items = describedMovement(eventsOf(outputs, 'movement')).filter(({ to }) => to !== null);
  for (const [kind, list] of Object.entries(kinds)) {
    const own = items.flatMap(({ kind: is, ...item }) => (is === kind ? [item] : []));
    expect(byText([...own, ...current[list]])).toEqual(byText(report[list]));
  }
  const fast = describedSpeeding(eventsOf(outputs, 'speeding')).filter(({ to }) => to !== null);
  const limits = { ...(zoneLimits && { index, zoneLimits }), ...(settings && { settings }) };
  expect(byText([...fast, ...open.speeding.current(UNIT)])).toEqual(
    byText(findSpeeding(track, { ...options, ...limits })),
  );
  for (const trip of places.trips()) {
    const given = { ...options, timeZone: 'UTC', now } as TripOptions;
    const { events } = evaluateTrip(trip, DAY, track, given);
    const plain = ({ type, time, pointIndex }: TripEvent): object => ({ type, time, pointIndex });
    const run = eventsOf(outputs, 'trips').filter(({ tripId, date }) => tripId === trip.id && date === DAY);
    expect(byText(describedRun(run))).toEqual(byText(events.map(plain)));
    const onRoute = onRouteOf(stream, trip);
    const news = describedRoute(eventsOf(outputs, 'routes').filter(({ tripId }) => tripId === trip.id));
    if (onRoute === null) expect(news).toEqual([]);
    else {
      const { route, ...corridor } = places.routeOf(trip)!;
      const way = readTrack(
        fixes.filter((fix) => isOn(onRoute, fix)),
        readingOf(options),
      );
      const match = matchRoute(way, route, { ...corridor, from: onRoute.from });
      const [returned, turned] = (['returned', 'turned'] as const).map((type) =>
        news.filter((one) => one.type === type),
      );
      const last = way.time[way.length - 1];
      const isOpen = !returned!.some(({ deviation }) => deviation!.to === last);
      const ended = match.deviations.filter(({ to }) => !isOpen || to !== last);
      expect(byText(returned!.map(({ deviation }) => deviation))).toEqual(byText(ended));
      const backwards = match.legs.filter(({ direction }) => direction === 'backward');
      expect(byText(turned!.map(({ time }) => time))).toEqual(byText(backwards.map(({ from }) => from)));
    }
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
      const twin = twinOf(stream);
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
      const open = trackersOf(stream);
      const sorted = [...sent].filter(({ time }) => Number.isFinite(time)).sort((a, b) => a.time - b.time);
      const { clock } = step!.state as unknown as { clock: number };
      for (const one of Object.values(open)) {
        for (const fix of sorted) one.push(UNIT, fix);
        one.advance(clock);
      }
      expectBatch(stream, all, sent, open, nowOf(stream.atoms, sent));
    }
    expect(rebuilds).toBeGreaterThan(CASES);
    expect(revised).toBeGreaterThan(0);
  });

  test('gives the same outputs and state for any split, retry and restore with late fixes, edits and rebuilds', () => {
    const seen = { edits: 0, rebuilds: 0, late: 0, revised: new Set<string>() };
    for (let seed = 0; seed < CASES; seed++) {
      const random = seeded(seed + 13_000_000);
      const stream = unitStream(random, 30, 400);
      const versions = [stream.places, placesOf(random), { ...placesOf(random), trips: () => [] }];
      const operatorOfAll = () => unitOperator((version) => versions[version]!, stream.options);
      /** What comes before an atom: nothing, an edit of the places or the settings, or the history. */
      const marks = stream.atoms.map(() => {
        const mark = pick(random, ['', '', '', '', '', 'version', 'settings', 'rebuild']);
        return mark === 'settings' ? { advanced_speedlimit: pick(random, [0, 12]) } : mark;
      });
      const runOf = (isSplit: boolean): { outputs: UnitOutput[]; state: UnitState } => {
        const outputs: UnitOutput[] = [];
        const sent: Fix[] = [];
        let [step, version]: [UnitStep | null, number] = [null, 0];
        const take = (input: UnitMessage['input']): void => {
          const before = isSplit && step !== null ? JSON.stringify(step.state) : (step?.state ?? null);
          const operator = isSplit ? operatorOfAll() : one;
          if (isSplit && random() < 0.3) operator.step(before, messageOf(input, version));
          step = operator.step(before, messageOf(input, version));
          outputs.push(...step.outputs);
          if (step.rebuild?.of === 'all') seen.late++;
        };
        const one = operatorOfAll();
        let waiting: Fix[] = [];
        const flush = (): void => {
          if (waiting.length > 0) take({ kind: 'fixes', fixes: waiting });
          waiting = [];
        };
        for (const [i, atom] of stream.atoms.entries()) {
          const mark = marks[i]!;
          if (mark !== '') flush();
          if (mark === 'version' && version < 2) {
            version++;
            seen.edits++;
            // The next message brings the version, or an edit of its own.
            if (!isSplit || random() < 0.5) take({ kind: 'edit' });
          } else if (mark === 'rebuild') {
            seen.rebuilds++;
            const shuffled = isSplit ? [...sent].reverse() : sent;
            take({ kind: 'rebuild', fixes: [...shuffled], outputs: [...outputs] });
          } else if (typeof mark === 'object') take({ kind: 'edit', settings: mark });
          if (atom.kind === 'fixes') {
            waiting.push(...atom.fixes);
            sent.push(...atom.fixes);
            if (isSplit || random() < 0.2) flush();
          } else {
            flush();
            take(atom);
          }
        }
        flush();
        for (const { of, event } of outputs) if (event.type === 'revised') seen.revised.add(of);
        return { outputs, state: step!.state };
      };
      const whole = runOf(false);
      const split = runOf(true);
      expect(split.outputs, `seed ${seed}`).toEqual(whole.outputs);
      expect(split.state, `seed ${seed}`).toEqual(whole.state);
    }
    expect(Math.min(seen.edits, seen.rebuilds, seen.late)).toBeGreaterThan(CASES / 2);
    if (LONG) expect([...seen.revised].sort()).toEqual(['movement', 'routes', 'speeding', 'trips', 'visits']);
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
    atom.kind === 'fixes' ? atom.fixes[0]!.time : atom.kind === 'time' ? atom.time : Number.NEGATIVE_INFINITY;
  return [...atoms].sort((a, b) => timeOf(a) - timeOf(b));
}
