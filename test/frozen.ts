/** Inputs that cannot be changed: a function that tries gets a TypeError, which fails its test. */

/** The same value, with every object in it frozen. Typed arrays cannot be: compare those with copies. */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  const seen = new Set<unknown>();
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || seen.has(next)) continue;
    seen.add(next);
    Object.freeze(next);
    for (const child of Object.values(next)) if (child !== undefined) open.push(child);
  }
  return value;
}
