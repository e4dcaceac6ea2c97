/** `wayzone`: errors, geodesy, zones and the index. The rest comes from its subpath only. */

export type * from './core/errorCode.js';
export {
  type FieldError,
  type NotFoundKind,
  notFound,
  requestError,
  WayzoneError,
  type WireError,
} from './core/errors.js';
export type {
  BlindReason,
  Fix,
  FixBatch,
  FixTable,
  ForeignData,
  ForeignDocument,
  Issue,
  RawTrack,
  Track,
} from './core/fix.js';
export type {
  Bbox,
  MultiPolygon,
  MultiPolygonCoordinates,
  Polygon,
  PolygonCoordinates,
  Position,
} from './core/geometry.js';
export type { Trip, TripPoint, TripPointTime } from './core/trip.js';
export type {
  DictionaryEntry,
  Geozone,
  GeozoneGroup,
  GeozoneGroupInput,
  GeozoneInput,
  Pair,
  Route,
  RouteInput,
  RoutePoint,
  WrittenShape,
  ZoneOptions,
  ZoneShape,
} from './core/wire.js';
export type { ZoneTypeKey } from './core/zoneTypes.js';
export { destination } from './geodesy/destination.js';
export { distanceMeters } from './geodesy/distanceMeters.js';
export { lengthMeters } from './geodesy/edgeSums.js';
export { type CompletedGeozone, type CompleteOptions, completeGeozone } from './zones/completeGeozone.js';
export { corridor, type LineToPolygonOptions, lineToPolygon } from './zones/corridor/corridor.js';
export type { CorridorOptions } from './zones/corridor/readCorridor.js';
export type {
  BufferOptions,
  Crossing,
  NearestOptions,
  OpenOptions,
  ZoneDistance,
  ZoneIndexOptions,
  ZoneIndexStats,
  ZoneRow,
  ZonesOfPositions,
} from './zones/index/index.js';
export { measureZone, type ZoneMeasure } from './zones/measureZone.js';
export { signedDistanceMeters, zoneContains } from './zones/preparedZone.js';
export { ZoneIndex } from './zones/zoneIndex.js';
export { type OutlineOptions, zoneOutline } from './zones/zoneOutline.js';
