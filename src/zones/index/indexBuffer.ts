/** An index as one buffer: its columns, tree and rows, and the cells if wanted; opening it makes views and rebuilds nothing. */

import { WayzoneError } from '../../core/errors.js';
import type { ZoneOptions } from '../../core/wire.js';
import { openSections, type SectionData, writeSections } from './bufferFormat.js';
import type { SavedCells } from './cells.js';
import { PackedTree } from './packedTree.js';
import type { SavedRows } from './rowTable.js';
import { CHUNK_NUMBERS, DISC, ShapeStore } from './shapeStore.js';

/** How rows are read; travels with the buffer, so that what is added later is read alike. */
export interface SavedOptions extends ZoneOptions {
  readonly includeDeleted?: boolean;
}

export interface IndexParts {
  readonly options: SavedOptions;
  readonly store: ShapeStore;
  readonly tree: PackedTree;
  readonly rows: SavedRows;
  readonly cells: SavedCells | null;
}

const SECTIONS = 28;

export function writeIndex(parts: IndexParts, shared: boolean): ArrayBuffer | SharedArrayBuffer {
  const { options, store, tree, rows, cells } = parts;
  const { ringCount, pieceCount, zoneCount } = store;
  const sections: SectionData[] = [
    new TextEncoder().encode(JSON.stringify(options)),
    Float64Array.of(tree.count, rows.live),
    store.coords.subarray(0, 2 * store.vertexCount),
    store.ringFrom.subarray(0, ringCount),
    store.ringTo.subarray(0, ringCount),
    store.ringMarks.subarray(0, ringCount),
    store.ringChunk.subarray(0, ringCount),
    store.chunkBoxes.subarray(0, CHUNK_NUMBERS * store.chunkCount),
    store.discs.subarray(0, DISC * store.discCount),
    store.pieceZone.subarray(0, pieceCount),
    store.pieceKind.subarray(0, pieceCount),
    store.pieceFrom.subarray(0, pieceCount),
    store.pieceTo.subarray(0, pieceCount),
    store.pieceSize.subarray(0, pieceCount),
    store.pieceBoxes.subarray(0, 4 * pieceCount),
    store.zoneFrom.subarray(0, zoneCount),
    store.zonePieces.subarray(0, zoneCount),
    tree.boxes,
    tree.children,
    rows.idFrom,
    rows.idBytes,
    rows.rowFrom,
    rows.rowBytes,
    rows.modes,
    rows.buckets,
    cells?.grid ?? new Float64Array(0),
    cells?.slots ?? new Int32Array(0),
    cells?.words ?? new Int32Array(0),
  ];
  return writeSections(sections, shared);
}

/** Opens what `writeIndex` wrote. O(1) without `verify`. Errors: `buffer-…`. */
export function openIndex(buffer: ArrayBuffer | SharedArrayBuffer, verify: boolean): IndexParts {
  const sections = openSections(buffer, SECTIONS, verify);
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
        'expected whole numbers in a section, received parts',
      );
    }
    return new View(buffer, first, bytes / size);
  };
  const bytes = (): Uint8Array => view(Uint8Array, 1);
  const words = (): Uint32Array => view(Uint32Array, 4);
  const signed = (): Int32Array => view(Int32Array, 4);
  const floats = (): Float32Array => view(Float32Array, 4);
  const doubles = (): Float64Array => view(Float64Array, 8);

  const options = readOptions(bytes());
  const numbers = doubles();
  const store = new ShapeStore();
  store.coords = doubles();
  store.ringFrom = words();
  store.ringTo = words();
  store.ringMarks = bytes();
  store.ringChunk = words();
  store.chunkBoxes = floats();
  store.discs = doubles();
  store.pieceZone = words();
  store.pieceKind = bytes();
  store.pieceFrom = words();
  store.pieceTo = words();
  store.pieceSize = doubles();
  store.pieceBoxes = floats();
  store.zoneFrom = words();
  store.zonePieces = words();
  store.openColumns();
  const tree = new PackedTree(floats(), words(), numbers[0]!);
  const rows: SavedRows = {
    idFrom: words(),
    idBytes: bytes(),
    rowFrom: words(),
    rowBytes: bytes(),
    modes: bytes(),
    buckets: words(),
    live: numbers[1]!,
  };
  const cells = { grid: doubles(), slots: signed(), words: signed() };
  return { options, store, tree, rows, cells: cells.grid.length === 0 ? null : cells };
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
