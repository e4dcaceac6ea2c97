/** Kinds of the layers and lines of vector tiles, by their names in the usual schemas (OpenMapTiles, Protomaps, Shortbread). */

export type BaseKind = 'land' | 'water' | 'green' | 'building' | 'road' | 'border';

const KINDS: readonly (readonly [words: RegExp, kind: BaseKind])[] = [
  [/water|ocean|sea|river|lake/, 'water'],
  [/park|wood|forest|landcover|landuse|land_use|green|grass|site/, 'green'],
  [/building/, 'building'],
  [/road|street|transport|rail|bridge|aeroway|ferr/, 'road'],
  [/boundar|admin/, 'border'],
];

/** The kind of a layer; `land` for an unknown name. */
export function baseKind(layer: string): BaseKind {
  return KINDS.find(([words]) => words.test(layer.toLowerCase()))?.[1] ?? 'land';
}

/** The property with the class of a line: `class` in OpenMapTiles, `kind` in the other schemas. */
export const LINE_CLASSES = ['class', 'kind'] as const;

/** Rank of a road by its class, 3 for the most important; lines of other classes have 1. */
export const ROAD_RANKS: Readonly<Record<string, number>> = {
  motorway: 3,
  trunk: 3,
  primary: 3,
  highway: 3,
  major_road: 3,
  runway: 3,
  secondary: 2,
  tertiary: 2,
  medium_road: 2,
  rail: 0,
  path: 0,
  track: 0,
  footway: 0,
  ferry: 0,
};
const OTHER_RANK = 1;

export function roadRank(properties: Readonly<Record<string, unknown>>): number {
  const found = LINE_CLASSES.map((name) => properties[name]).find((value) => typeof value === 'string');
  return Object.hasOwn(ROAD_RANKS, String(found)) ? ROAD_RANKS[found as string]! : OTHER_RANK;
}

/** Width of a road at zoom 12 by its rank, pixels; it grows by `ROAD_GROWTH` with each zoom. */
export const ROAD_WIDTHS: readonly number[] = [0.6, 1.4, 2.6, 4.2];
export const ROAD_GROWTH = 1.4;

/** Width of a road's border on each side, pixels. */
export const CASING = 0.8;

export function roadWidth(rank: number, zoom: number): number {
  return ROAD_WIDTHS[rank]! * ROAD_GROWTH ** (Math.min(zoom, 18) - 12);
}
