import { at, type Reasons } from './reasons.js';

export const TRIPS: Reasons = {
  'a first guess, the order or the amount of the work, not its result': [
    ...at('trips/localTime', ['if (span === undefined) {', /^true$/]),
    ...at('trips/sightings', ['if (low === track.length) return track;', /^false$/]),
    ...at('trips/assignStrict', ['if (isOneZone) {', /^false$/]),
  ],
  'stays, steps or stretches of no length add nothing': [
    ...at('trips/sightings', ['if (b.time > from && a.time < to && !isGap(a, b, rules)) sum +=', /=/]),
  ],
  'a case that the checks before it leave out': [
    ...at('trips/activation', ['return time === null ? null :', /^false$/]),
  ],
};
