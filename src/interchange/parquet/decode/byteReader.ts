/**
 * Reads bytes in order, and structures of Apache Thrift's compact protocol, the form of Parquet's metadata. Every read beyond the end throws,
 * so that each loop over reads ends.
 */

import { WayzoneError } from '../../../core/errors.js';

/** Largest number of levels of nested structures and lists. Those of Parquet have 8. */
const MAX_DEPTH = 32;
/** Largest number of values in one structure with all its content. */
const MAX_VALUES = 20_000_000;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const MAP = 11;
const STRUCT = 12;

export class ByteReader {
  offset = 0;
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of bytes left. */
  get left(): number {
    return this.bytes.length - this.offset;
  }

  byte(): number {
    const value = this.bytes[this.offset];
    if (value === undefined) throw damaged('more bytes');
    this.offset++;
    return value;
  }

  uint32(): number {
    const at = this.skip(4);
    return this.view.getUint32(at, true);
  }

  /** The next bytes, not copied. */
  take(length: number): Uint8Array {
    const at = this.skip(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Skips bytes and returns the offset before. */
  skip(length: number): number {
    if (!(length >= 0 && length <= this.left)) throw damaged(`${length} bytes, received ${this.left}`);
    const at = this.offset;
    this.offset += length;
    return at;
  }

  /** Reads an unsigned number of at most 32 bits in groups of 7 bits (ULEB128). */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw damaged('a number of at most 32 bits');
  }

  /** Reads a number of at most 64 bits in groups of 7 bits. */
  longVarint(): bigint {
    let low = 0;
    let high = 0n;
    // 28 bits fit into a number with fast operations.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      high |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, high | BigInt(low));
    }
    throw damaged('a number of at most 64 bits');
  }

  /** Reads a signed number of 64 bits, zigzag. */
  zigzag(): bigint {
    const value = this.longVarint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

/** `wanted`: the expected content of the bytes. */
export function damaged(wanted: string): WayzoneError {
  return new WayzoneError('parquet-invalid', '', `expected ${wanted}; the rest is not read`);
}

/** A value. Structures are read by field number, whole numbers as numbers if they are exact. */
export type ThriftValue = boolean | number | bigint | Uint8Array | readonly ThriftValue[] | ThriftStruct;

export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/** Reads one structure. Throws `parquet-invalid`. */
export function readStruct(reader: ByteReader): ThriftStruct {
  return new CompactReader(reader).struct(0);
}

class CompactReader {
  readonly #reader: ByteReader;
  #values = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  struct(depth: number): ThriftStruct {
    const reader = this.#reader;
    const fields = new Map<number, ThriftValue>();
    let id = 0;
    for (;;) {
      const head = reader.byte();
      const type = head & 0x0f;
      if (type === 0) return fields;
      const step = head >> 4;
      id = step === 0 ? Number(BigInt.asIntN(16, reader.zigzag())) : id + step;
      fields.set(id, type === TRUE || type === FALSE ? type === TRUE : this.#value(type, depth + 1));
    }
  }

  #value(type: number, depth: number): ThriftValue {
    const reader = this.#reader;
    if (depth > MAX_DEPTH) throw damaged(`at most ${MAX_DEPTH} levels of metadata`);
    if (++this.#values > MAX_VALUES) throw damaged(`at most ${MAX_VALUES} values in the metadata`);
    if (type === TRUE || type === FALSE) return reader.byte() === TRUE;
    if (type === BYTE) return reader.view.getInt8(reader.skip(1));
    if (type > BYTE && type <= I64) return plain(reader.zigzag());
    if (type === DOUBLE) return reader.view.getFloat64(reader.skip(8), true);
    if (type === BINARY) return reader.take(reader.varint());
    if (type === LIST || type === SET) return this.#list(depth);
    if (type === MAP) return this.#map(depth);
    if (type === STRUCT) return this.struct(depth);
    throw damaged(`a type of metadata, received ${type}`);
  }

  /** Reads a list. Every item takes at least one byte, so that the bytes bound its length. */
  #list(depth: number): ThriftValue[] {
    const head = this.#reader.byte();
    const count = head >> 4 === 15 ? this.#reader.varint() : head >> 4;
    if (count > this.#reader.left) throw damaged(`${count} items, received ${this.#reader.left} bytes`);
    const items: ThriftValue[] = [];
    for (let i = 0; i < count; i++) items.push(this.#value(head & 0x0f, depth + 1));
    return items;
  }

  #map(depth: number): ThriftValue[] {
    const count = this.#reader.varint();
    if (count === 0) return [];
    const types = this.#reader.byte();
    if (2 * count > this.#reader.left) throw damaged(`${count} entries, received ${this.#reader.left} bytes`);
    const items: ThriftValue[] = [];
    for (let i = 0; i < count; i++) {
      items.push(this.#value(types >> 4, depth + 1), this.#value(types & 0x0f, depth + 1));
    }
    return items;
  }
}

function plain(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The whole number of a field; undefined if it is absent. Throws for a value of another type. */
export function numberIn(struct: ThriftStruct, field: number): number | undefined {
  const value = struct.get(field);
  if (value === undefined || typeof value === 'number') return value;
  throw damaged(`a number in field ${field} of the metadata`);
}

export function textIn(struct: ThriftStruct, field: number): string | undefined {
  const value = struct.get(field);
  if (value === undefined) return undefined;
  if (!(value instanceof Uint8Array)) throw damaged(`a text in field ${field} of the metadata`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(value);
}

export function structIn(struct: ThriftStruct, field: number): ThriftStruct | undefined {
  const value = struct.get(field);
  if (value === undefined) return undefined;
  return asStruct(value);
}

export function asStruct(value: ThriftValue): ThriftStruct {
  if (value instanceof Map) return value as ThriftStruct;
  throw damaged('a structure in the metadata');
}

/** The items of a list; none if the field is absent. */
export function listIn(struct: ThriftStruct, field: number): readonly ThriftValue[] {
  const value = struct.get(field);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw damaged(`a list in field ${field} of the metadata`);
  return value as readonly ThriftValue[];
}
