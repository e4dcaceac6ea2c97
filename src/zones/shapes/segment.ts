/** Indices of a segment in an array of eight numbers: its ends a and b, and their box. One array is reused, so that no segment is allocated. */

export const A_LON = 0;
export const A_LAT = 1;
export const B_LON = 2;
export const B_LAT = 3;
export const WEST = 4;
export const SOUTH = 5;
export const EAST = 6;
export const NORTH = 7;
