/** The R-tree of pieces, and the nearest zones by it. */

export { BoxTree } from './boxTree.js';
export { visitNearest } from './visitNearest.js';
