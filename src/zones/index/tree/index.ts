/** The R-tree of pieces, and the search for nearest zones. */

export { BoxTree } from './boxTree.js';
export { visitNearest } from './visitNearest.js';
