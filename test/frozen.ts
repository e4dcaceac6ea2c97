/** Inputs that cannot be changed: a function that tries gets a TypeError, which fails its test. */

import { types } from 'node:util';

/** Beyond it only the list itself is frozen: lists of a million entries are about limits, and may be all holes. */
const MOST_ENTRIES = 200_000;

/**
 * The same value, with every plain object and list in it frozen. Nothing is asked of proxies and getters; typed arrays cannot be frozen
 * (compare those with copies), objects of classes have a state of their own.
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
