/** Messages between `locateParallel` and its workers. */

/** Number of positions that a worker takes at a time. */
export const CHUNK_POSITIONS = 16_384;

export interface LocateTask {
  readonly index: SharedArrayBuffer;
  readonly positions: Float64Array;
  /** Number of the next free chunk, shared by all workers. */
  readonly next: Int32Array;
}

export interface ChunkAnswer {
  readonly chunk: number;
  /** Offsets of the chunk; null if one of its positions cannot be read. */
  readonly offsets: Uint32Array | null;
  readonly zones: Uint32Array;
}
