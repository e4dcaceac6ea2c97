/**
 * Geodesics on WGS84 by GeographicLib, which only this module imports:
 * C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), doi:10.1007/s00190-012-0578-z.
 *
 * Distances are right to about 15 nm, also for nearly antipodal points.
 */

import geographiclib from '#lazy/geographiclib';

/** The part of GeographicLib's `GeodesicLine` that is used here. */
export interface GeodesicLine {
  Position(meters: number, outmask: number): { readonly m12?: number };
  ArcPosition(degrees: number, outmask: number): { readonly s12?: number };
}

interface Solution {
  readonly s12: number;
  readonly azi1: number;
  readonly azi2: number;
  readonly m12: number;
  readonly M21: number;
  readonly lat2: number;
  readonly lon2: number;
}

interface Solver {
  Inverse(lat1: number, lon1: number, lat2: number, lon2: number, outmask: number): Solution;
  Direct(lat1: number, lon1: number, azimuth: number, meters: number, outmask: number): Solution;
}

interface LineConstructor {
  new (solver: Solver, lat1: number, lon1: number, azimuth: number, capabilities: number): GeodesicLine;
}

/** The package's own types lack half of the masks and mark every result optional. These types describe what the package returns. */
interface Library {
  readonly Geodesic: {
    readonly WGS84: Solver;
    readonly LATITUDE: number;
    readonly LONGITUDE: number;
    readonly AZIMUTH: number;
    readonly DISTANCE: number;
    readonly DISTANCE_IN: number;
    readonly REDUCEDLENGTH: number;
    readonly GEODESICSCALE: number;
  };
  readonly GeodesicLine: { readonly GeodesicLine: LineConstructor };
}

const library = geographiclib as unknown as () => Library;

/** Metres of the shortest geodesic between two positions in degrees. */
export function inverseMeters(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const { Geodesic } = library();
  return Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2, Geodesic.DISTANCE).s12;
}

/** The geodesic at its second position: length, azimuth, and how neighbouring geodesics spread. */
export interface Arrival {
  readonly meters: number;
  /** Forward azimuth at the second position, degrees. */
  readonly azimuthDegrees: number;
  /** Reduced length m12, metres. */
  readonly reducedLength: number;
  /** Geodesic scale M21 = ∂m12/∂s at the second position; scale / reducedLength is the curvature of the distance circle. */
  readonly scale: number;
}

/** The geodesic from the first position to the second, described at its end. */
export function arrival(lon1: number, lat1: number, lon2: number, lat2: number): Arrival {
  const { Geodesic } = library();
  const mask = Geodesic.DISTANCE | Geodesic.AZIMUTH | Geodesic.REDUCEDLENGTH | Geodesic.GEODESICSCALE;
  const solution = Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2, mask);
  return {
    meters: solution.s12,
    azimuthDegrees: solution.azi2,
    reducedLength: solution.m12,
    scale: solution.M21,
  };
}

/** The shortest geodesic between two positions: its length and its azimuths at both ends, degrees. */
export function geodesicSpan(
  lon1: number,
  lat1: number,
  lon2: number,
  lat2: number,
): { readonly meters: number; readonly startAzimuth: number; readonly endAzimuth: number } {
  const { Geodesic } = library();
  const mask = Geodesic.DISTANCE | Geodesic.AZIMUTH;
  const { s12, azi1, azi2 } = Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2, mask);
  return { meters: s12, startAzimuth: azi1, endAzimuth: azi2 };
}

/** The end of the geodesic that leaves a position, `[lon, lat]` with the longitude in [-180, 180]. */
export function directPosition(
  lon: number,
  lat: number,
  azimuthDegrees: number,
  meters: number,
): [number, number] {
  const { Geodesic } = library();
  const mask = Geodesic.LATITUDE | Geodesic.LONGITUDE;
  const solution = Geodesic.WGS84.Direct(lat, lon, azimuthDegrees, meters, mask);
  return [solution.lon2, solution.lat2];
}

/** The end of the geodesic that leaves a position, and its azimuth there, degrees. */
export function directArrival(
  lon: number,
  lat: number,
  azimuthDegrees: number,
  meters: number,
): { readonly lon: number; readonly lat: number; readonly azimuth: number } {
  const { Geodesic } = library();
  const mask = Geodesic.LATITUDE | Geodesic.LONGITUDE | Geodesic.AZIMUTH;
  const solution = Geodesic.WGS84.Direct(lat, lon, azimuthDegrees, meters, mask);
  return { lon: solution.lon2, lat: solution.lat2, azimuth: solution.azi2 };
}

/** A geodesic for `reducedLengthAt` and `lengthOfArc`. */
export function geodesicLine(lon: number, lat: number, azimuthDegrees: number): GeodesicLine {
  const { Geodesic, GeodesicLine } = library();
  const mask = Geodesic.DISTANCE | Geodesic.DISTANCE_IN | Geodesic.REDUCEDLENGTH;
  return new GeodesicLine.GeodesicLine(Geodesic.WGS84, lat, lon, azimuthDegrees, mask);
}

/** The reduced length m12 of a geodesic at a distance from its start, metres. */
export function reducedLengthAt(line: GeodesicLine, meters: number): number {
  return line.Position(meters, library().Geodesic.REDUCEDLENGTH).m12 ?? 0;
}

/** Metres of the first `degrees` of a geodesic, measured on the auxiliary sphere; undefined on a meridian. */
export function lengthOfArc(line: GeodesicLine, degrees: number): number | undefined {
  return line.ArcPosition(degrees, library().Geodesic.DISTANCE).s12;
}
