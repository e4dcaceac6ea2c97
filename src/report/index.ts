/** The report: a page, a table of visits and a summary, made of plain data. */

export type { FileIssue, ReportInput, ReportSource, ReportUnit, ReportVisit, ReportZone } from './model.js';
export { type LeafletSource, reportPage } from './page.js';
export { type IssueSummary, type Summary, summarize, summarizeIssues } from './summary.js';
export { isoTime, type VisitRow, visitsTable } from './visitsTable.js';
