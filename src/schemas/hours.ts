/** Schema of opening hours. */

import { LocalDate, resultSchema } from './visitFields.js';
import { array, integer, object, optional, string, type WireSchema } from './wireSchema.js';

const From = string({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });
const To = string({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' });
const Ranges = array(object({ from: From, to: To }));

/**
 * Opening hours as `prepareHours` reads them: `Hours` of `wayzone/hours`. `prepareHours` also refuses unknown fields, dates that do not exist or
 * occur twice, and `validFrom` after `validTo`. The TypeScript type is any object, as in `MeasureSchema`.
 */
export const HoursSchema: WireSchema<object> = resultSchema({
  weekly: optional(
    array(object({ days: array(integer({ minimum: 1, maximum: 7 }), { minItems: 1 }), from: From, to: To })),
  ),
  holidayHours: optional(Ranges),
  dates: optional(array(object({ date: LocalDate, hours: Ranges }))),
  validFrom: optional(LocalDate),
  validTo: optional(LocalDate),
});
