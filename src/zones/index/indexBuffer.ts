/** Stores an index in one buffer: columns, lists, rows and, on request, cells. Opening it creates views and rebuilds nothing. */

import { WayzoneError } from '../../core/errors.js';
import { BOUNDS_STRIDE, ShapeColumns } from '../shapes/index.js';
import { BoxGrid, ENTRY_WORDS } from './boxes/index.js';
import { bytesOf, openSections, type SectionData, writeSections } from './bufferFormat.js';
import type { SavedCells } from './raster/index.js';
import type { SavedRows } from './rows/index.js';
import type { SavedOptions } from './types.js';

interface IndexParts {
  readonly options: SavedOptions;
  readonly columns: ShapeColumns;
  readonly layers: readonly BoxGrid[];
  readonly rows: SavedRows;
  readonly cells: SavedCells | null;
}

const SECTIONS = 27;
/** Number of values per layer: four bounds, columns, rows, length of starts, length of entries. */
const LAYER = 8;

export function packIndex(parts: IndexParts, shared: boolean): ArrayBuffer | SharedArrayBuffer {
  const { options, columns, layers, rows, cells } = parts;
  const { ringCount, pieceCount, zoneCount } = columns;
  const sections: SectionData[] = [
    new TextEncoder().encode(JSON.stringify(options)),
    Float64Array.of(rows.live, cells?.count ?? 0),
    columns.coords.subarray(0, 2 * columns.vertexCount),
    columns.ringFrom.subarray(0, ringCount),
    columns.ringTo.subarray(0, ringCount),
    columns.ringMarks.subarray(0, ringCount),
    columns.metricBounds.subarray(0, BOUNDS_STRIDE * columns.boundsCount),
    columns.pieceZone.subarray(0, pieceCount),
    columns.pieceKind.subarray(0, pieceCount),
    columns.pieceFrom.subarray(0, pieceCount),
    columns.pieceTo.subarray(0, pieceCount),
    columns.pieceSize.subarray(0, pieceCount),
    columns.pieceBoxes.subarray(0, 4 * pieceCount),
    columns.zoneFrom.subarray(0, zoneCount),
    columns.zonePieces.subarray(0, zoneCount),
    Float64Array.from(layers.flatMap(numbersOf)),
    joined(layers.map(({ bases }) => bases)),
    Uint16Array.from(layers.flatMap(({ parts }) => [...parts])),
    joined(layers.map(({ starts }) => starts)),
    joined(layers.map(({ entries }) => entries)),
    rows.idFrom,
    rows.idUnits,
    rows.rowFrom,
    rows.rowBytes,
    rows.modes,
    cells?.states ?? new Uint32Array(0),
    cells?.words ?? new Uint32Array(0),
  ];
  return writeSections(sections, shared);
}

function numbersOf({ west, south, east, north, columns, rows, starts, entries }: BoxGrid): number[] {
  return [west, south, east, north, columns, rows, starts.length, entries.length / ENTRY_WORDS];
}

function joined(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length === 1) return lists[0]!;
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/** Opens a buffer of `packIndex`, or a view of it. O(1) without `verify`. Errors: `buffer-…`. */
export function openIndex(buffer: unknown, verify: boolean): IndexParts {
  const memory = bytesOf(buffer);
  const sections = openSections(memory, SECTIONS, verify);
  let next = 0;
  const view = <T>(
    View: new (buffer: ArrayBufferLike, first: number, length: number) => T,
    size: number,
  ): T => {
    const [first, bytes] = sections[next++]!;
    if (bytes % size !== 0) {
      throw new WayzoneError(
        'buffer-damaged',
        'buffer',
        `expected a section of numbers of ${size} bytes, received ${bytes} bytes`,
      );
    }
    return new View(memory.buffer, memory.byteOffset + first, bytes / size);
  };
  const bytes = (): Uint8Array => view(Uint8Array, 1);
  const words = (): Uint32Array => view(Uint32Array, 4);
  const doubles = (): Float64Array => view(Float64Array, 8);

  const options = readOptions(bytes());
  const numbers = doubles();
  const columns = new ShapeColumns();
  columns.coords = doubles();
  columns.ringFrom = words();
  columns.ringTo = words();
  columns.ringMarks = bytes();
  columns.metricBounds = doubles();
  columns.pieceZone = words();
  columns.pieceKind = bytes();
  columns.pieceFrom = words();
  columns.pieceTo = words();
  columns.pieceSize = doubles();
  columns.pieceBoxes = view(Float32Array, 4);
  columns.zoneFrom = words();
  columns.zonePieces = words();
  columns.openColumns();
  const layers = openLayers(doubles(), words(), view(Uint16Array, 2), words(), words());
  const rows: SavedRows = {
    idFrom: words(),
    idUnits: view(Uint16Array, 2),
    rowFrom: words(),
    rowBytes: bytes(),
    modes: bytes(),
    live: numbers[0]!,
  };
  const cells = { states: words(), words: words(), count: numbers[1]! };
  return { options, columns, layers, rows, cells: cells.words.length === 0 ? null : cells };
}

function openLayers(
  numbers: Float64Array,
  bases: Uint32Array,
  parts: Uint16Array,
  starts: Uint32Array,
  entries: Uint32Array,
): BoxGrid[] {
  const layers: BoxGrid[] = [];
  let [cell, part, entry] = [0, 0, 0];
  for (let at = 0; at < numbers.length; at += LAYER) {
    const columns = numbers[at + 4]!;
    const rows = numbers[at + 5]!;
    const grid = new BoxGrid(numbers.subarray(at, at + 4), columns, rows);
    grid.bases = bases.subarray(cell, cell + columns * rows);
    grid.parts = parts.subarray(cell, cell + columns * rows);
    grid.starts = starts.subarray(part, part + numbers[at + 6]!);
    grid.entries = entries.subarray(ENTRY_WORDS * entry, ENTRY_WORDS * (entry + numbers[at + 7]!));
    layers.push(grid);
    cell += columns * rows;
    part += numbers[at + 6]!;
    entry += numbers[at + 7]!;
  }
  return layers;
}

function readOptions(bytes: Uint8Array): SavedOptions {
  try {
    return JSON.parse(new TextDecoder().decode(bytes.slice())) as SavedOptions;
  } catch (cause) {
    throw new WayzoneError('buffer-damaged', 'buffer', 'expected options in JSON, received other text', {
      cause,
    });
  }
}
