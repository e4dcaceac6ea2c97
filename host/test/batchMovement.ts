/** Trips, parkings, stops and unknown times of `detectTrips`, in the form of the stream's events. */

import type { DescribedMovement } from 'wayzone/operator';
import type { MovementReport } from 'wayzone/tracks';

/**
 * The items sorted by their beginning. What the stream has begun and not ended is without its end. What follows the last item that it began is not known to
 * it yet.
 */
export function batchMovement(
  { trips, parkings, stops, unknown }: MovementReport,
  emitted: readonly DescribedMovement[],
): DescribedMovement[] {
  const known = new Map(emitted.map((one) => [`${one.kind} ${one.from}`, one]));
  const last = Math.max(...emitted.map(({ kind, from }) => (kind === 'stop' ? 0 : from)));
  return [
    ...trips.map((item) => ({ kind: 'trip' as const, ...item })),
    ...parkings.map((item) => ({ kind: 'parking' as const, ...item })),
    ...stops.map((item) => ({ kind: 'stop' as const, ...item })),
    ...unknown.map((item) => ({ kind: 'unknown' as const, ...item })),
  ]
    .flatMap((item): DescribedMovement[] => {
      const { kind, from, start } = item;
      const own = known.get(`${kind} ${from}`);
      if (own === undefined && from >= last) return [];
      return [own?.to === null ? { kind, from, start, to: null } : item];
    })
    .sort((a, b) => a.from - b.from || (a.kind < b.kind ? -1 : 1));
}
