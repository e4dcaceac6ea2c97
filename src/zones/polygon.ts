/**
 * Polygons with holes and parts: exact containment by a ray along the meridian, on the cylinder, so that the antimeridian and the
 * poles need no cut. Rings of a part count even-odd; a position is in the zone when it is in one of its parts.
 */

import { crossesAntimeridian, lonStep } from '../core/angles.js';
import type { Bbox, Position } from '../core/geometry.js';
import { nearerEdgeDistance } from '../geodesy/edgeDistance.js';
import { onEdge, rayCrosses } from '../planar/ray.js';
import { crossingFractions } from '../planar/segments.js';
import { lonBoxes } from './lonBoxes.js';
import type { PreparedZone } from './prepared.js';
import { type Ring, unrolled } from './ring.js';
import { MAX_RADIUS_METERS } from './shape.js';
import { staysBetweenCuts } from './stays.js';

type Part = readonly Ring[];

export function preparePolygon(parts: readonly Part[], halfOpen: boolean): PreparedZone {
  const prepared = parts.map((part) => ({ part, north: holdsNorthPole(part), ...partBounds(part) }));
  const contains = (lon: number, lat: number): boolean => {
    for (const { part, north, bottom: low, top: high } of prepared) {
      if (lat < low || lat > high) continue;
      if (halfOpen ? inPartHalfOpen(part, north, lon, lat) : inPartClosed(part, north, lon, lat)) return true;
    }
    return false;
  };
  return {
    key: 'polygon',
    boxes: prepared.flatMap(({ boxes }) => boxes),
    anchors: parts.map((part): Position => [part[0]!.coords[0]!, part[0]!.coords[1]!]),
    contains,
    signedDistanceMeters: (lon, lat) => {
      const inside = prepared.some(({ part, north }) => inPartClosed(part, north, lon, lat));
      const distance = boundaryDistance(parts, lon, lat);
      return inside ? (distance === 0 ? 0 : -distance) : distance;
    },
    stays: (aLon, aLat, bLon, bLat) => polygonStays(parts, contains, !halfOpen, aLon, aLat, bLon, bLat),
  };
}

/** Whether the north pole is inside, before any meridian is followed: even-odd over the rings that enclose it. */
function holdsNorthPole(part: Part): boolean {
  return part.filter((ring) => ring.pole === 'north').length % 2 === 1;
}

export function partBounds(part: Part): { boxes: Bbox[]; bottom: number; top: number } {
  const boxes: Bbox[] = [];
  let south = 90;
  let north = -90;
  for (const ring of part) {
    let [low, high] = [90, -90];
    for (let i = 1; i < ring.coords.length; i += 2) {
      low = Math.min(low, ring.coords[i]!);
      high = Math.max(high, ring.coords[i]!);
    }
    if (ring.pole === 'north') high = 90;
    if (ring.pole === 'south') low = -90;
    south = Math.min(south, low);
    north = Math.max(north, high);
    if (ring.turns === 0) {
      const x = unrolled(ring.coords);
      boxes.push(
        ...lonBoxes(
          x.reduce((a, b) => Math.min(a, b)),
          x.reduce((a, b) => Math.max(a, b)),
          low,
          high,
        ),
      );
      // A pole has every longitude: a ring that reaches one shares that position with any box that does.
      if (high === 90) boxes.push([-180, 90, 180, 90]);
      if (low === -90) boxes.push([-180, -90, 180, -90]);
    }
  }
  // Rings that go round come in pairs (a band) or enclose a pole: between them lies every longitude.
  if (part.some((ring) => ring.turns !== 0)) boxes.push([-180, south, 180, north]);
  return { boxes, bottom: south, top: north };
}

function inPartClosed(part: Part, north: boolean, lon: number, lat: number): boolean {
  let inside = north;
  const atPole = lat === 90 || lat === -90;
  for (const { coords } of part) {
    for (let i = 0; i < coords.length; i += 2) {
      const next = i + 2 < coords.length ? i + 2 : 0;
      let ax = coords[i]!;
      let bx = coords[next]!;
      const ay = coords[i + 1]!;
      if (atPole && ay === lat) return true;
      if (crossesAntimeridian(ax, bx)) {
        ax = lonBeside(ax, lon);
        bx = lonBeside(bx, lon);
      }
      if ((ax < lon && bx < lon) || (ax > lon && bx > lon)) continue;
      const by = coords[next + 1]!;
      if (ay < lat && by < lat) continue;
      if (onEdge(lon, lat, ax, ay, bx, by)) return true;
      if (rayCrosses(lon, lat, ax, ay, bx, by, false)) inside = !inside;
    }
  }
  return inside;
}

