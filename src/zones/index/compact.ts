/** Clearing away what is gone: the shapes that are there, in new columns. */

import type { Candidates } from './candidates.js';
import { CHUNK, CHUNK_NUMBERS, DISC, LINE, POLYGON, ShapeStore } from './shapeStore.js';

/** The number of a piece that is gone. */
export const GONE: number = 2 ** 32 - 1;

/**
 * Copies the shapes of the zones, in order, to new columns, and the boxes of their pieces, as the candidates have them, to its `fresh` ones.
 * The pieces get new numbers.
 */
export function compacted(old: ShapeStore, candidates: Candidates, ordinals: readonly number[]): ShapeStore {
  const store = new ShapeStore();
  store.reserve(ordinals.length, Math.max(0, old.vertexCount + old.discCount - old.deadVertices));
  const numbers = new Uint32Array(old.pieceCount).fill(GONE);
  for (const ordinal of ordinals) copyZone(old, store, ordinal, numbers);
  candidates.forEachAlive((piece, west, south, east, north) => {
    store.fresh.add(numbers[piece]!, west, south, east, north);
  });
  return store;
}

function copyZone(old: ShapeStore, store: ShapeStore, ordinal: number, numbers: Uint32Array): void {
  const first = old.zoneFrom[ordinal]!;
  const end = first + old.zonePieces[ordinal]!;
  const start = store.pieceCount;
  if (old.pieceKind[first] === LINE) {
    const from = old.pieceFrom[first]!;
    const shift = copyVertices(old, store, from, old.pieceTo[end - 1]! + 1) - from;
    for (let piece = first; piece < end; piece++) {
      numbers[piece] = copyPiece(
        old,
        store,
        piece,
        old.pieceFrom[piece]! + shift,
        old.pieceTo[piece]! + shift,
      );
    }
  } else {
    for (let piece = first; piece < end; piece++) {
      const isPart = old.pieceKind[piece] === POLYGON;
      const from = isPart ? copyRings(old, store, piece) : copyDisc(old, store, old.pieceFrom[piece]!);
      const count = old.pieceTo[piece]! - old.pieceFrom[piece]!;
      numbers[piece] = copyPiece(old, store, piece, from, from + count);
    }
  }
  store.settle(ordinal, start);
}

function copyPiece(old: ShapeStore, store: ShapeStore, piece: number, from: number, to: number): number {
  const at = store.piece(old.pieceZone[piece]!, old.pieceKind[piece]!, from, to, old.pieceSize[piece]!);
  for (let side = 0; side < 4; side++) store.pieceBoxes[4 * at + side] = old.pieceBoxes[4 * piece + side]!;
  return at;
}

/** The vertices of all rings of a part stand one after the other; so do their chunks. */
function copyRings(old: ShapeStore, store: ShapeStore, piece: number): number {
  const first = store.ringCount;
  for (let ring = old.pieceFrom[piece]!; ring < old.pieceTo[piece]!; ring++) {
    const from = old.ringFrom[ring]!;
    const end = old.ringTo[ring]!;
    const at = copyVertices(old, store, from, end);
    const chunks = Math.ceil((end - from) / CHUNK);
    store.ring(at, old.ringMarks[ring]!, chunks);
    const box = CHUNK_NUMBERS * (store.chunkCount - chunks);
    const oldBox = CHUNK_NUMBERS * old.ringChunk[ring]!;
    for (let i = 0; i < CHUNK_NUMBERS * chunks; i++) store.chunkBoxes[box + i] = old.chunkBoxes[oldBox + i]!;
  }
  return first;
}

function copyVertices(old: ShapeStore, store: ShapeStore, from: number, end: number): number {
  const at = store.vertices(end - from);
  const { coords } = store;
  for (let i = 2 * from, to = 2 * at; i < 2 * end; i++, to++) coords[to] = old.coords[i]!;
  return at;
}

function copyDisc(old: ShapeStore, store: ShapeStore, disc: number): number {
  const at = store.disc();
  for (let i = 0; i < DISC; i++) store.discs[DISC * at + i] = old.discs[DISC * disc + i]!;
  return at;
}
