/** What the layers of vector tiles are, by their names in the usual schemas (OpenMapTiles, Protomaps, Shortbread). */

export type BaseKind = 'land' | 'water' | 'green' | 'building' | 'road' | 'border';

const KINDS: readonly (readonly [words: RegExp, kind: BaseKind])[] = [
  [/water|ocean|sea|river|lake/, 'water'],
  [/park|wood|forest|landcover|landuse|land_use|green|grass|site/, 'green'],
  [/building/, 'building'],
  [/road|street|transport|rail|bridge|aeroway|ferr/, 'road'],
  [/boundar|admin/, 'border'],
];

/** `land` for a layer whose name says nothing. */
export function baseKind(layer: string): BaseKind {
  return KINDS.find(([words]) => words.test(layer.toLowerCase()))?.[1] ?? 'land';
}
