/** Cells: parts of a grid cut into squares, and the test of a position in a square. */

export { cellSideOf } from './cellFrame.js';
export { EXACT } from './cellMaker.js';
export { CoverageRaster, type SavedCells } from './coverageRaster.js';
