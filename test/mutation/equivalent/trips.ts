import { at, type Reasons } from './reasons.js';

export const TRIPS: Reasons = {
  'changes the first guess, the order or the amount of work, but not the result': [
    ...at(
      'core/localClock',
      ['if (span === undefined) {', /^true$/],
      ['if (spans.size >= MAX_SPANS) spans.clear();', /./],
      ['if (early === late || offset(first)', /^false$/],
      ['if (before === after) return', /^false$/],
      // Since 1900 no time zone has changed its offset twice within six days.
      ['const SPAN = DAY_MS / 2;', /DAY_MS \* 2/],
    ),
    ...at(
      'trips/seen/readObservations',
      // Of points with the same zone only the first looks it up.
      ['zonesOf(trip, options).filter(', /^zonesOf\(trip, options\)$|^true$/],
    ),
    ...at('trips/seen/stepKind', [
      'return farthest(a, b) >= maxCrossedMeters &&',
      /^true$|farthest\(a, b\) > /,
    ]),
    ...at(
      'trips/assign/matchEarliest',
      ['for (let row = 0; row < rows; row++) matching.settle(row);', /row <= rows/],
      ['for (let column = 0; column < current; column++) {', /column <= /],
      ['for (let next = 0; next < this.#columns; next++) {', /next <= /],
      ['if (seen.has(holder)) continue;', /^false$/],
      ['const via = new Map<number, number>([[target, NONE]]);', /./],
      ['this.columnOf = new Array<number>(rows).fill(NONE);', /new Array\(\)/],
    ),
  ],
  'differs only at a tie, where both are equal or which never occurs': [
    ...at(
      'trips/assign/matchEarliest',
      ['if (a.off !== b.off) return', /<=/],
      ['if (arrivalA !== arrivalB) return', /<=/],
      ['return false;', /^true$/],
    ),
    ...at(
      'trips/assign/matchEarliest',
      ['if (holder !== NONE && holder < row) continue;', /holder <= row/],
      ['if (next !== goal && this.#rowOf[next]! !== NONE', /< row/],
    ),
  ],
  'a field whose name no array has, which is never read': [
    ...at(
      'trips/assign/matchEarliest',
      ['const reached: number[] = [];', /Stryker/],
      ['if (holder !== NONE) this.columnOf', /^true$/],
    ),
  ],
  'stays, steps and stretches of length 0 add nothing': [
    ...at('trips/seen/stepKind', ['if (start >= end) return 0;', /start > end/]),
  ],
  'only the last bits of a distance change': [
    ...at('trips/seen/stepKind', ['if (time === b.time) return', /^false$/]),
  ],
  'a case that earlier checks exclude': [
    ...at('trips/seen/readVisits', ['if (visit === null || zone === undefined) throw', /^false$/]),
    ...at('trips/follow/tripEvents', ['if (is !== null) revised.add(is);', /^true$/]),
    ...at('trips/seen/readObservations'),
    ...at(
      'trips/follow/tripTracker',
      // No field of an error ends like this.
      ['if (!(error instanceof WayzoneError) ||', /^\/\(options/],
    ),
    ...at('trips/assign/matchEarliest', ['for (let step: Way | null = way;', /step\.offer;?$/]),
    ...at('trips/plan/planTrip', ['time === null || seconds === null ?', /&&|^false$/]),
    // Other engines omit the offset for UTC; an empty text also gives 0.
    ...at(
      'core/localClock',
      ['if (match === null) return 0;', /^false$/],
      ['const [, sign, hours, minutes,', /^""$/],
    ),
  ],
};
