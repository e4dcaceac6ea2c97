/** Subpath `wayzone/hours`: opening hours of zones as spans of time, and visits cut by them. */

export type { Issue } from '../core/fix.js';
export type { HoursOf, Span, ZoneHours } from '../core/zoneHours.js';
export { fromOpeningHours, type ReadOpeningHours } from './fromOpeningHours.js';
export {
  type HoursOptions,
  prepareHours,
  type SplitByHoursOptions,
  splitByHours,
  type VisitPart,
  type VisitSpan,
} from './prepareHours.js';
export type { DateHours, HourRange, Hours, WeeklyRange, YearHolidays } from './readHours.js';
