/** Rows: reading them into the index, and finding them by ordinal and id. */

export type { PlainShape } from './retainedRow.js';
export { RowIntake, readRowId } from './rowIntake.js';
export { RowTable, type SavedRows } from './rowTable.js';
