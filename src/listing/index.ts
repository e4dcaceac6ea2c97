/** Subpath `wayzone/listing`: which rows the endpoints answer with. */

export type { FilterAnswer, FilterCondition, FilterQuery } from '../core/answers.js';
export type { LanguageOptions } from './collator.js';
export { filterGeozones, filterRoutes, filterTrips } from './filters.js';
export { type GroupOptions, type ListedGroup, listGroups } from './listGroups.js';
export { listWorkTypes, type WorkTypesRow } from './listWorkTypes.js';
export type { IdList, ListRow } from './readIds.js';
export { selectByIds } from './selectByIds.js';
export { type ExportRequest, selectForExport } from './selectForExport.js';
