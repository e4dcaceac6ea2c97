/** Subpath `wayzone/listing`: which rows the endpoints answer with. */

export type { LanguageOptions } from './collator.js';
export type { FilterAnswer } from './filterRows.js';
export { filterGeozones, filterRoutes, filterTrips } from './filters.js';
export { type GroupOptions, type ListedGroup, listGroups } from './listGroups.js';
export type { FilterCondition, FilterQuery } from './listQuery.js';
export { listWorkTypes, type WorkTypesRow } from './listWorkTypes.js';
export type { IdList, ListRow } from './readIds.js';
export { selectByIds } from './selectByIds.js';
export { type ExportRequest, selectForExport } from './selectForExport.js';
