/** The batch's trips, parkings and stops in the form in which the stream's events tell them. */

import type { MovementItem, MovementReport } from 'wayzone/tracks';
import type { ToldMovement } from '../src/stream/streamEvent.js';

/** `tripdetector_minmovespeed` of all units of the tests. */
const MOVING_KPH = 3;

/**
 * By beginning. What lasts at the end of the track is only begun for the stream: of the last trip or parking no more is expected, if `told`
 * has no end of it. `lastTime`: the track's last fix. A rest that ends with a movement too short for a trip so far is a parking of the
 * batch if both together last long enough; the stream cannot know yet.
 */
export function batchMovement(
  { trips, parkings, stops }: MovementReport,
  told: readonly ToldMovement[],
  lastTime: number,
): ToldMovement[] {
  const last = Math.max(...[...trips, ...parkings].map(({ from }) => from));
  const known = new Map(told.map((one) => [`${one.kind} ${one.from}`, one]));
  const itemsOf = (kind: ToldMovement['kind'], items: readonly MovementItem[]): ToldMovement[] =>
    items.flatMap((item): ToldMovement[] => {
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
