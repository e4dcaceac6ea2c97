/** Messages between `locateParallel` and its workers. */

/** Positions that a worker takes at a time. */
export const CHUNK_POSITIONS = 16_384;

export interface LocateTask {
  readonly index: SharedArrayBuffer;
  readonly positions: Float64Array;
  /** The next chunk that is free. */
  readonly next: Int32Array;
}

export interface ChunkAnswer {
  readonly chunk: number;
  /** Null when a position of the chunk cannot be read. */
  readonly offsets: Uint32Array | null;
  readonly zones: Uint32Array;
}
