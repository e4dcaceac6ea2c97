/** Finds all errors of a shape, for validation: those of `readShape`, and further ones that only validation checks. */

import { type FieldError, inputError } from '../core/errors.js';
import { guarded, readPosition } from '../core/input.js';
import { shapeFields, type ZoneOptions, type ZoneShape } from '../core/wire.js';
import { ErrorList } from './errorList.js';
import type { NormalShape } from './kinds/index.js';
import { type PolygonProblem, polygonProblems, type RingPlace } from './polygonProblems.js';
import { readShapeInto, readZoneOptions, refuseWithoutExtent } from './readShape.js';
import type { Ring } from './ring.js';

/** Largest number of errors per shape. One more error, `limit-errors`, counts the rest. */
export const MAX_SHAPE_ERRORS = 100;

/**
 * All errors of a shape's geometry and width. An empty list means a valid shape. `field` is put before each path (`points[3].`).
 *
 * - Errors of `readShape` are listed in full: each invalid number with its path, each ambiguous edge, each ring that is too short or
 *   without area, the width. A ring with an invalid number is not checked further.
 * - A shape that `readShape` accepts may have further errors. `radius-range`: a circle of less than 1 mm. `line-too-short`: a line of one
 *   position. `ring-self-intersects`, with both `segments`: also a spike, and a ring that touches itself. `hole-outside`: a hole not within
 *   the shell, equal to it, or along its edge. `hole-overlap`: two holes that share more than points. `interior-disconnected`: touching
 *   rings that cut the interior in two. `part-overlap`: two parts that share more than points.
 * - After `MAX_SHAPE_ERRORS` errors a last error, `limit-errors`, counts the others, or says that there may be more.
 *
 * Wrong options throw, as in `readShape`. Exactness: see `polygonProblems`. Cost: O(n log n).
 */
export function shapeProblems(
  shape: ZoneShape | Readonly<Record<string, unknown>>,
  options: ZoneOptions = {},
  field: string = '',
): FieldError[] {
  const found = new ErrorList(MAX_SHAPE_ERRORS);
  const copy = found.try(() => copyOf(shape, field));
  if (copy === null) return found.list();
  const normal = readShapeInto(copy, readZoneOptions(options), field, found);
  if (normal === null) return found.list();
  if (normal.key === 'polygon') return topology(normal, copy, options, field);
  refuseWithoutExtent(normal, field, found);
  return found.list();
}

/** A copy of the shape, for which each field is read once. */
function copyOf(shape: ZoneShape | Readonly<Record<string, unknown>>, field: string): ZoneShape {
  return guarded(`${field}type`, () => {
    if (typeof shape !== 'object' || shape === null)
      throw inputError('zone-type', `${field}type`, 'a zone shape', shape);
    const given = shapeFields(shape as ZoneShape);
    const type: unknown = given.type;
    return { ...given, type: typeof type === 'string' ? (type as never) : { key: given.type?.key } };
  });
}

function topology(
  { parts }: NormalShape & { key: 'polygon' },
  shape: ZoneShape,
  options: ZoneOptions,
  field: string,
): FieldError[] {
  const { problems, isComplete } = polygonProblems(parts, MAX_SHAPE_ERRORS);
  if (problems.length === 0) return [];
  const errors = problems.map((problem) => errorOf(problem, parts, shape, options, field));
  if (isComplete) return errors;
  const message = `expected few enough faults to list all, received ${errors.length} faults and maybe more`;
  return [...errors, { code: 4221, field: errors.at(-1)!.field, message, reason: 'limit-errors' }];
}

