/** Schema of the plain parts of a `RouteMatch`. */

import { Count, NonNegative, rowsOf, Time, words } from './visitFields.js';
import { number, object, published, schemaOf, type WireSchema } from './wireSchema.js';

/**
 * What `RouteTracker.report()` returns, and `matchRoute` beside `along`: `RouteReport` of `wayzone/tracks`. The TypeScript type is any object, as
 * that of `MeasureSchema`.
 */
export const RouteReportSchema: WireSchema<object> = published(
  schemaOf<object>(
    object({
      legs: rowsOf({
        from: Time,
        to: Time,
        fromMeters: NonNegative,
        toMeters: NonNegative,
        direction: words('forward', 'backward'),
      }),
      parts: rowsOf({
        fromMeters: NonNegative,
        toMeters: NonNegative,
        status: words('covered', 'no_data', 'missed', 'ahead'),
        passes: Count,
      }),
      deviations: rowsOf({ from: Time, to: Time, maxMeters: NonNegative }),
      coveredShare: number({ minimum: 0, maximum: 1 }),
    }),
  ),
);
