/** Grids of lists of boxes. */

export { BoxGrid, ENTRY, type Found } from './boxGrid.js';
export { boxLayers } from './boxLayers.js';
