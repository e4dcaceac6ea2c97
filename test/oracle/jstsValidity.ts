/** Checks polygons in the plane with JTS's IsValidOp. */

import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory, { type LinearRing } from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';

type Ring = readonly (readonly [number, number])[];

/** `null` for a valid polygon or multipolygon of open rings, else JTS's message. */
export function jstsProblem(parts: readonly (readonly Ring[])[]): string | null {
  const factory = new GeometryFactory();
  const ringOf = (ring: Ring): LinearRing =>
    factory.createLinearRing([...ring, ring[0]!].map(([x, y]) => new Coordinate(x, y)));
  const polygons = parts.map(([shell, ...holes]) => factory.createPolygon(ringOf(shell!), holes.map(ringOf)));
  try {
    const geometry = polygons.length === 1 ? polygons[0]! : factory.createMultiPolygon(polygons);
    return new IsValidOp(geometry).getValidationError()?.getMessage() ?? null;
  } catch (error) {
    return `throws: ${(error as Error).message}`;
  }
}
