/** Generates the stream of a unit on the plane of `journeys.ts`, and follows it with the trackers themselves, without steps or states. */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import type { OperatorOptions, UnitInput, UnitOutput } from '../../src/operator/index.js';
import { MovementTracker, VisitTracker, type ZoneIndexLike } from '../../src/tracks/index.js';
import { TripTracker } from '../../src/trips/index.js';
import { delayed, journey, pick, randomOptions } from '../tracks/journeys.js';
import { fixAt, START } from '../tracks/planeIndex.js';

export const UNIT = 'unit';
const EVERY_MS = 30_000;

/** One fix, one time or one edit. */
export type Atom = Exclude<UnitInput, { kind: 'rebuild' }>;

export interface UnitStream {
  readonly options: OperatorOptions;
  readonly trips: readonly Trip[];
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

/** `delaySeconds`: how much later than later ones fixes arrive; more than the lateness makes some of them late. */
export function unitStream(random: () => number, length: number, delaySeconds: number): UnitStream {
  const lateness = pick(random, [0, 30, 90]);
  const { maxGapMeters: _, ...visits } = randomOptions(random, lateness);
  const options: OperatorOptions = { ...visits, windowBeforeSeconds: 60, windowAfterSeconds: 120 };
  const fixes = journey(random, length, lateness > 0);
  const sent = delayed(
    random,
    fixes,
    Math.min(delaySeconds, delaySeconds === 0 ? 0 : Math.max(lateness, delaySeconds)),
  );
  const atoms: Atom[] = [];
  let latest = START;
  for (const fix of sent) {
    if (Number.isFinite(fix.time)) latest = Math.max(latest, fix.time);
    atoms.push({ kind: 'fixes', fixes: [fix] });
    if (random() < 0.2) atoms.push({ kind: 'time', time: latest - Math.floor(random() * 20_000) });
  }
  atoms.push({ kind: 'time', time: latest + lateness * 1000 + 1 });
  return { options, trips: [tripOf(random, 'a'), tripOf(random, 'b')], atoms, fixes };
}

export interface Twin {
  readonly outputs: UnitOutput[];
  readonly visits: VisitTracker;
  readonly movement: MovementTracker;
}

/** What the outputs must be, without late fixes: the events of live trackers in the order of the atoms. The runs of `DAY` span the stream. */
export function twinOf(stream: UnitStream, zones: ZoneIndexLike): Twin {
  const { options, trips, atoms } = stream;
  const visits = new VisitTracker(zones, options);
  const movement = new MovementTracker({}, options);
  const runs = trips.map((trip) => ({
    trip,
    run: new TripTracker(trip, DAY, { ...options, timeZone: 'UTC' }),
  }));
  const outputs: UnitOutput[] = [];
  const emit = (of: UnitOutput['of'], events: readonly object[]): void => {
    for (const event of events)
      outputs.push({ unitId: UNIT, number: outputs.length + 1, of, event } as UnitOutput);
  };
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
  let reached = Number.NEGATIVE_INFINITY;
  for (const atom of atoms) {
    const before = reached;
    if (atom.kind === 'time') {
      emit('visits', visits.advance(atom.time));
      emit('movement', movement.advance(atom.time));
      reached = Math.max(reached, atom.time);
      const at = Math.floor(reached / EVERY_MS) * EVERY_MS;
      if (at > Math.floor(before / EVERY_MS) * EVERY_MS)
        for (const { trip, run } of runs) emit('trips', ofRun(trip.id, run.advance(at)));
    } else if (atom.kind === 'fixes') {
      for (const fix of atom.fixes) {
        emit('visits', visits.push(UNIT, fix));
        emit('movement', movement.push(UNIT, fix));
        for (const { trip, run } of runs)
          if (Number.isFinite(fix.time)) emit('trips', ofRun(trip.id, run.push(fix)));
        // An invalid position has a time, but the unit has not reached it.
        const watermark = visits.watermark(UNIT);
        if (watermark !== null)
          reached = Math.max(reached, watermark + (options.latenessSeconds ?? 0) * 1000);
      }
    }
  }
  return { outputs, visits, movement };
}
