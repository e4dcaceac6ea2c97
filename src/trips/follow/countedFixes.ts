/** The fixes that count for a run, from the tracks of the units in charge (T50). */

import type { Track } from '../../core/fix.js';
import { firstWhere } from '../../core/numbers.js';
import { blindStep, blindWord, SEEN } from '../../tracks/blindStep.js';
import type { CleanFix } from '../../tracks/fixReader.js';
import { fixAt } from '../seen/readObservations.js';
import type { Next } from '../seen/stepKind.js';
import type { TripHandedOver } from '../terms/handOversOf.js';
import { noNext } from './applyFix.js';

/** A fix, and the entry of `Track.blind` of the step to it. */
export interface CountedFix {
  readonly fix: CleanFix;
  readonly blind: number;
}

/**
 * The fixes up to `now` in order of time, and what is known after the last one. `unitId`: the unit before all hand-overs, which are not after `now`.
 * No fix after `last` is looked at.
 */
export function countedFixes(
  trackOf: (unitId: string | null) => Track | null,
  unitId: string | null,
  handOvers: readonly TripHandedOver[],
  now: number,
  last: number,
): { readonly fixes: Iterable<CountedFix>; readonly next: Next } {
  const parts = [{ at: Number.NEGATIVE_INFINITY, to: unitId }, ...handOvers].map(({ at, to }, i) => {
    const track = trackOf(to);
    const end = handOvers[i]?.at;
    const first = track === null ? 0 : firstWhere(0, track.length, (n) => track.time[n]! >= at);
    const isOver = (time: number): boolean => time > last || (end === undefined ? time > now : time >= end);
    const count = track === null ? 0 : firstWhere(first, track.length, (n) => isOver(track.time[n]!));
    return { track, first, count };
  });
  const { track, first, count } = parts.at(-1)!;
  // Before the first fix of another unit nothing is known of it.
  const isKnown = track !== null && (first < count || parts.length === 1);
  return { fixes: fixesOf(parts), next: isKnown ? nextAt(track, count, last) : noNext(null) };
}

interface Part {
  readonly track: Track | null;
  readonly first: number;
  readonly count: number;
}

function* fixesOf(parts: readonly Part[]): Generator<CountedFix> {
  for (const [k, { track, first, count }] of parts.entries())
    for (let i = first; i < count; i++) {
      // A blind step before the first fix of another unit says nothing about it.
      yield { fix: fixAt(track!, i), blind: k > 0 && i === first ? SEEN : blindStep(track!, i) };
    }
}

function nextAt(track: Track, count: number, last: number): Next {
  if (count === track.length) return noNext(track.blindAfter ?? null);
  if (track.time[count]! > last) return noNext(null);
  return { fix: fixAt(track, count), blind: blindWord(blindStep(track, count)) };
}
