/** A piece of a way between two cuts, which becomes a trip once it is long enough. */

import type { MovementRules } from '../movementRules.js';
import type { Ruler } from '../stays/ruler.js';
import {
  CHANGED_AT,
  CHANGES,
  LAT,
  LON,
  MICROMETERS,
  TIME,
  WAY_KPH,
  WIDTH,
  WITNESS,
} from '../stays/stayState.js';

/** The numbers of one entry of a search for stays. */
export type Mark = readonly number[];

/** Plain JSON. */
export interface Piece {
  first: Mark;
  /** When its last entry was. */
  lastTime: number;
  /** The first of the entries at its end that rest at one place. */
  rest: Mark | null;
  /** Whether all entries so far rest where the first one, at `startTime`, does: `first` then follows. */
  isLeading: boolean;
  readonly startTime: number;
  /** Whether a fix was `minTripMeters` from the first. */
  isFar: boolean;
  maxKph: number;
  /** Of the first change of the odometer: micrometers counted, and by position. */
  changed: readonly [counted: number, at: number] | null;
}

export function markAt(recent: readonly number[], row: number): number[] {
  return recent.slice(row, row + WIDTH);
}

/** `mayLead`: whether rest at its begin is left out. */
export function pieceFrom(mark: Mark, mayLead: boolean): Piece {
  return {
    first: mark,
    lastTime: mark[TIME]!,
    rest: mark[WITNESS]! > 0 ? mark : null,
    isLeading: mayLead && mark[WITNESS]! > 0,
    startTime: mark[TIME]!,
    isFar: false,
    maxKph: -1,
    changed: null,
  };
}

/** Adds an entry. */
export function growPiece(
  piece: Piece,
  recent: readonly number[],
  row: number,
  rules: MovementRules,
  ruler: Ruler,
): void {
  piece.lastTime = recent[row + TIME]!;
  if (recent[row + WITNESS]! <= 0) piece.rest = null;
  else if (piece.rest === null || metersTo(piece.rest, recent, row, ruler) > rules.stayMeters)
    piece.rest = markAt(recent, row);
  if (piece.isLeading) {
    if (piece.rest?.[TIME] === piece.startTime) {
      piece.first = markAt(recent, row);
      return;
    }
    piece.isLeading = false;
  }
  if (recent[row + WAY_KPH]! > piece.maxKph) piece.maxKph = recent[row + WAY_KPH]!;
  if (!piece.isFar) piece.isFar = metersTo(piece.first, recent, row, ruler) >= rules.minTripMeters;
  if (piece.changed === null && recent[row + CHANGES]! > piece.first[CHANGES]!)
    piece.changed = [recent[row + MICROMETERS]!, recent[row + CHANGED_AT]!];
}

/** Whether the piece is a trip if no stay follows: the rest at its end is left out. */
export function isTrip({ first, isFar, rest, lastTime }: Piece, rules: MovementRules): boolean {
  return isFar && isLong((rest === null ? lastTime : rest[TIME]!) - first[TIME]!, rules);
}

/** Whether the piece is a trip if it ends at an entry. */
export function isTripUntil({ first, isFar }: Piece, end: Mark, rules: MovementRules): boolean {
  return isFar && isLong(end[TIME]! - first[TIME]!, rules);
}

/** Every trip lasts some time, even if the settings allow 0. */
function isLong(milliseconds: number, { minTripMs }: MovementRules): boolean {
  return milliseconds > 0 && milliseconds >= minTripMs;
}

function metersTo(mark: Mark, recent: readonly number[], row: number, ruler: Ruler): number {
  return ruler.meters(mark[LON]!, mark[LAT]!, recent[row + LON]!, recent[row + LAT]!);
}
