/** The lenient pass over a shape that `readShape` refused: all that is wrong of the same kinds. */

import type { FieldReason } from '../core/errorCode.js';
import { expected, WayzoneError } from '../core/errors.js';
import { guarded, MAX_RINGS, MAX_VERTICES, readList, readLonLat, readPosition } from '../core/input.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import type { ErrorList } from './errorList.js';
import { limitVertices, readShape } from './readShape.js';
import { ambiguousEdge, ambiguousEdges, readRing } from './ring.js';

type AxisOrder = 'lonlat' | 'latlon';

/** Adds the errors of a shape that `readShape` refuses with `first`, that one at least. */
export function collectErrors(
  shape: ZoneShape,
  options: ZoneOptions,
  field: string,
  first: WayzoneError,
  found: ErrorList,
): void {
  const axisOrder = options.axisOrder ?? 'lonlat';
  const path = `${field}geometry`;
  if (first.code === 'zone-type') {
    // Without a type nothing tells what the geometry should be.
  } else if (shape.type.key !== 'polygon') {
    collectGeometry(shape, path, axisOrder, found);
    // With a sound position in place of the geometry, what is left to be said is about the width.
    found.try(() => readShape({ ...shape, geometry: [[0, 0]] }, options, field));
  } else if (shape.parts === undefined || shape.parts === null) {
    const list = found.try(() => readLimited(shape.geometry, path));
    if (list !== null) collectRing(list, path, axisOrder, found);
  } else collectParts(shape.parts, `${field}parts`, found);
  // A caller's object may answer otherwise when read again.
  if (found.isEmpty) for (const error of first.errors) found.add(error);
}

function readLimited(value: unknown, path: string): ArrayLike<unknown> {
  const list = readList(value, path);
  limitVertices(list.length, path);
  return list;
}

/** Of a point, circle or line. */
function collectGeometry(
  { type: { key }, geometry }: ZoneShape,
  path: string,
  axisOrder: AxisOrder,
  found: ErrorList,
): void {
  const list = found.try(() => readLimited(geometry, path));
  if (list === null) return;
  const note = (code: FieldReason, what: string, received: string): void => {
    found.add({ code: 4221, field: path, message: expected(what, received), reason: code });
  };
  if (key === 'line' && list.length === 0) note('line-too-short', 'at least one position', 'none');
  if (key !== 'line' && list.length !== 1)
    note('geometry-count', `one pair for a ${key}`, `${list.length} pairs`);
  let last: number | null = null;
  for (let i = 0; i < list.length; i++) {
    const position = collectPosition(list, i, path, axisOrder, found);
    const lon = position === null ? null : position[0];
    if (key === 'line' && lon !== null && last !== null && Math.abs(lon - last) === 180)
      for (const error of ambiguousEdge(`${path}[${i}]`).errors) found.add(error);
    last = lon;
  }
}

/** A ring with bad positions is judged no further; nor one with ambiguous edges. */
function collectRing(list: ArrayLike<unknown>, path: string, axisOrder: AxisOrder, found: ErrorList): void {
  let isSound = true;
  for (let i = 0; i < list.length; i++)
    if (collectPosition(list, i, path, axisOrder, found) === null) isSound = false;
  if (!isSound) return;
  const edges = found.try(() => ambiguousEdges(list, path, axisOrder));
  if (edges === null) return;
  for (const error of edges.flatMap(({ errors }) => errors)) found.add(error);
  if (edges.length === 0) found.try(() => readRing(list, path, axisOrder, false));
}

function collectParts(parts: unknown, path: string, found: ErrorList): void {
  const list = found.try(() => readList(parts, path));
  if (list === null) return;
  if (list.length === 0) {
    found.add(new WayzoneError('ring-too-short', path, expected('at least one part', 'none')).errors[0]!);
    return;
  }
  let rings = 0;
  let vertices = 0;
  for (let i = 0; i < list.length; i++) {
    const at = `${path}[${i}]`;
    const part = found.try(() =>
      readList(
        guarded(at, () => list[i]),
        at,
      ),
    );
    if (part === null) continue;
    if (part.length === 0)
      found.add(new WayzoneError('ring-too-short', at, expected('at least one ring', 'none')).errors[0]!);
    rings += part.length;
    if (rings > MAX_RINGS) {
      found.add(
        new WayzoneError('limit-rings', path, expected(`at most ${MAX_RINGS} rings`, rings)).errors[0]!,
      );
      return;
    }
    for (let j = 0; j < part.length; j++) {
      const ring = found.try(() =>
        readList(
          guarded(`${at}[${j}]`, () => part[j]),
          `${at}[${j}]`,
        ),
      );
      if (ring === null) continue;
      vertices += ring.length;
      if (vertices > MAX_VERTICES) {
        found.try(() => limitVertices(vertices, `${at}[${j}]`));
        return;
      }
      collectRing(ring, `${at}[${j}]`, 'lonlat', found);
    }
  }
}

/** A position, or null with one error for each of its two numbers that is wrong. */
function collectPosition(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  axisOrder: AxisOrder,
  found: ErrorList,
): [number, number] | null {
  const at = `${path}[${i}]`;
  let pair: unknown;
  try {
    pair = guarded(at, () => list[i]);
    return readPosition(pair, at, axisOrder);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    for (const each of error.errors) found.add(each);
    const bad = [0, 1].find((index) => error.field === `${at}[${index}]`);
    if (bad !== undefined) {
      const other = 1 - bad;
      const isLon = (axisOrder === 'latlon') === (other === 1);
      found.try(() => {
        const value = guarded(at, () => (pair as unknown[])[other]);
        const lonIndex = axisOrder === 'latlon' ? 1 : 0;
        return isLon ? readLonLat(value, 0, at, lonIndex) : readLonLat(0, value, at, lonIndex);
      });
    }
    return null;
  }
}
