/** Writes layers of the Mapbox Vector Tile specification 2.1 (github.com/mapbox/vector-tile-spec), with `pbf`. */

import { PbfWriter } from 'pbf';
import { withRoom } from '../zones/shapes/index.js';
import { EXTENT } from './tileFrame.js';

/** The value of a property. */
export type PropertyValue = string | number | boolean;

/** Properties of a feature: names and values. */
export class Properties {
  readonly names: string[] = [];
  readonly values: PropertyValue[] = [];
  count = 0;

  add(name: string, value: PropertyValue): void {
    this.names[this.count] = wellFormed(name);
    this.values[this.count++] = typeof value === 'string' ? wellFormed(value) : value;
  }

  addAll({ names, values }: Properties): void {
    for (const [i, name] of names.entries()) this.add(name, values[i]!);
  }
}

/** The text with unpaired surrogates replaced by U+FFFD, because `pbf` loses some of them. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}

/** A line. A closed one ends at its first point, which is not repeated. */
export interface TileLine {
  readonly points: readonly number[];
  readonly isClosed: boolean;
}

/** Field numbers of the protobuf messages. */
const TILE_LAYER = 3;
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 };
const FEATURE = { id: 1, tags: 2, type: 3, geometry: 4 };
const VALUE = { text: 1, double: 3, whole: 6, flag: 7 };
const POINT = 1;
const LINE = 2;
const POLYGON = 3;
const MOVE = 1;
const DRAW = 2;
/** The command that closes a ring, with count 1. */
const CLOSE = 15;
/** Initial room of a layer, bytes. */
const FIRST_BYTES = 4096;
/** Size of the extent, the version, and the header of a layer's name, bytes. */
const LAYER_BYTES = 7;
/** Bound of exact negative whole numbers: they are written as odd numbers of twice their size. */
const MOST_WHOLE = 2 ** 52;

/** The state of a layer at one time. */
export interface LayerMark {
  readonly position: number;
  readonly keys: number;
  readonly values: number;
  readonly tableBytes: number;
}

