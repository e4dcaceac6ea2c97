/** Conditions that hold for every input. */

import { isDeepStrictEqual } from 'node:util';
import { WayzoneError } from '../../src/core/errors.js';
import type { ForeignData } from '../../src/core/fix.js';

/** A violated condition and where it occurred. */
export class Finding extends Error {
  override readonly name: string = 'Finding';
}

/** Throws a Finding unless the error is a WayzoneError with a code, a field and a message. */
export function checkError(error: unknown): void {
  if (error instanceof Finding) throw error;
  if (!(error instanceof WayzoneError)) {
    const text = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error);
    throw new Finding(`expected a WayzoneError, received ${text}`, { cause: error });
  }
  const { code, field, message, errors } = error;
  if (!CODE.test(code)) throw new Finding(`expected a code in kebab case, received ${JSON.stringify(code)}`);
  if (typeof field !== 'string' || message === '')
    throw new Finding(`expected a field and a message of the error ${code}`);
  for (const each of errors) {
    if (!CODE.test(each.reason) || typeof each.field !== 'string' || each.message === '') {
      throw new Finding(`expected a reason, field and message, received ${JSON.stringify(each)}`);
    }
  }
}

const CODE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Runs a step whose input is a valid earlier result. Throws a Finding if it throws. */
export function mustNotThrow<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const text =
      error instanceof WayzoneError ? `${error.code} at ${error.field}: ${error.message}` : String(error);
    throw new Finding(`${what} throws ${text}`, { cause: error });
  }
}

/** Throws a Finding if a result contains NaN or Infinity. */
export function checkNumbers(value: unknown, path: string, seen: Set<object> = new Set()): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Finding(`${value} at ${path}`);
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [key, child] of Object.entries(value)) checkNumbers(child, `${path}.${key}`, seen);
}

export function checkEqual(a: unknown, b: unknown, what: string): void {
  if (isDeepStrictEqual(a, b)) return;
  throw new Finding(`${what} differ${firstDifference(a, b, '')}`);
}

function firstDifference(a: unknown, b: unknown, path: string): string {
  if (typeof a === 'string' && typeof b === 'string') {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i++;
    return ` at ${path} character ${i}: ${JSON.stringify(a.slice(i, i + 60))} and ${JSON.stringify(b.slice(i, i + 60))}`;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return ` at ${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`.slice(0, 300);
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [x, y] = [a[key as keyof typeof a], b[key as keyof typeof b]] as unknown[];
    if (!isDeepStrictEqual(x, y)) return firstDifference(x, y, `${path}.${key}`);
  }
  return '';
}

/** Checks a reader's result: issues have codes, numbers are finite, positions are on Earth, ids are distinct. */
export function checkForeign(
  { value, issues }: ForeignData,
  axisOrder: 'lonlat' | 'latlon' = 'lonlat',
): void {
  for (const issue of issues) {
    if (!CODE.test(issue.code) || issue.message === '' || typeof issue.field !== 'string') {
      throw new Finding(
        `expected an issue with a code, field and message, received ${JSON.stringify(issue)}`,
      );
    }
    if (!['error', 'warning'].includes(issue.severity))
      throw new Finding(`expected error or warning, received ${issue.severity} of ${issue.code}`);
    if (issue.line !== undefined && !(Number.isSafeInteger(issue.line) && issue.line >= 1)) {
      throw new Finding(`invalid line ${issue.line} of ${issue.code}`);
    }
  }
  checkNumbers(value, 'value');
  const ids = new Set<string>();
  for (const { id, geometry } of value.zones) {
    if (typeof id !== 'string' || ids.has(id))
      throw new Finding(`expected distinct ids of type string, received ${JSON.stringify(id)}`);
    ids.add(id);
    for (const [a, b] of geometry) {
      const [lon, lat] = axisOrder === 'lonlat' ? [a, b] : [b, a];
      if (!(Math.abs(lon) <= 540 && Math.abs(lat) <= 90))
        throw new Finding(`invalid position ${lon},${lat} of ${id}`);
    }
  }
  for (const { fixes } of value.tracks) {
    for (const { time, lon, lat } of fixes) {
      if (!Number.isSafeInteger(time))
        throw new Finding(`expected an integer time of a fix, received ${time}`);
      if (!(Math.abs(lon) <= 540 && Math.abs(lat) <= 90))
        throw new Finding(`invalid position ${lon},${lat} of a fix`);
    }
  }
}

/** Hash of all bytes. It selects the options with which an input is read. */
export function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c_9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x0100_0193) >>> 0;
  return hash;
}
