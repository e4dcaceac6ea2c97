/** `wayzone/interchange`: files of other programs as zones, groups, routes and tracks, and zones as such files. */

export type { Quantity, SpeedUnit } from './csvColumns.js';
export type { ForeignRoutePoint, ForeignZone, ReadOptions } from './foreignBuilder.js';
export { type CsvOptions, fromCsv } from './fromCsv.js';
export { fromGeoJson, type GeoJsonOptions } from './fromGeoJson.js';
export { fromGpx, type GpxOptions } from './fromGpx.js';
export { fromKml, type KmlOptions } from './fromKml.js';
export { type CsvCell, toCsv } from './toCsv.js';
export {
  type FeatureCollectionOptions,
  toFeatureCollection,
  type ZoneFeature,
  type ZoneFeatureCollection,
} from './toFeatureCollection.js';
export { type KmlWriteOptions, toKml } from './toKml.js';
export type { ZoneGeometry } from './zoneGeometry.js';
