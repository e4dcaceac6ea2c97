/** Lists of the boxes of pieces: grids of two levels in layers, and a tree of pieces added since. */

export { BoxGrid, ENTRY_WORDS, type Found } from './boxGrid.js';
export { boxLayers, type GridSpan, openSpan, spanBox, wholeGrid } from './boxLayers.js';
export { BoxTree, type TreeItem, type TreeNode } from './boxTree.js';