/** One layer of a tile. */
export class LayerWriter {
  readonly #name: string;
  readonly #pbf: PbfWriter = new PbfWriter(new Uint8Array(FIRST_BYTES));
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<PropertyValue, number>();
  #tags: Uint32Array = new Uint32Array(32);
  #geometry: Uint32Array = new Uint32Array(1024);
  #tagCount = 0;
  #count = 0;
  #x = 0;
  #y = 0;
  #type = 0;
  #id: number | null = null;
  /** Size of the keys and values, bytes. */
  #tableBytes = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Size of the layer so far, bytes. */
  get bytes(): number {
    const { pos } = this.#pbf;
    return pos === 0 ? 0 : fieldBytes(pos + this.#tableBytes + LAYER_BYTES + this.#name.length);
  }

  /** A mark of the present end of the layer. */
  get mark(): LayerMark {
    return {
      position: this.#pbf.pos,
      keys: this.#keys.size,
      values: this.#values.size,
      tableBytes: this.#tableBytes,
    };
  }

  /** Removes all that was added after the mark. */
  backTo({ position, keys, values, tableBytes }: LayerMark): void {
    this.#pbf.pos = position;
    this.#tableBytes = tableBytes;
    for (const key of [...this.#keys.keys()].slice(keys)) this.#keys.delete(key);
    for (const value of [...this.#values.keys()].slice(values)) this.#values.delete(value);
  }

  point(id: number | null, properties: Properties, x: number, y: number): void {
    this.#begin();
    this.#command(MOVE, 1);
    this.#move(x, y);
    this.#end(id, properties, POINT);
  }

  lines(id: number, properties: Properties, lines: readonly TileLine[]): void {
    this.#begin();
    for (const { points, isClosed } of lines) {
      this.#path(points, isClosed ? 1 : 0);
      if (isClosed) this.#move(points[0]!, points[1]!);
    }
    this.#end(id, properties, LINE);
  }

  polygons(id: number, properties: Properties, polygons: readonly (readonly (readonly number[])[])[]): void {
    this.#begin();
    for (const polygon of polygons) {
      for (const ring of polygon) {
        this.#path(ring, 0);
        this.#geometry[this.#count++] = CLOSE;
      }
    }
    this.#end(id, properties, POLYGON);
  }

  /** Ends the layer and adds it to a tile. A layer without features is not written. */
  writeTo(tile: PbfWriter): void {
    const pbf = this.#pbf;
    if (pbf.pos === 0) return;
    for (const key of this.#keys.keys()) writeText(pbf, LAYER.key, key);
    for (const value of this.#values.keys()) pbf.writeMessage(LAYER.value, writeValue, value);
    pbf.writeVarintField(LAYER.extent, EXTENT);
    pbf.writeVarintField(LAYER.version, 2);
    writeText(pbf, LAYER.name, this.#name);
    tile.writeBytesField(TILE_LAYER, pbf.finish());
  }

  #begin(): void {
    this.#count = 0;
    this.#x = 0;
    this.#y = 0;
  }

  /** Adds the points of a path. `more`: number of points drawn after them. */
  #path(points: readonly number[], more: number): void {
    const needed = this.#count + points.length + 8;
    if (needed > this.#geometry.length) this.#geometry = withRoom(this.#geometry, needed);
    this.#command(MOVE, 1);
    this.#move(points[0]!, points[1]!);
    this.#command(DRAW, points.length / 2 - 1 + more);
    for (let i = 2; i < points.length; i += 2) this.#move(points[i]!, points[i + 1]!);
  }

  #command(command: number, times: number): void {
    this.#geometry[this.#count++] = command | (times << 3);
  }

  #move(x: number, y: number): void {
    const dx = x - this.#x;
    const dy = y - this.#y;
    this.#geometry[this.#count++] = (dx << 1) ^ (dx >> 31);
    this.#geometry[this.#count++] = (dy << 1) ^ (dy >> 31);
    this.#x = x;
    this.#y = y;
  }

  #end(id: number | null, { names, values, count }: Properties, type: number): void {
    if (2 * count > this.#tags.length) this.#tags = new Uint32Array(4 * count);
    for (let i = 0; i < count; i++) {
      this.#tags[2 * i] = this.#numberOf(this.#keys, names[i]!, textBytes);
      this.#tags[2 * i + 1] = this.#numberOf(this.#values, values[i]!, valueBytes);
    }
    this.#tagCount = 2 * count;
    this.#id = id;
    this.#type = type;
    this.#pbf.writeMessage(LAYER.feature, this.#writeFeature, null);
  }

  /** The number of a key or value in its table. A new one is added. */
  #numberOf<T>(table: Map<T, number>, entry: T, bytesOf: (entry: T) => number): number {
    const known = table.get(entry);
    if (known !== undefined) return known;
    const number = table.size;
    table.set(entry, number);
    this.#tableBytes += bytesOf(entry);
    return number;
  }

  readonly #writeFeature = (_: null, pbf: PbfWriter): void => {
    if (this.#id !== null) pbf.writeVarintField(FEATURE.id, this.#id);
    if (this.#tagCount > 0)
      pbf.writePackedVarint(FEATURE.tags, this.#tags.subarray(0, this.#tagCount) as never);
    pbf.writeVarintField(FEATURE.type, this.#type);
    pbf.writePackedVarint(FEATURE.geometry, this.#geometry.subarray(0, this.#count) as never);
  };
}

/** Size of a value with its headers, bytes. */
function valueBytes(value: PropertyValue): number {
  if (typeof value === 'string') return fieldBytes(textBytes(value));
  if (typeof value === 'boolean') return fieldBytes(2);
  if (!isWhole(value)) return fieldBytes(9);
  return fieldBytes(1 + varintBytes(value < 0 ? -2 * value - 1 : 2 * value));
}

/** Size of a text in UTF-8 with its header, bytes. */
function textBytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (code < 0x10000) continue;
    bytes++;
    i++;
  }
  return fieldBytes(bytes);
}

/** Size of a field with its number and length, bytes. */
function fieldBytes(bytes: number): number {
  return 1 + varintBytes(bytes) + bytes;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest /= 128) bytes++;
  return bytes;
}

function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= MOST_WHOLE;
}

const SURROGATE = /[\ud800-\udfff]/;
const encoder = new TextEncoder();

/** Writes a text. `pbf` itself writes code points from U+20000 on wrongly: it sets bit 16 instead of adding it. */
function writeText(pbf: PbfWriter, field: number, text: string): void {
  if (SURROGATE.test(text)) pbf.writeBytesField(field, encoder.encode(text));
  else pbf.writeStringField(field, text);
}

function writeValue(value: PropertyValue, pbf: PbfWriter): void {
  if (typeof value === 'string') writeText(pbf, VALUE.text, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(VALUE.flag, value);
  else if (isWhole(value)) pbf.writeSVarintField(VALUE.whole, value);
  else pbf.writeDoubleField(VALUE.double, value);
}

/** The bytes of a tile; empty if no layer has a feature. */
export function tileBytes(layers: readonly LayerWriter[]): Uint8Array {
  const tile = new PbfWriter();
  for (const layer of layers) layer.writeTo(tile);
  return tile.finish();
}
