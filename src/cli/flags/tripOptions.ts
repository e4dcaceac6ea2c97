/** Turns the flags of a command into options of `evaluateTrip`. */

import { distanceMeters } from '../../geodesy/distanceMeters.js';
import type { Predict, TripOptions } from '../../trips/index.js';
import { type FixFlags, type VisitFlags, visitOptions, type ZoneFlags, zoneOptions } from './options.js';
import { TRIP_NUMBERS, type TripFlags } from './tripFlags.js';

/** The options of `evaluateTrip` from the flags; the caller checks that `--time-zone` was given. */
export function tripOptions(
  flags: TripFlags & ZoneFlags & VisitFlags & Pick<FixFlags, 'frozenSpeed'>,
  timeZone: string,
): TripOptions {
  const { now, maxDeviation, predictSpeed } = flags;
  return {
    ...zoneOptions(flags),
    ...visitOptions(flags),
    timeZone,
    frozenSpeedKph: flags.frozenSpeed,
    policy: flags.policy,
    finishOn: flags.finishOn,
    minStaySeconds: flags.minStay,
    defaultDeviationMinutes: flags.defaultDeviation,
    allowSharedVisit: flags.sharedVisits === true,
    ...(now === undefined ? {} : { now }),
    ...(predictSpeed === undefined ? {} : { predict: predictStraight(predictSpeed) }),
    ...(flags.ignoreCrossed === true ? { acceptCrossed: false } : {}),
    ...numbersOf(flags),
    ...(maxDeviation === undefined ? {} : { maxDeviationSeconds: maxDeviation }),
  };
}

/** The options of the flags that hold one number. */
function numbersOf(flags: TripFlags): Partial<TripOptions> {
  return Object.fromEntries(
    TRIP_NUMBERS.flatMap(([flag, option]) => {
      const value = flags[flag];
      return value === undefined ? [] : [[option, value]];
    }),
  );
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
