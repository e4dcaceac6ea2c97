/**
 * The movement at an earlier fix, to which it may return. It shares the rows of the ring as long as none of them is overwritten: a copy of all at
 * each place would cost more than all else.
 */

import { type FixRing, rowOf, WIDTH } from '../stays/stayState.js';
import type { Movement } from './movementMachine.js';
import type { WayState } from './wayState.js';

/** Plain JSON. */
export interface MovementAtPlace extends Omit<Movement, 'ring'> {
  readonly ring: Omit<FixRing, 'recent'>;
  /** The entries of the ring; `null`: they are still in that of the unit. */
  rows: number[] | null;
  /** The stops of the way, whose list is shared with that of the unit: later ones follow them. */
  readonly stopCount: number;
}

/** Entries that one fix may add: itself, and the one before. */
const MOST_ADDED = 2;

/** The movement as it is. */
export function movementNow({ ring, parkings, stops, way }: Movement): MovementAtPlace {
  const { last, mask, oldest, newest, slot, isWaiting } = ring;
  return {
    ring: { last: last.slice(), mask, oldest, newest, slot, isWaiting },
    rows: null,
    parkings: { ...parkings },
    stops: { ...stops },
    way: copyOfWay(way),
    stopCount: way.stops.length,
  };
}

/** Copies the rows before the next fix may overwrite one. To be called before each fix. */
export function keepRows(saved: MovementAtPlace, ring: FixRing): void {
  if (saved.rows !== null) return;
  const { oldest, newest } = saved.ring;
  const added = ring.newest + MOST_ADDED;
  if (added - Math.min(oldest, ring.oldest) > ring.mask) saved.rows = rowsBetween(ring, oldest, newest);
}

/** The saved movement, which must not be used any more. `ring`: that of the unit. */
export function movementAt(
  { ring: saved, rows, parkings, stops, way, stopCount }: MovementAtPlace,
  ring: FixRing,
): Movement {
  const recent = rows === null ? ring.recent : new Array<number>((saved.mask + 1) * WIDTH).fill(0.5).fill(0);
  const restored: FixRing = { ...saved, recent };
  if (rows !== null)
    for (let entry = saved.oldest; entry <= saved.newest; entry++) {
      const [from, to] = [(entry - saved.oldest) * WIDTH, rowOf(restored, entry)];
      for (let k = 0; k < WIDTH; k++) recent[to + k] = rows[from + k]!;
    }
  return { ring: restored, parkings, stops, way: { ...way, stops: way.stops.slice(0, stopCount) } };
}

function rowsBetween(ring: FixRing, from: number, to: number): number[] {
  const rows: number[] = [];
  for (let entry = from; entry <= to; entry++) {
    const row = rowOf(ring, entry);
    for (let k = 0; k < WIDTH; k++) rows.push(ring.recent[row + k]!);
  }
  return rows;
}

/** Marks are never changed, and stops are only added to their list, so that copies share them. */
function copyOfWay(way: WayState): WayState {
  const { parking, piece, stopped, stop, ahead, counts } = way;
  return {
    ...way,
    parking: parking && { ...parking },
    piece: piece && { ...piece },
    stopped: { ...stopped },
    stop: stop && { ...stop },
    ahead: ahead && { ...ahead },
    counts: { ...counts },
  };
}
