/** Cells: parts of a grid cut into squares, and what a square says of a position. */

export { BORDER, INSIDE, OUTSIDE } from './cellFrame.js';
export { EXACT } from './cellMaker.js';
export { Cells, type SavedCells } from './cells.js';
export { sideOf } from './sideOf.js';
