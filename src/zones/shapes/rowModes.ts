/** How the columns hold a row. */

/**
 * What the columns can give back of a row: nothing; its geometry, or that with the first vertex once more at the end; its parts; its parts,
 * and the first ring of them as its geometry, or that closed.
 */
export const KEEP = 0;
export const AS_STORED = 1;
export const AS_STORED_CLOSED = 2;
export const PARTS = 3;
export const PARTS_AND_RING = 4;
export const PARTS_AND_CLOSED_RING = 5;
