/** Cells: parts of a grid cut into squares, and the test of a position in a square. */

export { EXACT } from './cellMaker.js';
export { cellSideOf } from './cellSideOf.js';
export { CoverageRaster, type SavedCells } from './coverageRaster.js';
