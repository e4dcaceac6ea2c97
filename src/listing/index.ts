/** Subpath `wayzone/listing`: which rows the endpoints answer with. */

export { listWorkTypes, type WorkTypesOptions, type WorkTypesRow } from './listWorkTypes.js';
export type { IdList, ListRow } from './readIds.js';
export { selectByIds } from './selectByIds.js';
export { type ExportRequest, selectForExport } from './selectForExport.js';
