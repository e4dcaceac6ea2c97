/** `wayzone/interchange`: files of other programs as zones, groups, routes and tracks, and zones as such files. */

export type { Quantity, SpeedUnit } from './csvColumns.js';
export type { ForeignRoutePoint, ForeignZone, ReadOptions } from './foreignBuilder.js';
export { type CsvOptions, fromCsv } from './fromCsv.js';
export { fromGeoJson, type GeoJsonOptions } from './fromGeoJson.js';
export { fromGpx, type GpxOptions } from './fromGpx.js';
export { fromKml, type KmlOptions } from './fromKml.js';
export type { IconHref, KmlLook } from './kmlStyleBook.js';
export type { KmlDocumentOptions } from './kmlWriter.js';
export type { TextSink } from './textSink.js';
export { type CsvCell, toCsv } from './toCsv.js';
export { toFeatureCollection, type ZoneFeatureCollection } from './toFeatureCollection.js';
export { type KmlWriteOptions, toKml } from './toKml.js';
export { writeFeatureCollection } from './writeFeatureCollection.js';
export { type KmlSection, type KmlStreamOptions, writeKml } from './writeKml.js';
export type { FeatureCollectionOptions, ZoneFeature } from './zoneFeature.js';
export type { ZoneGeometry } from './zoneGeometry.js';
