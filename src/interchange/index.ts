/** `wayzone/interchange`: files of other programs as zones, groups, routes and tracks, and zones as such files. */

export { missingContent, type OnZoneIssue, type ZoneIssueOptions } from './common/issueList.js';
export type {
  ForeignRoute,
  ForeignRoutePoint,
  ForeignTrack,
  ForeignZone,
  ReadLimits,
  ReadOptions,
} from './common/readOptions.js';
export type { TextSink } from './common/textSink.js';
export type { ZoneGeometry } from './common/zoneGeometry.js';
export type { Crs } from './crs/crs.js';
export { loadCrs } from './crs/loadCrs.js';
export type { CsvOptions, Quantity, SpeedUnit } from './csv/csvOptions.js';
export { fromCsv, readCsv } from './csv/fromCsv.js';
export { type CsvCell, type CsvMarks, toCsv } from './csv/toCsv.js';
export { toFixCsv, writeFixCsv } from './csv/toFixCsv.js';
export { type CsvWriteOptions, toZoneCsv, writeZoneCsv } from './csv/toZoneCsv.js';
export { fromGeoJson, readGeoJson } from './geojson/fromGeoJson.js';
export type { GeoJsonOptions, MappedField } from './geojson/geoJsonOptions.js';
export { readGeoJsonLines } from './geojson/readGeoJsonLines.js';
export {
  type MovingFeature,
  type MovingFeatureCollection,
  type NamedSystem,
  type TemporalProperty,
  toMovingFeatures,
} from './geojson/toMovingFeatures.js';
export {
  toFeatureCollection,
  writeFeatureCollection,
  type ZoneFeatureCollection,
} from './geojson/writeFeatureCollection.js';
export type {
  FeatureCollectionOptions,
  LeftOutZone,
  NamedCrs,
  ZoneFeature,
  ZoneProperties,
} from './geojson/zoneFeature.js';
export { fromGpx, readGpx } from './gpx/fromGpx.js';
export type { GpxOptions } from './gpx/gpxOptions.js';
export { type GpxContent, type GpxWriteOptions, toGpx, writeGpx } from './gpx/toGpx.js';
export { fromKml, readKml } from './kml/fromKml.js';
export type { IconHref, KmlLook } from './kml/kmlStyleBook.js';
export type { KmlDocumentOptions } from './kml/kmlWriter.js';
export type { KmlOptions } from './kml/kmlZones.js';
export { type KmlContent, type KmlWriteOptions, toKml } from './kml/toKml.js';
export { type KmlSection, type KmlStreamOptions, writeKml } from './kml/writeKml.js';
export { fromKmz } from './kmz/fromKmz.js';
export { type KmzWriteOptions, toKmz } from './kmz/toKmz.js';
export type { ParquetSource } from './parquet/parquetFile.js';
export { type ParquetOptions, readParquet } from './parquet/readParquet.js';
export { toGeoParquet } from './parquet/toGeoParquet.js';
export { type ParquetColumnType, toParquet } from './parquet/toParquet.js';
export { describeTable } from './table/describeTable.js';
export { fromPlan, type PlannedTrips, type PlanOptions } from './table/plan/fromPlan.js';
export type {
  TableColumn,
  TableDescription,
  TableForm,
  TableHints,
  TableKind,
  TableNote,
  TableNoteCode,
  TableProfile,
  TableRole,
} from './table/tableDescription.js';
