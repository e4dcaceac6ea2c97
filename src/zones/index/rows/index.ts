/** Rows: reading them into the columns, keeping the fields that must be stored besides, and finding them by ordinal and id. */

export type { PlainShape } from './retainedRow.js';
export { RowIntake, readRowId } from './rowIntake.js';
export { RowTable, type SavedRows } from './rowTable.js';
