/** Schema of the plain parts of a `RouteMatch`. */

import { Count, NonNegative, resultSchema, Time } from './visitFields.js';
import { array, number, object, oneOf, type WireSchema } from './wireSchema.js';

/**
 * The result of `RouteTracker.report()`, and of `matchRoute` without `along`: `RouteReport` of `wayzone/tracks`. The TypeScript type is any
 * object, as in `MeasureSchema`.
 */
export const RouteReportSchema: WireSchema<object> = resultSchema({
  legs: array(
    object({
      from: Time,
      to: Time,
      fromMeters: NonNegative,
      toMeters: NonNegative,
      direction: oneOf(['forward', 'backward']),
    }),
  ),
  parts: array(
    object({
      fromMeters: NonNegative,
      toMeters: NonNegative,
      status: oneOf(['covered', 'no_data', 'missed', 'ahead']),
      passes: Count,
    }),
  ),
  deviations: array(object({ from: Time, to: Time, maxMeters: NonNegative })),
  coveredShare: number({ minimum: 0, maximum: 1 }),
});
