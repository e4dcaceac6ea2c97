/** A fuzzing target: feeds bytes to one part of the library and checks the result. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Format } from './mutate.js';
import { encode } from './mutate.js';

export interface Target {
  readonly name: string;
  readonly format: Format;
  /** First inputs, which are mutated. */
  readonly seeds: () => readonly Uint8Array[];
  /** Processor time allowed for an input of 64 KiB. Default 1 s. */
  readonly milliseconds?: number;
  /** Throws a coded error, which any input may cause, or a Finding. With `isTimed`, work that takes too long is also a Finding. */
  readonly run: (input: Uint8Array, isTimed: boolean) => void | Promise<void>;
}

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');

/** The first `maxLines` lines of a fixture. */
export function fixture(name: string, maxLines: number = 2000): Uint8Array {
  const lines = readFileSync(`${FIXTURES}/${name}`, 'utf8').split('\n');
  return encode(lines.slice(0, maxLines).join('\n'));
}

export function json(value: unknown): Uint8Array {
  return encode(JSON.stringify(value));
}

/** The value of a JSON text, or undefined for other texts. */
export function parsed(input: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(input));
  } catch {
    return undefined;
  }
}
