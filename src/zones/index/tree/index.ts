/** The R-tree of pieces that were added after the lists were built. */

export { BoxTree, type TreeItem, type TreeNode } from './boxTree.js';
