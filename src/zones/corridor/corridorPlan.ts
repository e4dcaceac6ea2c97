/** The checked input of a corridor, and the shares of its tolerance. */

/** A checked line, and the width, tolerance and caps of its corridor. */
export interface CorridorPlan {
  /** Vertices `[lon0, lat0, …]`; longitudes continue past ±180, and neighbours differ. */
  readonly coords: Float64Array;
  readonly edges: 'lonlat' | 'geodesic';
  /** Half of the corridor's width, metres. */
  readonly radius: number;
  /** Metres; at most a quarter of the radius. */
  readonly tolerance: number;
  readonly cap: 'round' | 'flat';
  /** Whether short cuts that save time are left out: kites, and hulls of dense runs. */
  readonly isPlain: boolean;
}

/** Shares of the tolerance; the rest is for series, rounding and jitter. */
export const ARC_SHARE = 0.62;
export const DENSIFY_SHARE = 0.14;
export const SIMPLIFY_SHARE = 0.14;
export const COMPACT_SHARE = 0.05;
/** Share by which vertices are moved at random, so that no three lines meet in one point. */
export const JITTER_SHARE = 2e-3;

/** Chords of an arc. Their vertices lie as far outside the circle as their middles lie inside. */
export interface ArcSteps {
  /** Distance of the vertices from the centre. */
  readonly outer: number;
  /** Angle from the end of the arc, where a straight offset touches it, to the nearest vertex. */
  readonly lead: number;
  /** Greatest angle between vertices. */
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
