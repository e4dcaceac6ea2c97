/** Grids that list the boxes of pieces. */

export { BoxGrid, ENTRY_WORDS, type Found } from './boxGrid.js';
export { boxLayers } from './boxLayers.js';
export { type GridSpan, openSpan, spanBox, wholeGrid } from './gridSpan.js';
