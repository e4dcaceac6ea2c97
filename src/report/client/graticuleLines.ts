/** Round degrees of a map's view, for maps without a base map. */

const STEPS = [
  30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
];
const MOST_LAT = 85;

/** A line of constant longitude or latitude; degrees. */
export interface GraticuleLine {
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

const LETTERS: GraticuleWords = { north: 'N', south: 'S', east: 'E', west: 'W' };

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
