/** Reads the lists of a shape, within the limit of vertices. */

import { MAX_VERTICES, readList } from '../../core/input.js';
import { type ErrorSink, note, reportError } from '../errorList.js';

export function listAt(value: unknown, path: string, sink: ErrorSink): ArrayLike<unknown> | null {
  try {
    return readList(value, path);
  } catch (error) {
    return note(sink, error);
  }
}

/** Whether the number of vertices is within the limit. Reports `limit-vertices` at `path` if not. */
export function fewVertices(count: number, path: string, sink: ErrorSink): boolean {
  if (count <= MAX_VERTICES) return true;
  reportError(sink, 'limit-vertices', path, `at most ${MAX_VERTICES} vertices`, count);
  return false;
}
