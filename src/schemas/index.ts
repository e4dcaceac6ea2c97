/** Subpath `wayzone/schemas`: the wire's shapes as JSON Schema, their validators, and the dictionaries. */

export type {
  FilterAnswer,
  FilterCondition,
  FilterQuery,
  MapFeature,
  MapFeatureCollection,
  MapGeometry,
  RoutingAnswer,
  RoutingColumn,
  RoutingRow,
  RoutingStyle,
} from '../core/answers.js';
export {
  ACTIVATION_TYPES,
  COLORS,
  type Dictionary,
  type DictionaryOptions,
  dictionaryEntry,
  type FullEntry,
  GEOZONE_TYPES,
  ICONS,
  PASSAGE_ORDER_TYPES,
} from '../core/dictionaries.js';
export type {
  GradationStyle,
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
  FilterQuerySchema,
  filterAnswerSchema,
  MapFeatureCollectionSchema,
  RoutingAnswerSchema,
  WireErrorSchema,
} from './answers.js';
export { CustomGeozoneTypeSchema } from './customGeozoneType.js';
export { GeozoneInputSchema, GeozoneSchema } from './geozone.js';
export { GeozoneGroupInputSchema, GeozoneGroupSchema } from './geozoneGroup.js';
export { RouteInputSchema, RouteSchema } from './route.js';
export { TrackGradationSchema, TripDetectorSettingsSchema } from './trackSettings.js';
export { TripInputSchema, TripSchema } from './trip.js';
export { validateCustomGeozoneType } from './validateCustomGeozoneType.js';
export { validateGeozone } from './validateGeozone.js';
export { validateGeozoneGroup } from './validateGeozoneGroup.js';
export type { ValidateOptions } from './validateOptions.js';
export { validateRoute } from './validateRoute.js';
export { validateTrip } from './validateTrip.js';
export type { WireSchema } from './wireSchema.js';
