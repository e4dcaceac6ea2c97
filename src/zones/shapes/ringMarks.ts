/**
 * Marks of a ring: it encloses the north pole; encloses the south pole; is a hole; has an edge across the antimeridian; was given closed.
 */
export const NORTH_POLE = 4;
export const SOUTH_POLE = 8;
export const HOLE = 16;
export const WRAPS = 32;
export const CLOSED = 64;
