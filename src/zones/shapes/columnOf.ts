/** Typed arrays that grow: the columns that hold zones without an object for each. */

export type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

type ColumnOf<T extends Column> = {
  new (length: number): T;
  new (memory: ArrayBufferLike): T;
  readonly BYTES_PER_ELEMENT: number;
};

/** Smaller columns stay on the ordinary heap. */
const SHARED_BYTES = 65_536;

/**
 * A column of zeros. A large one is a SharedArrayBuffer where there is one: V8 counts the bytes of an ArrayBuffer as pressure on the heap and
 * marks all of the caller's objects again and again while columns are filled. Pages that are never touched cost nothing.
 */
export function columnOf<T extends Column>(Type: ColumnOf<T>, length: number): T {
  const bytes = length * Type.BYTES_PER_ELEMENT;
  return bytes < SHARED_BYTES || typeof SharedArrayBuffer === 'undefined'
    ? new Type(length)
    : new Type(new SharedArrayBuffer(bytes));
}

/** The column itself when it has room for `needed` values, else a longer copy. A view on a shared buffer is never written beyond its end. */
export function withRoom<T extends Column>(column: T, needed: number): T {
  if (needed <= column.length) return column;
  const longer = columnOf(
    column.constructor as ColumnOf<T>,
    Math.max(needed, Math.ceil(column.length * 1.5), 16),
  );
  (longer as Float64Array).set(column as Float64Array);
  return longer;
}

/** The largest float32 that is surely at most `value` (to two units of it). */
export function lowerFloat(value: number): number {
  return Math.fround(value - (Math.abs(value) * 1.3e-7 + 1e-30));
}

/** A float32 that is surely at least `value`. */
export function upperFloat(value: number): number {
  return Math.fround(value + (Math.abs(value) * 1.3e-7 + 1e-30));
}
