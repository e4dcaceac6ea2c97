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
export type {
  CustomFieldDefinition,
  CustomFieldGroup,
  CustomFieldValue,
} from '../core/customField.js';
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
export { formatPlatformTime, type PlatformTimeOptions, parsePlatformTime } from '../core/platformTime.js';
export type {
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
export type {
  CustomGeozoneType,
  GeozoneGroupInput,
  GeozoneInput,
  Photo,
  RouteInput,
} from '../core/wire.js';
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
export { CustomFieldDefinitionSchema, CustomFieldValuesSchema } from './customField.js';
export { type EntryLabels, entryFiller, entryLabels, keepKeys } from './entryFiller.js';
export { HoursSchema } from './hours.js';
export { type ListCustomFieldsOptions, listCustomFields } from './listCustomFields.js';
export { listDictionaries } from './listDictionaries.js';
export {
  MeasuredVisitSchema,
  MeasureSchema,
  RideSchema,
  ZoneRunSchema,
  ZoneSumSchema,
} from './measure.js';
export { MeetingSchema } from './meeting.js';
export { RouteReportSchema } from './routeReport.js';
export { SpeedingSchema } from './speeding.js';
export { StaySchema, ZoneSuggestionSchema } from './stay.js';
export {
  MonitoringSensorsSettingsSchema,
  TrackGradationSchema,
  TripDetectorSettingsSchema,
} from './trackSettings.js';
export { TripInputSchema, TripSchema } from './trip.js';
export { TripReportSchema } from './tripReport.js';
export { UnitMessageSchema } from './unitMessage.js';
export { UnitOutputSchema } from './unitOutput.js';
export { UnitStateSchema } from './unitState.js';
export { validateCustomFieldDefinition } from './validateCustomFieldDefinition.js';
export { CustomGeozoneTypeSchema, validateCustomGeozoneType } from './validateCustomGeozoneType.js';
export { FixSchema, validateFix } from './validateFix.js';
export { GeozoneInputSchema, GeozoneSchema, validateGeozone } from './validateGeozone.js';
export { GeozoneGroupInputSchema, GeozoneGroupSchema, validateGeozoneGroup } from './validateGeozoneGroup.js';
export {
  type ValidatedGeozones,
  type ValidateGeozonesOptions,
  validateGeozones,
} from './validateGeozones.js';
export { validateMonitoringSensorsSettings } from './validateMonitoringSensorsSettings.js';
export type { Validated, ValidateOptions } from './validateOptions.js';
export { RouteInputSchema, RouteSchema, validateRoute } from './validateRoute.js';
export { validateTrackGradation } from './validateTrackGradation.js';
export { validateTrip } from './validateTrip.js';
export { type UnitSettingsOptions, validateUnitSettings } from './validateUnitSettings.js';
export type { WireSchema } from './wireSchema.js';
