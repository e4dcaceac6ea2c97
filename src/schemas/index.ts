/** Subpath `wayzone/schemas`: the wire's shapes as JSON Schema, their validators, and the dictionaries. */

export type {
  ExportRequest,
  FilterAnswer,
  FilterCondition,
  FilterQuery,
  GroupListQuery,
  LineToPolygonAnswer,
  LineToPolygonRequest,
  MapFeature,
  MapFeatureCollection,
  MapGeometry,
  ReferenceList,
  RoutingAnswer,
  RoutingColumn,
  RoutingRow,
  RoutingStyle,
} from '../core/answers.js';
export {
  ACTIVATION_TYPES,
  COLORS,
  CUSTOM_FIELD_GROUPS,
  DICTIONARY_TYPES,
  type Dictionary,
  type DictionaryOptions,
  dictionaryEntry,
  FORMULAS,
  type FullEntry,
  GEOZONE_TYPES,
  ICONS,
  PASSAGE_ORDER_TYPES,
} from '../core/dictionaries.js';
export type { EntryKind } from '../core/entryFields.js';
export type { Fix } from '../core/fix.js';
export { formatPlatformTime, type PlatformTimeOptions, parsePlatformTime } from '../core/localClock.js';
export type {
  CustomFieldDefinition,
  CustomFieldGroup,
  CustomFieldValue,
  GradationStyle,
  MileageKind,
  MonitoringSensorSetting,
  TrackGradation,
  TripDetectorFields,
  TripDetectorSettings,
} from '../core/trackSettings.js';
export type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripInput,
  TripPoint,
  TripPointTime,
} from '../core/trip.js';
export type { CustomGeozoneType, GeozoneGroupInput, GeozoneInput, Photo, RouteInput } from '../core/wire.js';
export {
  ExportRequestSchema,
  FilterQuerySchema,
  filterAnswerSchema,
  GroupListQuerySchema,
  GroupListSchema,
  LineToPolygonAnswerSchema,
  LineToPolygonRequestSchema,
  MapFeatureCollectionSchema,
  RoutingAnswerSchema,
  WireErrorSchema,
} from './answers.js';
export {
  CustomFieldDefinitionSchema,
  CustomFieldValuesSchema,
  type ListCustomFieldsOptions,
  listCustomFields,
} from './customFields.js';
export { type EntryLabels, entryFiller, entryLabels, keepKeys, listDictionaries } from './entryFiller.js';
export {
  HoursSchema,
  MeasuredVisitSchema,
  MeasureSchema,
  MeetingSchema,
  RideSchema,
  RouteReportSchema,
  SpeedingSchema,
  StaySchema,
  ZoneRunSchema,
  ZoneSuggestionSchema,
  ZoneSumSchema,
} from './trackResults.js';
export {
  MonitoringSensorsSettingsSchema,
  TrackGradationSchema,
  TripDetectorSettingsSchema,
  validateMonitoringSensorsSettings,
  validateTrackGradation,
} from './trackSettings.js';
export { TripInputSchema, TripReportSchema, TripSchema } from './trip.js';
export { UnitMessageSchema, UnitOutputSchema, UnitStateSchema } from './unitOutput.js';
export { FixSchema, validateFix } from './validateFix.js';
export {
  CustomGeozoneTypeSchema,
  GeozoneGroupInputSchema,
  GeozoneGroupSchema,
  GeozoneInputSchema,
  GeozoneSchema,
  type ValidatedGeozones,
  type ValidateGeozonesOptions,
  validateCustomGeozoneType,
  validateGeozone,
  validateGeozoneGroup,
  validateGeozones,
} from './validateGeozone.js';
export type { Validated, ValidateOptions } from './validateOptions.js';
export { RouteInputSchema, RouteSchema, validateRoute } from './validateRoute.js';
export { validateTrip } from './validateTrip.js';
export {
  type UnitSettingsOptions,
  validateCustomFieldDefinition,
  validateUnitSettings,
} from './validateUnitSettings.js';
export type { WireSchema } from './wireSchema.js';
