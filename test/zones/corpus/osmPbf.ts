/**
 * Reads nodes and ways of an OpenStreetMap extract: protobuf by hand, blobs by `node:zlib`. Relations, metadata and the tags of
 * nodes are left out. Format: https://wiki.openstreetmap.org/wiki/PBF_Format
 */

import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { Position } from '../../../src/index.js';

export interface OsmWay {
  readonly tags: Readonly<Record<string, string>>;
  /** Ids of nodes. */
  readonly refs: readonly number[];
}

export interface OsmExtract {
  readonly nodes: ReadonlyMap<number, Position>;
  readonly ways: readonly OsmWay[];
}

/** Field number and value: a number for varints, bytes for what has a length. */
type Field = readonly [number, number | Uint8Array];

class Wire {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** An unsigned varint, exact up to 2^53. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  field(): Field {
    const key = this.varint();
    if ((key & 7) === 0) return [key >> 3, this.varint()];
    if ((key & 7) !== 2) throw new Error(`expected wire type 0 or 2, received ${key & 7}`);
    const length = this.varint();
    this.#at += length;
    return [key >> 3, this.#bytes.subarray(this.#at - length, this.#at)];
  }
}

function* fieldsOf(bytes: number | Uint8Array): Generator<Field> {
  const wire = new Wire(bytes as Uint8Array);
  while (!wire.isAtEnd) yield wire.field();
}

function packed(bytes: Uint8Array): number[] {
  const wire = new Wire(bytes);
  const values: number[] = [];
  while (!wire.isAtEnd) values.push(wire.varint());
  return values;
}

/** Packed signed differences, summed up. */
function packedSums(bytes: Uint8Array): number[] {
  let sum = 0;
  return packed(bytes).map((value) => {
    sum += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    return sum;
  });
}

function byNumber(bytes: number | Uint8Array): Map<number, Uint8Array> {
  return new Map([...fieldsOf(bytes)].map(([number, value]) => [number, value as Uint8Array]));
}

const NONE = new Uint8Array();

/** Blocks of type `OSMData`, inflated. */
function* blocksOf(file: Buffer): Generator<Uint8Array> {
  let at = 0;
  while (at < file.length) {
    const headerEnd = at + 4 + file.readUInt32BE(at);
    const header = new Map(fieldsOf(file.subarray(at + 4, headerEnd)));
    at = headerEnd + (header.get(3) as number);
    if (Buffer.from(header.get(1) as Uint8Array).toString() !== 'OSMData') continue;
    const blob = byNumber(file.subarray(headerEnd, at));
    yield blob.get(1) ?? inflateSync(blob.get(3) ?? NONE);
  }
}

export function readOsm(path: string): OsmExtract {
  const nodes = new Map<number, Position>();
  const ways: OsmWay[] = [];
  for (const block of blocksOf(readFileSync(path))) {
    const texts: string[] = [];
    const groups: Uint8Array[] = [];
    const scale = { granularity: 100, lat: 0, lon: 0 };
    for (const [number, value] of fieldsOf(block)) {
      if (number === 1)
        for (const [, text] of fieldsOf(value)) texts.push(Buffer.from(text as Uint8Array).toString());
      else if (number === 2) groups.push(value as Uint8Array);
      else if (number === 17) scale.granularity = value as number;
      else if (number === 19) scale.lat = value as number;
      else if (number === 20) scale.lon = value as number;
    }
    for (const group of groups) {
      for (const [number, value] of fieldsOf(group)) {
        if (number === 2) {
          const dense = byNumber(value);
          const lats = packedSums(dense.get(8) ?? NONE);
          const lons = packedSums(dense.get(9) ?? NONE);
          for (const [i, id] of packedSums(dense.get(1) ?? NONE).entries()) {
            const degrees = (offset: number, units: number): number =>
              Math.round((offset + units * scale.granularity) / 100) / 1e7;
            nodes.set(id, [degrees(scale.lon, lons[i]!), degrees(scale.lat, lats[i]!)]);
          }
        } else if (number === 3) {
          const way = byNumber(value);
          const values = packed(way.get(3) ?? NONE);
          const tags = packed(way.get(2) ?? NONE).map((key, i) => [texts[key]!, texts[values[i]!]!] as const);
          ways.push({ tags: Object.fromEntries(tags), refs: packedSums(way.get(8) ?? NONE) });
        }
      }
    }
  }
  return { nodes, ways };
}
