/** Writes layers of the Mapbox Vector Tile specification 2.1 (github.com/mapbox/vector-tile-spec), with `pbf`. */

import { PbfWriter } from 'pbf';
import { withRoom } from '../zones/shapes/index.js';
import { EXTENT } from './tileFrame.js';

/** The value of a property. */
export type PropertyValue = string | number | boolean;

/** Names and values of properties. */
export class Properties {
  readonly names: string[] = [];
  readonly values: PropertyValue[] = [];
  count = 0;

  add(name: string, value: PropertyValue): void {
    this.names[this.count] = name;
    this.values[this.count++] = value;
  }

  addAll({ names, values }: Properties): void {
    for (const [i, name] of names.entries()) this.add(name, values[i]!);
  }
}

/** A line; a closed one ends where it begins, without repeating its first point. */
export interface TileLine {
  readonly points: readonly number[];
  readonly isClosed: boolean;
}

/** Field numbers of the messages. */
const TILE_LAYER = 3;
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 };
const FEATURE = { id: 1, tags: 2, type: 3, geometry: 4 };
const VALUE = { text: 1, double: 3, whole: 6, flag: 7 };
const POINT = 1;
const LINE = 2;
const POLYGON = 3;
const MOVE = 1;
const DRAW = 2;
/** The command that closes a ring, once. */
const CLOSE = 15;
/** Bytes for which a layer has room at first. */
const FIRST_BYTES = 4096;
/** Most bytes of a value that is not a text, with its headers. */
const VALUE_BYTES = 11;
/** Bytes of a layer without features, about. */
const LAYER_BYTES = 30;

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
  #isEmpty = true;
  /** Bytes of the keys and values, about. */
  #tableBytes = LAYER_BYTES;

  constructor(name: string) {
    this.#name = name;
  }

  /** The size of the layer so far, but for few bytes. */
  get bytes(): number {
    return this.#isEmpty ? 0 : this.#pbf.pos + this.#tableBytes;
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
    if (this.#isEmpty) return;
    const pbf = this.#pbf;
    for (const key of this.#keys.keys()) pbf.writeStringField(LAYER.key, key);
    for (const value of this.#values.keys()) pbf.writeMessage(LAYER.value, writeValue, value);
    pbf.writeVarintField(LAYER.extent, EXTENT);
    pbf.writeVarintField(LAYER.version, 2);
    pbf.writeStringField(LAYER.name, this.#name);
    tile.writeBytesField(TILE_LAYER, pbf.finish());
  }

  #begin(): void {
    this.#count = 0;
    this.#x = 0;
    this.#y = 0;
  }

  /** Adds the points of a path. `more` points are drawn after them. */
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
      this.#tags[2 * i] = this.#numberOf(this.#keys, names[i]!);
      this.#tags[2 * i + 1] = this.#numberOf(this.#values, values[i]!);
    }
    this.#tagCount = 2 * count;
    this.#id = id;
    this.#type = type;
    this.#isEmpty = false;
    this.#pbf.writeMessage(LAYER.feature, this.#writeFeature, null);
  }

  /** The number of a key or value in its table, where it is added if it is new. */
  #numberOf<T extends PropertyValue>(table: Map<T, number>, entry: T): number {
    const known = table.get(entry);
    if (known !== undefined) return known;
    const number = table.size;
    table.set(entry, number);
    this.#tableBytes += sizeOf(entry);
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

/** Bytes of a value with its headers, about. */
function sizeOf(value: PropertyValue): number {
  if (typeof value !== 'string') return VALUE_BYTES;
  let bytes = 4;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    // Both halves of a surrogate pair count: 4 bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}

function writeValue(value: PropertyValue, pbf: PbfWriter): void {
  if (typeof value === 'string') pbf.writeStringField(VALUE.text, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(VALUE.flag, value);
  else if (Number.isSafeInteger(value)) pbf.writeSVarintField(VALUE.whole, value);
  else pbf.writeDoubleField(VALUE.double, value);
}

/** The bytes of a tile: none if no layer has a feature. */
export function tileBytes(layers: readonly LayerWriter[]): Uint8Array {
  const tile = new PbfWriter();
  for (const layer of layers) layer.writeTo(tile);
  return tile.finish();
}
