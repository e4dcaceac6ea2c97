/** The report: a page, a table of visits and a summary, made of plain data. */

export { isoTime } from './isoTime.js';
export type { FileIssue, ReportInput, ReportSource, ReportUnit, ReportZone } from './model.js';
export { MOVEMENT_COLUMNS, type MovementRow, movementRows } from './movementTable.js';
export { reportPage } from './page.js';
export { DEFAULT_GRADATION } from './pageGrades.js';
export type { ShownTrip, TripPointShape } from './pageTrips.js';
export { reportWordsIn } from './reportWordsIn.js';
export type { RouteInput } from './routeInput.js';
export { routePage } from './routePage.js';
export { routeWords } from './routeWords.js';
export type { PageFiles } from './shell.js';
export { type IssueSummary, type Summary, summarize, summarizeIssues } from './summary.js';
export {
  type ReportTrip,
  TRIP_POINT_COLUMNS,
  TRIP_RUN_COLUMNS,
  tripNames,
  tripPointRows,
  tripRunRow,
} from './tripsTable.js';
export { type NamedZone, VISIT_COLUMNS, visitsTable } from './visitsTable.js';
