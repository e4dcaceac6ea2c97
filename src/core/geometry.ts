/** Plain geometry types that all layers share. Positions are `[lon, lat]` in degrees, WGS84 (EPSG:4326). */

/** A position `[lon, lat]`, degrees. */
export type Position = readonly [lon: number, lat: number];

/** A box `[west, south, east, north]`, degrees. If it crosses the antimeridian, west > east (RFC 7946 §5.2). */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** Rings of a polygon: the shell first, then the holes. */
export type PolygonCoordinates = readonly (readonly Position[])[];

/** Polygons of a GeoJSON MultiPolygon, each with its rings. */
export type MultiPolygonCoordinates = readonly PolygonCoordinates[];

/** A GeoJSON Polygon. */
export interface Polygon {
  /** The GeoJSON type. */
  readonly type: 'Polygon';
  /** Closed rings: the shell first, then the holes. */
  readonly coordinates: Position[][];
}

/** A GeoJSON MultiPolygon. */
export interface MultiPolygon {
  /** The GeoJSON type. */
  readonly type: 'MultiPolygon';
  /** Polygons, each with its rings. */
  readonly coordinates: Position[][][];
}
