/** Splits stays that were joined over gaps if that serves more points. */

import { isBetter, type Scored } from './assignment.js';
import type { TripStay } from './tripStay.js';

/** Up to this many gaps, all ways to split are tried. With more gaps, they are tried one after the other. */
const MAX_GAPS = 5;

/** An assignment, and the stays that it uses. */
export interface Tried extends Scored {
  readonly stays: readonly TripStay[];
}

/** A gap at which a joined stay may be split: its index among the parts. */
interface Seam {
  readonly stay: TripStay;
  readonly place: number;
}

/**
 * The best assignment with unsplit stays, or the one that serves the most points with the fewest splits.
 * `assign` takes the stays in order of `enter`; `rejoin` makes one stay of parts, or returns `null` if the result does not count.
 */
export function assignSplit<Found extends Tried>(
  stays: readonly TripStay[],
  points: number,
  assign: (stays: readonly TripStay[]) => Found,
  rejoin: (parts: readonly TripStay[]) => TripStay | null,
): Found {
  const whole = assign(stays);
  if (whole.score.served === points) return whole;
  const seams = stays.flatMap((stay) => stay.parts.slice(1).map((_, k): Seam => ({ stay, place: k + 1 })));
  if (seams.length === 0) return whole;
  const splitAt = (chosen: readonly Seam[]): Found => assign(splitStays(stays, chosen, rejoin));
  return seams.length <= MAX_GAPS ? amongAll(whole, seams, splitAt) : oneByOne(whole, seams, splitAt);
}

function amongAll<Found extends Tried>(
  whole: Found,
  seams: readonly Seam[],
  splitAt: (chosen: readonly Seam[]) => Found,
): Found {
  let [best, fewest] = [whole, 0];
  for (let set = 1; set < 2 ** seams.length; set++) {
    const chosen = seams.filter((_, i) => (set >> i) & 1);
    const found = splitAt(chosen);
    const more = found.score.served - best.score.served;
    const isFewer = more === 0 && chosen.length < fewest;
    const isSame = more === 0 && chosen.length === fewest && fewest > 0 && isBetter(found, best);
    if (more > 0 || isFewer || isSame) [best, fewest] = [found, chosen.length];
  }
  return best;
}

function oneByOne<Found extends Tried>(
  whole: Found,
  seams: readonly Seam[],
  splitAt: (chosen: readonly Seam[]) => Found,
): Found {
  let best = whole;
  let chosen: readonly Seam[] = [];
  for (const seam of seams) {
    const found = splitAt([...chosen, seam]);
    if (found.score.served <= best.score.served) continue;
    best = found;
    chosen = [...chosen, seam];
  }
  return best;
}

function splitStays(
  stays: readonly TripStay[],
  chosen: readonly Seam[],
  rejoin: (parts: readonly TripStay[]) => TripStay | null,
): TripStay[] {
  const split = stays.flatMap((stay) => {
    const places = chosen.filter((seam) => seam.stay === stay).map(({ place }) => place);
    if (places.length === 0) return [stay];
    const cuts = [0, ...places, stay.parts.length];
    return places
      .concat(stay.parts.length)
      .flatMap((place, k) => rejoin(stay.parts.slice(cuts[k], place)) ?? []);
  });
  return split.sort((a, b) => a.enter - b.enter || a.zone - b.zone);
}
