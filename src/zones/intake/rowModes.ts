/**
 * Row modes: the fields of a row that can be restored from the columns.
 *
 * KEEP: none, the row keeps its fields. AS_STORED: the geometry. AS_STORED_CLOSED: the geometry, with the first vertex repeated at the end.
 * PARTS: the parts. PARTS_AND_RING: the parts, and the geometry, which is their first ring. PARTS_AND_CLOSED_RING: the same, with the first
 * vertex of the geometry repeated at the end.
 */

export const KEEP = 0;
export const AS_STORED = 1;
export const AS_STORED_CLOSED = 2;
export const PARTS = 3;
export const PARTS_AND_RING = 4;
export const PARTS_AND_CLOSED_RING = 5;
