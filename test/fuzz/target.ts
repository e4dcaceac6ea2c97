/** What is fuzzed: a way from bytes into one part of the library, with what must hold there. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Format } from './mutate.js';
import { encode } from './mutate.js';

export interface Target {
  readonly name: string;
  readonly format: Format;
  /** Inputs to begin with. */
  readonly seeds: () => readonly Uint8Array[];
  /** Processor time that 64 KiB may take in all. Default 1 s. */
  readonly milliseconds?: number;
  /** Throws a coded error, which any input may lead to, or a Finding. `isTimed`: work that takes too long is a Finding too. */
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

/** The value that a JSON text holds; undefined when it is none. */
export function parsed(input: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(input));
  } catch {
    return undefined;
  }
}
