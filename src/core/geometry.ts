/** Plain geometry types that all layers share. Positions are `[lon, lat]` in degrees, WGS84 (EPSG:4326). */

/** `[lon, lat]` in degrees. */
export type Position = readonly [lon: number, lat: number];

/** `[west, south, east, north]` in degrees; west > east when the box crosses the antimeridian (RFC 7946 §5.2). */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** Rings of a polygon: the shell first, then the holes. */
export type PolygonCoordinates = readonly (readonly Position[])[];

export type MultiPolygonCoordinates = readonly PolygonCoordinates[];

export interface Polygon {
  readonly type: 'Polygon';
  readonly coordinates: Position[][];
}

export interface MultiPolygon {
  readonly type: 'MultiPolygon';
  readonly coordinates: Position[][][];
}
