/** Turns the flags of a command into options of `evaluateTrip`. */

import { distanceMeters } from '../../geodesy/distanceMeters.js';
import type { Predict, TripOptions } from '../../trips/index.js';
import { optionsOf } from './flagRows.js';
import { visitOptions, type ZoneFlags, zoneOptions } from './options.js';
import { TRIP_FLAGS, type TripFlags } from './tripFlags.js';

/** The options of `evaluateTrip` from the flags; the caller checks that `--time-zone` was given. */
export function tripOptions(flags: TripFlags & ZoneFlags, timeZone: string): TripOptions {
  const { predictSpeed } = flags;
  return {
    ...zoneOptions(flags),
    ...visitOptions(flags),
    ...optionsOf(flags, TRIP_FLAGS),
    ...(predictSpeed !== undefined && { predict: predictStraight(predictSpeed) }),
    timeZone,
  };
}

/** Predicts by geodesics at one speed: through the points in list order (`strict`) or straight to the point, without stays. */
function predictStraight(kph: number): Predict {
  return (from, point, _time, { passageOrder, points }) => {
    const places = passageOrder === 'strict' ? points.filter(({ index }) => index <= point.index) : [point];
    let [meters, last] = [0, from];
    for (const { position } of places) {
      meters += distanceMeters(last, position);
      last = position;
    }
    return (3.6 * meters) / kph;
  };
}
