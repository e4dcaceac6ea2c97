/** A polygon's `geometry` and `parts` say the same: `geometry` is the largest outer ring of `parts`. */

import { measureZone, WayzoneError } from 'wayzone';

type Ring = readonly (readonly number[])[];

/** A geozone, or a point of a route or a trip. */
interface Shape {
  readonly type: { readonly key: string };
  readonly geometry?: Ring | null | undefined;
  readonly parts?: readonly (readonly Ring[])[] | null | undefined;
}

/**
 * The shape with the largest outer ring of its `parts` as `geometry`; of a type that has no parts without them. Throws `option-value` if `geometry` is none of the outer
 * rings: a client that knows `geometry` alone has changed it.
 */
export function oneShape<Sent extends object>(sent: Sent, field: string): Sent {
  const { type, geometry, parts } = sent as unknown as Shape;
  if (parts === undefined || parts === null) return sent;
  if (type.key !== 'polygon') {
    const { parts: _, ...rest } = sent as Sent & { readonly parts: unknown };
    return rest as unknown as Sent;
  }
  const outer = parts.map(([ring = []]) => ring);
  const isGiven = geometry !== undefined && geometry !== null && geometry.length > 0;
  if (isGiven && !outer.some((ring) => haveSameCorners(ring, geometry)))
    throw new WayzoneError(
      'option-value',
      field,
      'expected an outer ring of parts, received another ring; leave out parts to replace the shape',
    );
  const areas = outer.map((ring) => (outer.length === 1 ? 0 : areaOf(ring)));
  const largest = outer[areas.indexOf(Math.max(...areas))]!;
  return isGiven && haveSameCorners(largest, geometry) ? sent : { ...sent, geometry: largest };
}

/** The points of a route or a trip, each with one shape. */
export function oneShapes<Row extends object>(row: Row): Row {
  const { points } = row as { readonly points?: readonly object[] };
  if (points === undefined) return row;
  return { ...row, points: points.map((point, i) => oneShape(point, `points[${i}].geometry`)) };
}

function areaOf(geometry: Ring): number {
  return measureZone({ type: { key: 'polygon' }, geometry: geometry as [number, number][] }).area;
}

/** Whether two rings have the same corners, wherever each begins. */
function haveSameCorners(a: Ring, b: Ring): boolean {
  const [left, right] = [cornersOf(a), cornersOf(b)];
  return left.size === right.size && [...left].every((corner) => right.has(corner));
}

const cornersOf = (ring: Ring): ReadonlySet<string> => new Set(ring.map(([x, y]) => `${x} ${y}`));