/** The partition rule; the poles are looked up at longitude 0, from their own hemisphere. */
function inPartHalfOpen(part: Part, north: boolean, lon: number, lat: number): boolean {
  const atNorthPole = lat === 90;
  const x = atNorthPole || lat === -90 ? 0 : lon;
  let inside = north;
  for (const { coords } of part) {
    for (let i = 0; i < coords.length; i += 2) {
      const next = i + 2 < coords.length ? i + 2 : 0;
      let ax = coords[i]!;
      let bx = coords[next]!;
      if (crossesAntimeridian(ax, bx)) {
        ax = lonBeside(ax, x);
        bx = lonBeside(bx, x);
      }
      if (rayCrosses(x, lat, ax, coords[i + 1]!, bx, coords[next + 1]!, atNorthPole)) inside = !inside;
    }
  }
  return inside;
}

/** The end of an edge over the antimeridian, as it runs on past ±180 on the side where `x` is. */
export function lonBeside(lon: number, x: number): number {
  if (x > 0) return lon < 0 ? lon + 360 : lon;
  return lon > 0 ? lon - 360 : lon;
}

/** Metres to the nearest edge; half of a meridian's circumference when there is none (the whole Earth). */
function boundaryDistance(parts: readonly Part[], lon: number, lat: number): number {
  let best = MAX_RADIUS_METERS;
  for (const part of parts) {
    for (const { coords } of part) {
      for (let i = 0; i < coords.length; i += 2) {
        const next = i + 2 < coords.length ? i + 2 : 0;
        const [ax, ay, bx, by] = [coords[i]!, coords[i + 1]!, coords[next]!, coords[next + 1]!];
        // An edge along a pole is a point, and bounds nothing.
        if (ay === by && Math.abs(ay) === 90) continue;
        best = nearerEdgeDistance(best, lon, lat, ax, ay, bx, by);
        if (best === 0) return 0;
      }
    }
  }
  return best;
}

/** Fractions of a→b inside: cut at every edge that it meets, each piece decided by its middle. */
function polygonStays(
  parts: readonly Part[],
  contains: (lon: number, lat: number) => boolean,
  closed: boolean,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number[] {
  const endLon = lonBehind(aLon, bLon);
  const west = Math.min(aLon, endLon);
  const east = Math.max(aLon, endLon);
  const south = Math.min(aLat, bLat);
  const north = Math.max(aLat, bLat);
  const cuts: number[] = [];
  const along: [number, number][] = [];
  for (const part of parts) {
    for (const { coords } of part) {
      for (let i = 0; i < coords.length; i += 2) {
        const next = i + 2 < coords.length ? i + 2 : 0;
        const cy = coords[i + 1]!;
        const dy = coords[next + 1]!;
        if ((cy < south && dy < south) || (cy > north && dy > north)) continue;
        const cLon = coords[i]!;
        const dLon = lonBehind(cLon, coords[next]!);
        for (let shift = -360; shift <= 360; shift += 360) {
          const cx = cLon + shift;
          const dx = dLon + shift;
          if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
          const meets = crossingFractions(aLon, aLat, endLon, bLat, cx, cy, dx, dy);
          if (meets === null) continue;
          cuts.push(meets[0]);
          if (meets[1] > meets[0]) {
            cuts.push(meets[1]);
            if (closed) along.push(meets);
          }
        }
      }
    }
  }
  return staysBetweenCuts(cuts, along, closed, contains, aLon, aLat, bLon, bLat, endLon);
}

/** The longitude of the end of an edge as it runs on from its start, beyond ±180 where it crosses the antimeridian. */
function lonBehind(from: number, to: number): number {
  return crossesAntimeridian(from, to) ? from + lonStep(from, to) : to;
}
