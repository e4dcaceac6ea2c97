/** Turns the flags of a command into options of `evaluateTrip`. */

import { distanceMeters } from '../../geodesy/distanceMeters.js';
import type { Predict, TripOptions } from '../../trips/index.js';
import { type VisitFlags, visitOptions, type ZoneFlags, zoneOptions } from './options.js';
import type { TripFlags } from './tripFlags.js';

/** The options of `evaluateTrip` from the flags; the caller checks that `--time-zone` was given. */
export function tripOptions(flags: TripFlags & ZoneFlags & VisitFlags, timeZone: string): TripOptions {
  const { now, maxDeviation, predictSpeed } = flags;
  return {
    ...zoneOptions(flags),
    ...visitOptions(flags),
    timeZone,
    policy: flags.policy,
    finishOn: flags.finishOn,
    minStaySeconds: flags.minStay,
    defaultDeviationMinutes: flags.defaultDeviation,
    allowSharedVisit: flags.sharedVisits === true,
    ...(now === undefined ? {} : { now }),
    ...(predictSpeed === undefined ? {} : { predict: predictStraight(predictSpeed) }),
    ...(maxDeviation === undefined ? {} : { maxDeviationSeconds: maxDeviation }),
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
