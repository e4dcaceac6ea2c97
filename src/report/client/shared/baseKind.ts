/** The map below: kinds of the layers and lines of vector tiles by their names in the usual schemas, and round degrees for maps without tiles. */

const STEPS = [
  30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
];
const MOST_LAT = 85;
const LETTERS: GraticuleWords = { north: 'N', south: 'S', east: 'E', west: 'W' };

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

/** A line of constant longitude or latitude; degrees. */
interface GraticuleLine {
  readonly isMeridian: boolean;
  readonly value: number;
  readonly text: string;
}

/** Letters for north, south, east and west. */
export interface GraticuleWords {
  readonly north: string;
  readonly south: string;
  readonly east: string;
  readonly west: string;
}

/** Lines across `view` (west, south, east, north). `spacing`: wanted distance between two lines, degrees of longitude. */
export function graticuleLines(
  [west, south, east, north]: readonly [number, number, number, number],
  spacing: number,
  words: GraticuleWords = LETTERS,
): GraticuleLine[] {
  const step = STEPS.findLast((value) => value >= spacing) ?? STEPS[0]!;
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const gap = words.north.length > 1 ? ' ' : '';
  const lines: GraticuleLine[] = [];
  for (let k = Math.ceil(west / step); k * step <= east; k++) {
    const lon = ((((k * step + 180) % 360) + 360) % 360) - 180;
    const text = `${Math.abs(lon).toFixed(digits)}°${gap}${lon < 0 ? words.west : words.east}`;
    lines.push({ isMeridian: true, value: k * step, text });
  }
  const [bottom, top] = [Math.max(-MOST_LAT, south), Math.min(MOST_LAT, north)];
  for (let k = Math.ceil(bottom / step); k * step <= top; k++) {
    const lat = k * step;
    const text = `${Math.abs(lat).toFixed(digits)}°${gap}${lat < 0 ? words.south : words.north}`;
    lines.push({ isMeridian: false, value: lat, text });
  }
  return lines;
}
