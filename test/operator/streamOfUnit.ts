/** Generates the stream of a unit on the plane of `journeys.ts`, and follows it with the trackers themselves, without steps or states. */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { prepareHours } from '../../src/hours/index.js';
import type {
  OperatorOptions,
  OperatorPlaces,
  TripRoute,
  UnitInput,
  UnitOutput,
} from '../../src/operator/index.js';
import {
  type HoursEvent,
  MovementTracker,
  prepareRoute,
  RouteTracker,
  SpeedingTracker,
  type UnitSettings,
  type VisitEvent,
  VisitTracker,
} from '../../src/tracks/index.js';
import { planTrip, TripTracker } from '../../src/trips/index.js';
import { delayed, journey, pick, randomOptions, ZONES } from '../tracks/journeys.js';
import { fixAt, planeIndex, START } from '../tracks/planeIndex.js';

export const UNIT = 'unit';
const EVERY_MS = 30_000;

/** One fix, one time or one edit. */
export type Atom = Exclude<UnitInput, { kind: 'rebuild' }>;

/** Hours, limits, trips and a route on the plane. */
export interface Places extends OperatorPlaces {
  readonly trips: () => readonly Trip[];
  readonly hoursOf: NonNullable<OperatorPlaces['hoursOf']>;
  readonly routeOf: (trip: Trip) => TripRoute | null;
}

export interface UnitStream {
  readonly options: OperatorOptions;
  readonly places: Places;
  /** Of the first atom, if it is an edit. */
  readonly settings: UnitSettings | null;
  readonly atoms: readonly Atom[];
  readonly fixes: readonly Fix[];
}

const circle = (name: string, x: number, y: number, width: number, arrival: string): object => {
  const { lon, lat } = fixAt(0, x, y);
  return {
    name,
    type: { key: 'circle' },
    geometry: [[lon, lat]],
    width,
    arrival: { time: arrival, deviation_minutes: 2 },
  };
};

export const DAY = '2026-01-01';

export function tripOf(random: () => number, id: string): Trip {
  const minute = (): string => `00:${String(Math.floor(random() * 59)).padStart(2, '0')}`;
  return {
    id,
    name: id,
    unit: { id: UNIT },
    passage_order_type: { key: pick(random, ['strict', 'arbitrary']) },
    dates: ['2025-12-01', DAY, '2026-02-01'],
    points: [circle('disc', 120, 40, 130, minute()), circle('box', -100, 0, 120, minute())],
  } as unknown as Trip;
}

/** The first zone has hours, the second may have a limit, and the first trip has a route. */
export function placesOf(random: () => number): Places {
  const index = planeIndex(ZONES);
  const minute = (): string => `00:${String(Math.floor(random() * 25)).padStart(2, '0')}`;
  const spans = [minute(), minute(), minute(), minute()].sort();
  const weekly = [0, 2].map((at) => ({ days: [4], from: spans[at]!, to: spans[at + 1]! }));
  const hours = prepareHours({ weekly: weekly.filter(({ from, to }) => from < to) }, { timeZone: 'UTC' });
  const limit = pick(random, [15, 30, null]);
  const path = [-300, -80, 60, 250].map((x) => {
    const { lon, lat } = fixAt(0, x, 200 * (random() - 0.5));
    return [lon, lat] as [number, number];
  });
  const corridor = { route: prepareRoute(path), widthMeters: pick(random, [60, 150]) };
  const trips = [tripOf(random, 'a'), tripOf(random, 'b')];
  return {
    zones: index,
    hoursOf: (zoneId) => (zoneId === ZONES[0]!.id ? hours : null),
    ...(limit !== null && { speedLimitOf: (zoneId: string) => (zoneId === ZONES[1]!.id ? limit : null) }),
    trips: () => trips,
    routeOf: ({ id }) => (id === 'a' ? corridor : null),
  };
}

/** `delaySeconds`: how much later than later ones fixes arrive; more than the lateness makes some of them late. */
export function unitStream(random: () => number, length: number, delaySeconds: number): UnitStream {
  const lateness = pick(random, [0, 30, 90]);
  const { maxGapMeters: _, ...visits } = randomOptions(random, lateness);
  const options: OperatorOptions = {
    ...visits,
    windowAfterSeconds: 120,
    toleranceKph: pick(random, [0, 3]),
    minSeconds: pick(random, [0, 10]),
  };
  const fixes = journey(random, length, lateness > 0);
  const sent = delayed(
    random,
    fixes,
    Math.min(delaySeconds, delaySeconds === 0 ? 0 : Math.max(lateness, delaySeconds)),
  );
  const settings = random() < 0.5 ? { advanced_speedlimit: pick(random, [10, 40]) } : null;
  const atoms: Atom[] = settings === null ? [] : [{ kind: 'edit', settings }];
  let latest = START;
  for (const fix of sent) {
    if (Number.isFinite(fix.time)) latest = Math.max(latest, fix.time);
    atoms.push({ kind: 'fixes', fixes: [fix] });
    if (random() < 0.2) atoms.push({ kind: 'time', time: latest - Math.floor(random() * 20_000) });
  }
  atoms.push({ kind: 'time', time: latest + lateness * 1000 + 1 });
  return { options, places: placesOf(random), settings, atoms, fixes };
}

export interface Twin {
  readonly outputs: UnitOutput[];
  readonly visits: VisitTracker<VisitEvent | HoursEvent>;
  readonly movement: MovementTracker;
  readonly speeding: SpeedingTracker;
}

