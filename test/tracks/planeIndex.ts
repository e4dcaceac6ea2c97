/** A small index of boxes and discs on a plane in metres around 10° E on the equator. It uses no geometry of the library. */

import type { Fix } from '../../src/core/fix.js';
import type { Position } from '../../src/core/geometry.js';
import type { ZoneIndexLike } from '../../src/tracks/index.js';

export const METERS_PER_DEGREE_LON = 111_319.4907932736;
export const METERS_PER_DEGREE_LAT = 110_574.2758;
export const START: number = Date.UTC(2026, 0, 1);

export type Part =
  | { readonly box: readonly [x0: number, y0: number, x1: number, y1: number] }
  | { readonly disc: readonly [x: number, y: number, radius: number] };

/** A zone of parts that do not touch each other. */
export interface PlaneZone {
  readonly id: string;
  readonly parts: readonly Part[];
}

/** A fix `seconds` after `START` at x, y metres. */
export function fixAt(seconds: number, x: number, y = 0, more: Partial<Fix> = {}): Fix {
  return {
    time: START + seconds * 1000,
    lon: 10 + x / METERS_PER_DEGREE_LON,
    lat: y / METERS_PER_DEGREE_LAT,
    ...more,
  };
}

/** A position in metres, rounded to micrometres, so that literal values are exact. */
export function metersOf([lon, lat]: Position): [number, number] {
  return [micrometers((lon - 10) * METERS_PER_DEGREE_LON), micrometers(lat * METERS_PER_DEGREE_LAT)];
}

function micrometers(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

export function distanceToPart(part: Part, x: number, y: number): number {
  if ('disc' in part) return Math.hypot(x - part.disc[0], y - part.disc[1]) - part.disc[2];
  const [x0, y0, x1, y1] = part.box;
  const dx = Math.max(x0 - x, x - x1);
  const dy = Math.max(y0 - y, y - y1);
  return dx > 0 && dy > 0 ? Math.hypot(dx, dy) : Math.max(dx, dy);
}

export function distanceTo(zone: PlaneZone, x: number, y: number): number {
  return Math.min(...zone.parts.map((part) => distanceToPart(part, x, y)));
}

export function planeIndex(zones: readonly PlaneZone[]): ZoneIndexLike {
  const byId = new Map(zones.map((zone, ordinal) => [zone.id, { zone, ordinal }]));
  return {
    at: (position) =>
      zones.filter((zone) => distanceTo(zone, ...metersOf(position)) <= 0).map((zone) => zone.id),
    crossing: (a, b) =>
      zones.flatMap((zone) =>
        zone.parts
          .flatMap((part) => stayIn(part, metersOf(a), metersOf(b)))
          .sort((p, q) => p[0] - q[0])
          .map(([from, to]) => ({ id: zone.id, from, to })),
      ),
    prepared: (id) => {
      const entry = byId.get(id);
      return entry
        ? { signedDistanceMeters: (lon, lat) => distanceTo(entry.zone, ...metersOf([lon, lat])) }
        : null;
    },
    ordinalOf: (id) => byId.get(id)?.ordinal ?? null,
  };
}

/** The closed fractions of a→b in a convex part: none or one pair. */
function stayIn(part: Part, a: readonly [number, number], b: readonly [number, number]): [number, number][] {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  let from = 0;
  let to = 1;
  if ('disc' in part) {
    const [x, y, radius] = part.disc;
    const square = dx * dx + dy * dy;
    const along = ((x - a[0]) * dx + (y - a[1]) * dy) / (square || 1);
    const off = Math.hypot(a[0] + along * dx - x, a[1] + along * dy - y);
    if (off > radius) return [];
    const half = Math.sqrt((radius * radius - off * off) / (square || 1));
    from = Math.max(from, along - half);
    to = Math.min(to, along + half);
  } else {
    const [x0, y0, x1, y1] = part.box;
    for (const [at, step, low, high] of [
      [a[0], dx, x0, x1],
      [a[1], dy, y0, y1],
    ] as const) {
      if (step === 0 && (at < low || at > high)) return [];
      if (step === 0) continue;
      const first = ((step > 0 ? low : high) - at) / step;
      const last = ((step > 0 ? high : low) - at) / step;
      from = Math.max(from, first);
      to = Math.min(to, last);
    }
  }
  if (distanceToPart(part, ...a) <= 0) from = 0;
  if (distanceToPart(part, ...b) <= 0) to = 1;
  return from <= to ? [[from, to]] : [];
}
