import { at, type Reasons } from './reasons.js';

export const TRIPS: Reasons = {
  'a first guess, the order or the amount of the work, not its result': [
    ...at(
      'core/localClock',
      ['if (span === undefined) {', /^true$/],
      ['if (spans.size >= MAX_SPANS) spans.clear();', /./],
      ['if (early === late || offset(first)', /^false$/],
      ['if (before === after) return', /^false$/],
      // No zone has changed its clocks twice within six days since 1900.
      ['const SPAN = DAY / 2;', /DAY \* 2/],
    ),
    ...at(
      'trips/readObservations',
      // Zones that are there twice are asked for by the first of their points alone.
      ['tripZones(trip, options).filter(', /^tripZones\(trip, options\)$|^true$/],
      // What visits do not ask for.
    ),
    ...at(
      'trips/tripJournal',
      ['unit.around ??=', /&&=/],
      // Places before and after the window are in no distance.
    ),
    ...at(
      'trips/stepKind',
      ['return farthest(a, b) > maxGapMeters &&', /^true$|farthest\(a, b\) >=/],
      ['return farthest(a, b) >= maxCrossedMeters &&', /^true$|farthest\(a, b\) > /],
    ),
    ...at(
      'trips/assignStrict',
      // What ends at an instant is looked at in order of its end: there the row is still that of the next instant.
    ),
    ...at(
      'trips/matchEarliest',
      // Which of the columns of their own the rows without one have is not told.
      ['return column - real === row ? without', /^true$/],
      ['for (let row = 0; row < rows; row++) matching.settle(row);', /row <= rows/],
      ['for (let column = 0; column < this.#columns; column++) {', /column <= /],
      ['for (let column = 0; column < current; column++) {', /column <= /],
      ['for (let next = 0; next < this.#columns; next++) {', /next <= /],
      ['if (length < distance[column]!) {', /<=/],
      ['if (next === NONE || distance[column]! < distance[next]!)', /<=/],
      ['if (seen.has(holder)) continue;', /^false$/],
      ['const via = new Map<number, number>([[target, NONE]]);', /./],
      ['this.columnOf = new Array<number>(rows).fill(NONE);', /new Array\(\)/],
    ),
  ],
  'nothing at a tie: the two are the same there, or are not equal there': [
    ...at('trips/assignStrict'),
    ...at(
      'trips/assignShared',
      ['if (a.off !== b.off) return', /<=/],
      ['if (arrivalA !== arrivalB) return', /<=/],
      ['return false;', /^true$/],
    ),
    ...at(
      'trips/matchEarliest',
      ['if (holder !== NONE && holder < row) continue;', /holder <= row/],
      ['if (next !== goal && this.#rowOf[next]! !== NONE', /< row/],
    ),
  ],
  'a field with a name that no array has, which nobody reads': [
    ...at(
      'trips/matchEarliest',
      ['const reached: number[] = [];', /Stryker/],
      ['if (holder !== NONE) this.#rowPotential', /^true$/],
      ['if (holder !== NONE) this.columnOf', /^true$/],
    ),
  ],
  'stays, steps or stretches of no length add nothing': [
    ...at('trips/stepKind', ['if (start >= end) return 0;', /start > end/]),
    ...at(
      'trips/tripTracker',
      ['place.time > from &&', /^true$|>=/],
      ['last.time < to &&', /^true$|<=/],
      // The distance is measured, and not looked at.
      ['const { events } = this.#evaluate(false);', /^true$/],
    ),
  ],
  'a text among objects: it has none of their fields, and stays where it is': [
    ...at('trips/tripStay', ['const counting: TripStay[] = [];', /Stryker/]),
  ],
  'a distance in its last bits alone': [...at('trips/stepKind', ['if (time === b.time) return', /^false$/])],
  'a case that the checks before it leave out': [
    // A time and its tolerance, and a planned arrival or departure and its bounds, are null together.
    ...at('trips/reportPoints'),
    ...at('trips/serving'),
    ...at('trips/readVisits', ['if (visit === null || zone === undefined) throw', /^false$/]),
    ...at('trips/reviseEvents', ['if (is !== null) revised.add(is);', /^true$/]),
    ...at('trips/readObservations'),
    // The visits of a journal have ended.
    ...at('trips/tripSnapshot'),
    ...at(
      'trips/tripTracker',
      // No error has a field that ends so.
      ['if (!(error instanceof WayzoneError) ||', /^\/\(options/],
    ),
    ...at('trips/assignShared', ['for (let step: Way | null = way;', /step\.offer;?$/]),
    ...at('trips/planTrip', ['time === null || seconds === null ?', /&&|^false$/]),
    // Another engine says no offset for UTC; a text of none is 0 too.
    ...at(
      'core/localClock',
      ['if (match === null) return 0;', /^false$/],
      ['const [, sign, hours, minutes,', /^""$/],
    ),
  ],
};