export function trackersOf({ options, places, settings }: UnitStream): Omit<Twin, 'outputs'> {
  const { zones: index, hoursOf, speedLimitOf: zoneLimits } = places;
  const speeding = new SpeedingTracker({ ...options, ...(zoneLimits && { index, zoneLimits }) });
  if (settings !== null) speeding.configure(UNIT, settings);
  return {
    visits: new VisitTracker<VisitEvent | HoursEvent>(index, { ...options, hoursOf }),
    movement: new MovementTracker({}, options),
    speeding,
  };
}

/** A run on its route: fixes before the window opens and after its end do not count. */
interface OnRoute {
  readonly from: number;
  readonly to: number;
  readonly tracker: RouteTracker;
}

/** What the outputs must be, without late fixes: the events of live trackers in the order of the atoms. The runs of `DAY` span the stream. */
export function twinOf(stream: UnitStream): Twin {
  const { options, places, atoms } = stream;
  const { visits, movement, speeding } = trackersOf(stream);
  const runs = places.trips().map((trip) => {
    const run = new TripTracker(trip, DAY, { ...options, timeZone: 'UTC' });
    return { trip, run, onRoute: onRouteOf(stream, trip) };
  });
  const outputs: UnitOutput[] = [];
  const emit = (of: UnitOutput['of'], events: readonly object[]): void => {
    for (const event of events)
      outputs.push({ unitId: UNIT, number: outputs.length + 1, of, event } as UnitOutput);
  };
  const told = (events: readonly (VisitEvent | HoursEvent)[]): object[] =>
    events.map(({ ...event }) => {
      if (event.type === 'enter' && places.hoursOf(event.zoneId) === null)
        delete (event as { open?: boolean }).open;
      return event;
    });
  const speeds = (events: ReturnType<SpeedingTracker['push']>): object[] =>
    events.map((event) => ({ ...event, kind: 'speeding' }));
  const ofRun = (tripId: string, events: ReturnType<TripTracker['push']>): object[] =>
    events.map((event) =>
      event.type === 'revised'
        ? {
            type: 'revised',
            unitId: UNIT,
            tripId,
            date: DAY,
            time: (event.is ?? event.was)!.time,
            was: event.was,
            is: event.is,
          }
        : { ...event, unitId: UNIT, tripId, date: DAY },
    );
  const ofRoute = (tripId: string, events: ReturnType<RouteTracker['push']>): object[] =>
    events.map((event) => {
      const run = { kind: 'route', unitId: UNIT, tripId, date: DAY };
      return event.type === 'revised'
        ? { ...run, type: 'revised', time: event.time, was: { ...event, type: 'turned' }, is: null }
        : { ...run, ...event };
    });
  let reached = Number.NEGATIVE_INFINITY;
  for (const atom of atoms) {
    const before = reached;
    if (atom.kind === 'time') {
      emit('visits', told(visits.advance(atom.time)));
      emit('movement', movement.advance(atom.time));
      emit('speeding', speeds(speeding.advance(atom.time)));
      reached = Math.max(reached, atom.time);
      const at = Math.floor(reached / EVERY_MS) * EVERY_MS;
      if (at > Math.floor(before / EVERY_MS) * EVERY_MS)
        for (const { trip, run } of runs) emit('trips', ofRun(trip.id, run.advance(at)));
      for (const { trip, onRoute } of runs)
        if (onRoute !== null) emit('routes', ofRoute(trip.id, onRoute.tracker.advance(reached)));
    } else if (atom.kind === 'fixes') {
      for (const fix of atom.fixes) {
        emit('visits', told(visits.push(UNIT, fix)));
        emit('movement', movement.push(UNIT, fix));
        if (places.speedLimitOf !== undefined || stream.settings !== null)
          emit('speeding', speeds(speeding.push(UNIT, fix)));
        for (const { trip, run } of runs)
          if (Number.isFinite(fix.time)) emit('trips', ofRun(trip.id, run.push(fix)));
        for (const { trip, onRoute } of runs)
          if (onRoute !== null && isOn(onRoute, fix))
            emit('routes', ofRoute(trip.id, onRoute.tracker.push(fix)));
        // An invalid position has a time, but the unit has not reached it.
        const watermark = visits.watermark(UNIT);
        if (watermark !== null)
          reached = Math.max(reached, watermark + (options.latenessSeconds ?? 0) * 1000);
      }
    }
  }
  return { outputs, visits, movement, speeding };
}

export function onRouteOf({ options, places }: UnitStream, trip: Trip): OnRoute | null {
  const { route, ...corridor } = places.routeOf(trip) ?? { route: null };
  if (route === null) return null;
  const { widthMeters } = places.routeOf(trip)!;
  const { from, to } = planTrip(trip, DAY, { ...options, timeZone: 'UTC' }).window;
  return {
    from,
    to: to + 3_600_000,
    tracker: new RouteTracker(route, { ...readingOf(options), ...corridor, widthMeters, from }),
  };
}

/** The options that say how fixes are read. Those of visits and of speeding do not apply to a route. */
export function readingOf(options: OperatorOptions): OperatorOptions {
  const { latenessSeconds, maxSpeedKph, maxCrossedMeters, parkedMeters } = options;
  return { latenessSeconds, maxSpeedKph, maxCrossedMeters, parkedMeters } as OperatorOptions;
}

export function isOn({ from, to }: OnRoute, { time }: Fix): boolean {
  return Math.round(time) >= from && Math.round(time) <= to;
}
