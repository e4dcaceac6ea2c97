/** Random changes of a random run: excused points, cancellations, and amendments that move, add, drop, reorder or reschedule points. */

import type { Trip, TripPoint } from '../../src/core/trip.js';
import type { TripChange } from '../../src/trips/index.js';
import type { RandomRun } from './randomRuns.js';

const METERS_PER_DEGREE = 111_195;

/** Units that a run may be handed to. */
export const UNITS: readonly string[] = ['unit', 'spare', 'third'];

/** The fixes of another unit on the same day: the drive of the run at another time and place, or part of it, or none. */
export function otherFixes({ fixes }: RandomRun, random: () => number): RandomRun['fixes'] {
  const int = (count: number): number => Math.floor(random() * count);
  const later = [0, 20_000, 90_000, -90_000, 600_000][int(5)]!;
  const east = [0, 0, 0.0004, 0.004][int(4)]!;
  const [from, to] = [int(fixes.length + 1), int(fixes.length + 1)].sort((a, b) => a - b) as [number, number];
  const own = int(3) === 0 ? fixes.slice(from, to) : fixes;
  const every = 1 + int(3);
  return own
    .filter((_, i) => i % every === 0)
    .map((fix) => ({ ...fix, time: fix.time + later, lon: fix.lon + east }));
}

/** The changes of a run, and among them up to two hand-overs. */
export function changesWithHandOvers(run: RandomRun, random: () => number): TripChange[] {
  const int = (count: number): number => Math.floor(random() * count);
  if (run.fixes.length === 0) return [];
  const handOvers = Array.from({ length: 1 + int(2) }, (): TripChange => {
    const at = run.fixes[int(run.fixes.length)]!.time + (int(3) - 1) * (int(2) === 0 ? 0 : 15_000);
    return { type: 'handOver', at, unitId: UNITS[int(UNITS.length)]! };
  });
  const others = int(2) === 0 ? [] : randomChanges(run, random);
  return [...others, ...handOvers].sort((a, b) => a.at - b.at);
}

/** Up to two changes between the first and the last fix of a run, in order of `at`. */
export function randomChanges({ trip, date, fixes }: RandomRun, random: () => number): TripChange[] {
  const int = (count: number): number => Math.floor(random() * count);
  if (fixes.length === 0) return [];
  const times = Array.from({ length: 1 + int(2) }, () => {
    const { time } = fixes[int(fixes.length)]!;
    return time + int(3) * 40_000 - 20_000;
  }).sort((a, b) => a - b);
  const changes: TripChange[] = [];
  let own = trip;
  for (const at of times) {
    const kind = int(10);
    if (kind === 0) changes.push({ type: 'cancel', at });
    else if (kind < 3) changes.push({ type: 'excuse', pointIndex: int(own.points.length), at });
    else {
      const amended = amendedTrip(own, date, random);
      changes.push({ type: 'amend', at, ...amended });
      own = amended.trip;
    }
  }
  return changes;
}

/** Another plan of the day, and which of the old points its points are. */
export function amendedTrip(
  trip: Trip,
  date: string,
  random: () => number,
): { readonly trip: Trip; readonly from: readonly (number | null)[] } {
  const int = (count: number): number => Math.floor(random() * count);
  const rows = trip.points.map((point, i): { point: TripPoint; from: number | null } => ({ point, from: i }));
  for (let k = 1 + int(2); k > 0; k--) {
    const i = int(rows.length);
    const row = rows[i]!;
    switch (int(6)) {
      case 0:
        if (rows.length > 1) rows.splice(i, 1);
        break;
      case 1: {
        const other = rows[int(rows.length)]!.point;
        const point = int(2) === 0 ? moved(other, 1500 + int(3000)) : other;
        rows.splice(int(rows.length + 1), 0, { point: { ...point, name: `N${i}` }, from: null });
        break;
      }
      case 2:
        rows.splice(i, 1);
        rows.splice(int(rows.length + 1), 0, row);
        break;
      case 3:
        rows[i] = { ...row, point: moved(row.point, int(4) * 90) };
        break;
      case 4:
        rows[i] = { ...row, point: { ...row.point, width: (row.point.width ?? 100) + int(3) * 60 - 40 } };
        break;
      default:
        rows[i] = { ...row, point: { ...row.point, arrival: laterBy(row.point.arrival, 5 * int(12)) } };
    }
  }
  const points = rows.map(({ point }) => point);
  const isTimed = points[0]!.arrival != null || points[0]!.departure != null;
  const isByTime = trip.activation_type?.key === 'time_of_first_point';
  const activation =
    isByTime && !isTimed ? { key: 'entrance_to_first_point' as const } : trip.activation_type;
  return {
    trip: { ...trip, dates: [date], points, activation_type: activation } as Trip,
    from: rows.map(({ from }) => from),
  };
}

function moved(point: TripPoint, meters: number): TripPoint {
  const [lon, lat] = point.geometry![0]!;
  return {
    ...point,
    geometry: [[lon + meters / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180)), lat]],
  };
}

function laterBy(time: TripPoint['arrival'], minutes: number): NonNullable<TripPoint['arrival']> {
  if (time == null) return { time: '09:30', deviation_minutes: 10 };
  const [hours, rest] = time.time.split(':').map(Number) as [number, number];
  const all = Math.min(23 * 60 + 59, hours * 60 + rest + minutes);
  const text = [Math.floor(all / 60), all % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return { ...time, time: text };
}
