/** The report: a page, a table of visits and a summary, made of plain data. */

export type { PageFiles } from './htmlPage.js';
export { MOVEMENT_COLUMNS, movementRows } from './mileageRows.js';
export type { ShownTrip, TripPointShape } from './pageTrip.js';
export type { FileIssue, ReportInput, ReportSource, ReportUnit, ReportZone } from './reportInput.js';
export { reportPage, routePage } from './reportPage.js';
export { reportWordsIn } from './reportWordsIn.js';
export { type RoutePageInput, routeWords } from './routeData.js';
export { type IssueSummary, type Summary, summarize } from './summary.js';
export { DEFAULT_GRADATION } from './trackLines.js';
export {
  type ReportTrip,
  TRIP_POINT_COLUMNS,
  TRIP_RUN_COLUMNS,
  tripNames,
  tripPointRows,
  tripRunRow,
} from './tripRunRow.js';
export { VISIT_COLUMNS, visitsTable } from './visitsTable.js';
