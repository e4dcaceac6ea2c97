/** Schema of the plain parts of a `RouteMatch`. */

import { Count, Quantity, rowsOf, Time, words } from './visitFields.js';
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
        fromMeters: Quantity,
        toMeters: Quantity,
        direction: words('forward', 'backward'),
      }),
      parts: rowsOf({
        fromMeters: Quantity,
        toMeters: Quantity,
        status: words('covered', 'no_data', 'missed', 'ahead'),
        passes: Count,
      }),
      deviations: rowsOf({ from: Time, to: Time, maxMeters: Quantity }),
      coveredShare: number({ minimum: 0, maximum: 1 }),
    }),
  ),
);
