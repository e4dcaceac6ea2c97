/** `wayzone/interchange`: files of other programs as zones, groups, routes and tracks, and zones as such files. */

export type { Crs } from './crs.js';
export type { Quantity, SpeedUnit } from './csvColumns.js';
export type { GeoJsonOptions, MappedField } from './featureReader.js';
export type {
  ForeignRoute,
  ForeignRoutePoint,
  ForeignTrack,
  ForeignZone,
  ReadOptions,
} from './foreignBuilder.js';
export { type CsvOptions, fromCsv, readCsv } from './fromCsv.js';
export { fromGeoJson, readGeoJson } from './fromGeoJson.js';
export { fromGpx, type GpxOptions, readGpx } from './fromGpx.js';
export { fromKml, type KmlOptions, readKml } from './fromKml.js';
export { fromKmz } from './fromKmz.js';
export type { IconHref, KmlLook } from './kmlStyleBook.js';
export type { KmlDocumentOptions } from './kmlWriter.js';
export type { ReadLimits } from './limits.js';
export { loadCrs } from './loadCrs.js';
export type { ParquetSource } from './parquetFile.js';
export { type ParquetOptions, readParquet } from './readParquet.js';
export type { TextSink } from './textSink.js';
export { type CsvCell, toCsv } from './toCsv.js';
export { toFeatureCollection, type ZoneFeatureCollection } from './toFeatureCollection.js';
export { toFixCsv, writeFixCsv } from './toFixCsv.js';
export { type GpxContent, type GpxWriteOptions, toGpx, writeGpx } from './toGpx.js';
export { type KmlContent, type KmlWriteOptions, toKml } from './toKml.js';
export { type KmzWriteOptions, toKmz } from './toKmz.js';
export { type ParquetColumnType, toParquet } from './toParquet.js';
export { type CsvWriteOptions, toZoneCsv, writeZoneCsv } from './toZoneCsv.js';
export { writeFeatureCollection } from './writeFeatureCollection.js';
export { type KmlSection, type KmlStreamOptions, writeKml } from './writeKml.js';
export type { FeatureCollectionOptions, MapProperties, NamedCrs, ZoneFeature } from './zoneFeature.js';
export type { ZoneGeometry } from './zoneGeometry.js';
