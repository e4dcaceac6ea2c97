/** Mutates the bytes, the text or the structure of an input. */

import { mutateParquet } from './mutateParquet.js';
import { mutateCsv, mutateJson, mutateXml } from './mutateStructure.js';
import { EXTREMES, TOKENS } from './tokens.js';

export type Format = 'xml' | 'json' | 'csv' | 'text' | 'bytes' | 'parquet';

/** A random integer from 0 up to, but not including, `count`. */
export type Below = (count: number) => number;

export const MAX_BYTES = 65_536;

const STRUCTURED: Readonly<Record<Format, ((text: string, other: string, below: Below) => string) | null>> = {
  xml: mutateXml,
  json: mutateJson,
  csv: mutateCsv,
  text: null,
  bytes: null,
  parquet: null,
};

/** A mutated copy of `input`, which may contain parts of `other`. */
export function mutate(input: Uint8Array, other: Uint8Array, format: Format, below: Below): Uint8Array {
  const structured = STRUCTURED[format];
  let result = input;
  const changes = 1 + below(4);
  for (let i = 0; i < changes; i++) {
    if (format === 'parquet') {
      result = below(8) > 0 ? mutateParquet(result, below) : mutateBytes(result, other, below);
    } else if (structured !== null && below(3) > 0) {
      result = encode(structured(decode(result), decode(other), below));
    } else if (format === 'bytes' || below(4) === 0) {
      result = mutateBytes(result, other, below);
    } else {
      result = encode(mutateText(decode(result), decode(other), format, below));
    }
    if (result.length > MAX_BYTES) result = result.slice(0, MAX_BYTES);
  }
  return result;
}

function mutateBytes(input: Uint8Array, other: Uint8Array, below: Below): Uint8Array {
  const at = below(input.length + 1);
  const length = 1 + below(below(4) === 0 ? 64 : 4);
  switch (below(7)) {
    case 0:
      return changedAt(input, at, (byte) => byte ^ (1 << below(8)));
    case 1:
      return changedAt(input, at, () => [0, 1, 0x7f, 0x80, 0xff, below(256)][below(6)]!);
    case 2:
      return joined(input.slice(0, at), input.slice(at + length));
    case 3:
      return joined(input.slice(0, at), input.slice(Math.max(0, at - length)));
    case 4:
      return input.slice(0, at);
    case 5:
      return joined(input.slice(0, at), other.slice(below(other.length + 1)));
    default: {
      const copy = input.slice();
      const view = new DataView(copy.buffer);
      const size = [2, 4, 8][below(3)]!;
      // Binary formats mostly align numbers to their size.
      const place = Math.floor(below(Math.max(1, copy.length)) / size) * size;
      if (place + size > copy.length) return copy;
      if (size === 2) view.setUint16(place, [0, 1, 0x7fff, 0xffff, copy.length, below(256)][below(6)]!, true);
      else if (size === 4) {
        const near = view.getUint32(place, true) + below(9) - 4;
        view.setUint32(place, [0, 1, 0x7fff_ffff, 0xffff_ffff, copy.length, near][below(6)]!, true);
      } else view.setFloat64(place, EXTREMES[below(EXTREMES.length)]!, true);
      return copy;
    }
  }
}

function mutateText(text: string, other: string, format: Format, below: Below): string {
  const at = below(text.length + 1);
  const length = below(16);
  const tokens = TOKENS[format];
  switch (below(7)) {
    case 0:
      return text.slice(0, at) + tokens[below(tokens.length)]! + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + length);
    case 2:
      return text.slice(0, at) + text.slice(at, at + length).repeat(1 + below(20)) + text.slice(at + length);
    case 3: {
      const from = below(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + below(80)) + text.slice(at + below(20));
    }
    case 4:
      return text.slice(0, at) + tokens[below(tokens.length)]! + text.slice(at + length);
    case 5:
      return withNumber(text, below);
    default:
      return text.slice(0, at) + String.fromCharCode(CHARACTERS[below(CHARACTERS.length)]!) + text.slice(at);
  }
}

const CHARACTERS = [
  0, 9, 10, 13, 32, 34, 38, 39, 44, 45, 46, 48, 57, 59, 60, 91, 93, 123, 125, 0x7f, 0x85, 0xa0, 0x2028,
  0xd800, 0xdfff, 0xfeff, 0xfffe, 0x660,
];

/** Replaces one number by another. */
function withNumber(text: string, below: Below): string {
  const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?/g)];
  const match = numbers[below(Math.max(1, numbers.length))];
  if (match === undefined) return text;
  const near = Number(match[0]) + [1, -1, 0.1, 360, -360, 180][below(6)]!;
  const number = below(2) === 0 ? near : EXTREMES[below(EXTREMES.length)]!;
  return text.slice(0, match.index) + String(number) + text.slice(match.index + match[0].length);
}

function changedAt(input: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  const copy = input.slice();
  if (at < copy.length) copy[at] = change(copy[at]!);
  return copy;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