function errorOf(
  { code, at, other, edges }: PolygonProblem,
  parts: readonly (readonly Ring[])[],
  shape: ZoneShape,
  options: ZoneOptions,
  field: string,
): FieldError {
  const own = sourceOf(at, parts, shape, options, field);
  const its = other === null ? own : sourceOf(other, parts, shape, options, field);
  const numbers = edges === null ? null : segmentsOf(edges, own, its);
  const base = { code: 4221, field: own.path, reason: code } as const;
  switch (code) {
    case 'ring-self-intersects': {
      const segments = [Math.min(...numbers!), Math.max(...numbers!)] as const;
      const message = `expected a ring that does not meet itself, received segments ${segments.join(' and ')} that meet`;
      return { ...base, message, segments };
    }
    case 'hole-outside':
      return {
        ...base,
        message: `expected a hole inside its shell, received one that ${meets('leaves it', numbers, its.path)}`,
      };
    case 'hole-overlap':
      return {
        ...base,
        message: `expected holes that share points at most, received one that ${meets(`overlaps ${its.path}`, numbers, its.path)}`,
      };
    case 'interior-disconnected':
      return {
        ...base,
        field: own.part,
        message: `expected an interior in one piece, received rings that touch each other in a closed chain through ${own.path} and ${its.path}`,
      };
    case 'part-overlap':
      return {
        ...base,
        field: own.part,
        message: `expected parts that share points at most, received one that ${meets(`overlaps ${its.part}`, numbers, its.path)}`,
      };
  }
}

function meets(what: string, numbers: readonly [number, number] | null, path: string): string {
  return numbers === null
    ? what
    : `${what}: its segment ${numbers[0]} meets segment ${numbers[1]} of ${path}`;
}

/** A ring in the form given by the caller. */
interface Source {
  readonly path: string;
  /** Path of the ring's part. */
  readonly part: string;
  readonly coords: Float64Array;
  readonly list: ArrayLike<unknown>;
  readonly axisOrder: 'lonlat' | 'latlon';
}

function sourceOf(
  { part, ring }: RingPlace,
  parts: readonly (readonly Ring[])[],
  shape: ZoneShape,
  options: ZoneOptions,
  field: string,
): Source {
  const { coords } = parts[part]![ring]!;
  if (shape.parts === undefined || shape.parts === null) {
    const path = `${field}geometry`;
    const axisOrder = options.axisOrder ?? 'lonlat';
    return { path, part: path, coords, list: shape.geometry, axisOrder };
  }
  // The two rings of a band come from one list.
  let number = -1;
  let isSecond = false;
  for (const { turns, pole } of parts[part]!.slice(0, ring + 1)) {
    if (!isSecond) number++;
    isSecond = turns % 2 !== 0 && pole === null && !isSecond;
  }
  const path = `${field}parts[${part}][${number}]`;
  const list = guarded(path, () => shape.parts![part]![number]!);
  return { path, part: `${field}parts[${part}]`, coords, list, axisOrder: 'lonlat' };
}

/** Indices of the segments in the caller's lists that two edges come from. */
function segmentsOf([i, j]: readonly [number, number], own: Source, its: Source): [number, number] {
  const first = segmentOf(own, i, -1);
  return [first, segmentOf(its, j, its.path === own.path ? first : -1)];
}

/**
 * Index of the caller's segment equal to an edge, other than `taken`. If there is none, the first segment that starts where the edge
 * starts.
 */
function segmentOf({ path, coords, list, axisOrder }: Source, edge: number, taken: number): number {
  const next = 2 * edge + 2 < coords.length ? 2 * edge + 2 : 0;
  const isAt = ([lon, lat]: readonly [number, number], i: number): boolean =>
    lon === coords[i] && lat === coords[i + 1];
  let start = -1;
  let position = readAt(list, 0, path, axisOrder);
  for (let i = 0; i < list.length; i++) {
    const following = readAt(list, i + 1 < list.length ? i + 1 : 0, path, axisOrder);
    if (isAt(position, 2 * edge)) {
      if (start < 0) start = i;
      if (i !== taken && isAt(following, next)) return i;
    }
    position = following;
  }
  return Math.max(start, 0);
}

function readAt(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  axisOrder: 'lonlat' | 'latlon',
): [number, number] {
  const at = `${path}[${i}]`;
  return readPosition(
    guarded(at, () => list[i]),
    at,
    axisOrder,
  );
}
