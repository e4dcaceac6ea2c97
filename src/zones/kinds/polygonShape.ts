/** Reading of a polygon. Queries on the columns of an index are in `part.ts`. */

import { guarded, MAX_RINGS, readList } from '../../core/input.js';
import type { ShapeFields } from '../../core/wire.js';
import { type ErrorSink, note, reportError } from '../errorList.js';
import { positionAt } from '../positionAt.js';
import { ambiguousEdges, type Ring, readRing } from '../ring.js';
import type { AxisOrder, ShapeRules } from './kind.js';
import { fewVertices, listAt } from './listAt.js';

export interface PolygonShape {
  readonly key: 'polygon';
  readonly parts: readonly (readonly Ring[])[];
}

/** Reads a polygon. Null if it has errors. A ring with an invalid position or an ambiguous edge is not checked further. */
export function readPolygon(
  { geometry, parts }: ShapeFields,
  { axisOrder }: ShapeRules,
  field: string,
  sink: ErrorSink,
): PolygonShape | null {
  const read =
    parts === undefined || parts === null
      ? readGeometry(geometry, axisOrder, `${field}geometry`, sink)
      : readParts(parts, `${field}parts`, sink);
  return read === null ? null : { key: 'polygon', parts: read };
}

function readGeometry(
  geometry: unknown,
  axisOrder: AxisOrder,
  path: string,
  sink: ErrorSink,
): Ring[][] | null {
  const list = listAt(geometry, path, sink);
  if (list === null || !fewVertices(list.length, path, sink)) return null;
  const rings = ringsAt(list, path, axisOrder, false, sink);
  return rings === null ? null : [rings];
}

function readParts(parts: unknown, path: string, sink: ErrorSink): Ring[][] | null {
  const list = listAt(parts, path, sink);
  if (list === null) return null;
  if (list.length === 0) return reportError(sink, 'ring-too-short', path, 'at least one part', 'none');
  if (!fewRings(list.length, path, sink)) return null;
  let isValid = true;
  let rings = 0;
  let vertices = 0;
  const read: Ring[][] = [];
  for (let i = 0; i < list.length; i++) {
    const at = `${path}[${i}]`;
    const part = itemAt(list, i, at, sink);
    if (part === null || part.length === 0) {
      isValid = false;
      if (part !== null) reportError(sink, 'ring-too-short', at, 'at least one ring', 'none');
      continue;
    }
    rings += part.length;
    if (!fewRings(rings, path, sink)) return null;
    const normal: Ring[] = [];
    for (let j = 0; j < part.length; j++) {
      const place = `${at}[${j}]`;
      const ring = itemAt(part, j, place, sink);
      vertices += ring?.length ?? 0;
      if (!fewVertices(vertices, place, sink)) return null;
      const made = ring === null ? null : ringsAt(ring, place, 'lonlat', j > 0, sink);
      if (made === null) isValid = false;
      else normal.push(...made);
    }
    read.push(normal);
  }
  return isValid ? read : null;
}

/** The rings of one list (see `readRing`). Null if the list has errors. */
function ringsAt(
  list: ArrayLike<unknown>,
  path: string,
  axisOrder: AxisOrder,
  hole: boolean,
  sink: ErrorSink,
): Ring[] | null {
  try {
    return readRing(list, path, axisOrder, hole);
  } catch (first) {
    if (sink === null) throw first;
    let isValid = true;
    for (let i = 0; i < list.length; i++)
      if (positionAt(list, i, path, axisOrder, sink) === null) isValid = false;
    if (!isValid) return null;
    const edges = sink.try(() => ambiguousEdges(list, path, axisOrder));
    for (const error of edges ?? []) note(sink, error);
    // If a getter of the caller returns other values on the second read, the first error is reported.
    return edges?.length === 0 ? note(sink, first) : null;
  }
}

function itemAt(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  sink: ErrorSink,
): ArrayLike<unknown> | null {
  try {
    return readList(
      guarded(path, () => list[i]),
      path,
    );
  } catch (error) {
    return note(sink, error);
  }
}

/** Whether the number of rings is within the limit. Reports `limit-rings` at `path` if not. */
function fewRings(count: number, path: string, sink: ErrorSink): boolean {
  if (count <= MAX_RINGS) return true;
  reportError(sink, 'limit-rings', path, `at most ${MAX_RINGS} rings`, count);
  return false;
}
