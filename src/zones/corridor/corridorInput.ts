/** The checked input of a corridor, and the shares of its tolerance. */

/** A checked line, and the width, tolerance and caps of its corridor. */
export interface CorridorInput {
  /** Vertices `[lon0, lat0, …]`. Longitudes continue past ±180; neighbours differ. */
  readonly coords: Float64Array;
  readonly edges: 'lonlat' | 'geodesic';
  /** Half of the corridor's width, metres. */
  readonly radius: number;
  /** Tolerance, metres; at most a quarter of the radius. */
  readonly tolerance: number;
  readonly cap: 'round' | 'flat';
  /** Whether the short cuts that save time are left out: kites, and hulls of dense runs. */
  readonly omitsShortCuts: boolean;
}

/** Share of the tolerance for arcs, and for the other approximations below; the rest is for series, rounding and jitter. */
export const ARC_SHARE = 0.62;
export const DENSIFY_SHARE = 0.14;
export const SIMPLIFY_SHARE = 0.14;
export const COMPACT_SHARE = 0.05;
/** Share of the tolerance by which vertices are moved at random, so that no three lines meet in one point. */
export const JITTER_SHARE = 2e-3;

/** Chords of an arc. Their vertices lie as far outside the circle as their midpoints lie inside. */
export interface ArcSteps {
  /** Distance of the vertices from the centre, metres. */
  readonly outer: number;
  /** Angle from the end of the arc, where it touches a straight offset, to the nearest vertex. */
  readonly lead: number;
  /** Largest angle between vertices. */
  readonly step: number;
}

export function arcSteps(radius: number, tolerance: number): ArcSteps {
  const share = (ARC_SHARE * tolerance) / radius;
  return {
    outer: radius * (1 + share),
    lead: Math.acos(1 / (1 + share)),
    step: 2 * Math.acos((1 - share) / (1 + share)),
  };
}
