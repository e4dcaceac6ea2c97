/** Freezes the inputs of tests: a function that changes its input gets a TypeError, which fails the test. */

import { types } from 'node:util';

/** Of a longer list only the list itself is frozen, not its items. Such lists test limits and may be sparse. */
const MOST_ENTRIES = 200_000;

/**
 * Freezes a value with all plain objects and arrays in it, and returns it. Proxies and getters are not read. Typed arrays cannot be
 * frozen (compare them with copies), and instances of classes have their own state.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || types.isProxy(value) || Object.isFrozen(value))
    return value;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || types.isProxy(next) || Object.isFrozen(next)) continue;
    if (Array.isArray(next)) {
      Object.freeze(next);
      for (let i = 0; i < next.length && next.length <= MOST_ENTRIES; i++) {
        const entry: unknown = Object.getOwnPropertyDescriptor(next, i)?.value;
        if (typeof entry === 'object') open.push(entry);
      }
      continue;
    }
    const prototype: unknown = Object.getPrototypeOf(next);
    if (prototype !== Object.prototype && prototype !== null) continue;
    Object.freeze(next);
    for (const property of Object.values(Object.getOwnPropertyDescriptors(next))) {
      if (typeof property.value === 'object') open.push(property.value);
    }
  }
  return value;
}
