/** Trips, parkings and stops of `detectTrips`, in the form of the stream's events. */

import type { DescribedMovement } from 'wayzone/operator';
import type { MovementItem, MovementReport } from 'wayzone/tracks';

/** `tripdetector_minmovespeed` of all units of the tests. */
const MOVING_KPH = 3;

/**
 * The items sorted by their beginning. `lastTime`: time of the track's last fix. An item that is open at the end of the track has only a `begin`
 * event on the stream, so the last trip or parking is compared without its end if `emitted` has none. If the track ends with a rest and a movement
 * that is too short for a trip, the batch may count both as one parking; the stream cannot do so yet.
 */
export function batchMovement(
  { trips, parkings, stops }: MovementReport,
  emitted: readonly DescribedMovement[],
  lastTime: number,
): DescribedMovement[] {
  const last = Math.max(...[...trips, ...parkings].map(({ from }) => from));
  const known = new Map(emitted.map((one) => [`${one.kind} ${one.from}`, one]));
  const itemsOf = (kind: DescribedMovement['kind'], items: readonly MovementItem[]): DescribedMovement[] =>
    items.flatMap((item): DescribedMovement[] => {
      const { from, to, start, maxSpeedKph } = item;
      const own = known.get(`${kind} ${from}`);
      if (kind === 'parking' && own === undefined && to === lastTime && maxSpeedKph! >= MOVING_KPH) return [];
      const isOpen = from === last && kind !== 'stop' && own?.to === null;
      return [isOpen ? { kind, from, start, to: null } : { kind, ...item }];
    });
  return [...itemsOf('trip', trips), ...itemsOf('parking', parkings), ...itemsOf('stop', stops)].sort(
    (a, b) => a.from - b.from || (a.kind < b.kind ? -1 : 1),
  );
}
