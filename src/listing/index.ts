/** Subpath `wayzone/listing`: selects the rows of list, id and export requests. */

export type {
  ExportRequest,
  FilterAnswer,
  FilterCondition,
  FilterQuery,
  ReferenceList,
} from '../core/answers.js';
export { type FilterOptions, filterGeozones, filterRoutes, filterTrips } from './filterRows.js';
export {
  type GroupOptions,
  type ListedGroup,
  listGroups,
  listWorkTypes,
  type WorkTypesRow,
} from './listGroups.js';
export type { IdList, ListRow } from './readIds.js';
export { selectByIds, selectForExport } from './selectByIds.js';
export type { LanguageOptions } from './sortTexts.js';
