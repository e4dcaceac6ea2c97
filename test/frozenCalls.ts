/** Wraps public functions and classes for tests. Arguments are frozen before the call; typed arrays are compared afterwards. */

import { types } from 'node:util';
import { deepFreeze } from './frozen.js';

type Call = (...values: readonly unknown[]) => unknown;

const wrapped = new WeakMap<object, unknown>();
/** The original of each wrapper. */
const wrappers = new WeakMap<object, unknown>();

/** Whether its calls freeze their arguments. */
export function isFrozenCall(value: unknown): boolean {
  return typeof value === 'function' && wrappers.has(value);
}

/** The original function or class, for a test that changes its arguments after the call. */
export function unfrozen<T>(value: T): T {
  return (wrappers.get(value as object) ?? value) as T;
}

/** The function or class with frozen arguments; other values are returned unchanged. */
export function frozenCall<T>(value: T): T {
  if (typeof value !== 'function' || value.prototype instanceof Error) return value;
  const known = wrapped.get(value);
  if (known !== undefined) return known as T;
  const proxy = new Proxy(value as unknown as Call, {
    apply: (target, self, values: unknown[]) =>
      called(values, () => Reflect.apply(target, self, values) as unknown),
    construct: (target, values: unknown[], newTarget) =>
      withFrozenMethods(called(values, () => Reflect.construct(target, values, newTarget)) as object),
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      const isStatic = Object.hasOwn(target, key) && typeof member === 'function';
      if (!isStatic) return member;
      return (...values: unknown[]) => {
        const result = called(values, () => Reflect.apply(member, target, values) as unknown);
        return result instanceof (target as unknown as new () => object) ? withFrozenMethods(result) : result;
      };
    },
  });
  wrapped.set(value, proxy);
  wrappers.set(proxy, value);
  return proxy as unknown as T;
}

/** Wraps the methods of the class, and of those that it extends, on the instance, so that calls inside the class freeze their arguments too. */
function withFrozenMethods<T extends object>(instance: T): T {
  let prototype = Object.getPrototypeOf(instance) as object;
  for (; prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === 'constructor' || typeof value !== 'function' || Object.hasOwn(instance, name)) continue;
      const method = value as Call;
      Object.defineProperty(instance, name, {
        value: (...values: unknown[]) =>
          called(values, () => Reflect.apply(method, instance, values) as unknown),
        configurable: true,
        writable: true,
        enumerable: false,
      });
    }
  }
  return instance;
}

function called(values: readonly unknown[], call: () => unknown): unknown {
  let numbers = NONE;
  for (const value of values) {
    if (typeof value !== 'object') continue;
    deepFreeze(value);
    const own = numbersOf(value);
    if (own.length > 0) numbers = [...numbers, ...own];
  }
  if (numbers.length === 0) return call();
  const before = numbers.map((list) => Buffer.from(bytesOf(list)));
  const check = (): void => {
    if (numbers.every((list, i) => before[i]!.equals(bytesOf(list)))) return;
    throw new Error('expected an unchanged typed array, received a changed one');
  };
  const result = call();
  if (types.isPromise(result)) {
    return result.then((answer: unknown) => {
      check();
      return answer;
    });
  }
  check();
  return result;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Longer typed arrays are not compared. */
const MOST_BYTES = 1 << 20;

const NONE: ArrayBufferView[] = [];

/** The typed arrays of an argument: the value itself or its fields, as in a track. */
function numbersOf(value: unknown): ArrayBufferView[] {
  if (typeof value !== 'object' || value === null || types.isProxy(value) || Array.isArray(value))
    return NONE;
  const list = ArrayBuffer.isView(value)
    ? [value]
    : Object.values(Object.getOwnPropertyDescriptors(value))
        .map((property) => property.value as unknown)
        .filter((field): field is ArrayBufferView => ArrayBuffer.isView(field));
  return list.filter(({ byteLength, buffer }) => byteLength <= MOST_BYTES && buffer instanceof ArrayBuffer);
}
