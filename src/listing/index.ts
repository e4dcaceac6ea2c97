/** Subpath `wayzone/listing`: selects the rows of list, id and export requests. */

export type {
  ExportRequest,
  FilterAnswer,
  FilterCondition,
  FilterQuery,
  ReferenceList,
} from '../core/answers.js';
export type { LanguageOptions } from './collatorOf.js';
export type { FilterOptions } from './filterRows.js';
export { filterGeozones, filterRoutes, filterTrips } from './filters.js';
export { type GroupOptions, type ListedGroup, listGroups } from './listGroups.js';
export { listWorkTypes, type WorkTypesRow } from './listWorkTypes.js';
export type { IdList, ListRow } from './readIds.js';
export { selectByIds } from './selectByIds.js';
export { selectForExport } from './selectForExport.js';
