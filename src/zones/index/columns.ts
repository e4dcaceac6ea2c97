/** Typed arrays that grow: the columns that hold zones without an object for each. */

export type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array;

/** The column itself when it has room for `needed` values, else a longer copy. A view on a shared buffer is never written beyond its end. */
export function withRoom<T extends Column>(column: T, needed: number): T {
  if (needed <= column.length) return column;
  const Same = column.constructor as new (length: number) => T;
  const longer = new Same(Math.max(needed, Math.ceil(column.length * 1.5), 16));
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
