/** Typed arrays that grow. Zones are stored in such columns, not in objects. */

export type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

type ColumnOf<T extends Column> = {
  new (length: number): T;
  new (memory: ArrayBufferLike): T;
  readonly BYTES_PER_ELEMENT: number;
};

/** Size below which a column uses an ordinary buffer, bytes. */
const SHARED_BYTES = 65_536;

/**
 * A column of zeros. A large one is a SharedArrayBuffer if the runtime has it: V8 counts the bytes of an ArrayBuffer as heap pressure, and
 * would collect garbage among the caller's objects again and again while columns grow. Untouched pages cost nothing.
 */
export function columnOf<T extends Column>(Type: ColumnOf<T>, length: number): T {
  const bytes = length * Type.BYTES_PER_ELEMENT;
  return bytes < SHARED_BYTES || typeof SharedArrayBuffer === 'undefined'
    ? new Type(length)
    : new Type(new SharedArrayBuffer(bytes));
}

/** The column if it has at least `needed` values, else a longer copy. */
export function withRoom<T extends Column>(column: T, needed: number): T {
  if (needed <= column.length) return column;
  const longer = columnOf(
    column.constructor as ColumnOf<T>,
    Math.max(needed, Math.ceil(column.length * 1.5), 16),
  );
  (longer as Float64Array).set(column as Float64Array);
  return longer;
}

/** A float32 that is at most `value`, within two units in the last place. */
export function lowerFloat(value: number): number {
  return Math.fround(value - (Math.abs(value) * 1.3e-7 + 1e-30));
}

/** A float32 that is at least `value`, within two units in the last place. */
export function upperFloat(value: number): number {
  return Math.fround(value + (Math.abs(value) * 1.3e-7 + 1e-30));
}
