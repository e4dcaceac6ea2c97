/**
 * Simplifies lines for drawing (Douglas and Peucker 1973, doi:10.3138/FM57-6770-U75U-7727) on a local map, and packs coordinates as
 * differences in millionths of a degree.
 */

export const METERS_PER_DEGREE = 111_195;
const SCALE = 1e6;

/**
 * Indices of the positions to keep, ascending. No dropped position is more than `toleranceMeters` from the drawn line.
 *
 * The first and the last position are always kept. Distances are on a local flat map (an error of a few per cent), which is enough for drawing.
 */
export function thin(lon: ArrayLike<number>, lat: ArrayLike<number>, toleranceMeters: number): number[] {
  return keptIndices(lon.length, toleranceMeters, (i, from, to) => squareDistance(lon, lat, i, from, to));
}

/**
 * Indices of the kept positions of `count`. `squareOf(i, from, to)`: squared distance, in square degrees of latitude, of position `i` from
 * its place on the line `from`–`to`.
 */
export function keptIndices(
  count: number,
  toleranceMeters: number,
  squareOf: (i: number, from: number, to: number) => number,
): number[] {
  if (count < 3) return Array.from({ length: count }, (_, i) => i);
  const kept = new Uint8Array(count);
  kept[0] = 1;
  kept[count - 1] = 1;
  const limit = (toleranceMeters / METERS_PER_DEGREE) ** 2;
  const open: [number, number][] = [[0, count - 1]];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [from, to] = span;
    let worst = -1;
    let worstSquare = limit;
    for (let i = from + 1; i < to; i++) {
      const square = squareOf(i, from, to);
      if (square > worstSquare) {
        worst = i;
        worstSquare = square;
      }
    }
    if (worst >= 0) {
      kept[worst] = 1;
      open.push([from, worst], [worst, to]);
    }
  }
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) if (kept[i] === 1) numbers.push(i);
  return numbers;
}

/** Squared distance of a position from the segment `from`–`to`, square degrees of latitude. */
function squareDistance(
  lon: ArrayLike<number>,
  lat: ArrayLike<number>,
  point: number,
  from: number,
  to: number,
): number {
  const y = lat[point] as number;
  const shrink = Math.cos((y * Math.PI) / 180);
  const ax = ((lon[from] as number) - (lon[point] as number)) * shrink;
  const ay = (lat[from] as number) - y;
  const dx = ((lon[to] as number) - (lon[from] as number)) * shrink;
  const dy = (lat[to] as number) - (lat[from] as number);
  const size = dx * dx + dy * dy;
  const t = size === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / size));
  return (ax + t * dx) ** 2 + (ay + t * dy) ** 2;
}

/** The line as `[lat, lon, step of lat, step of lon, …]`, millionths of a degree. */
export function packLine(
  lon: ArrayLike<number>,
  lat: ArrayLike<number>,
  numbers: readonly number[],
): number[] {
  const packed: number[] = [];
  let lastLat = 0;
  let lastLon = 0;
  for (const i of numbers) {
    const y = Math.round((lat[i] as number) * SCALE);
    const x = Math.round((lon[i] as number) * SCALE);
    packed.push(y - lastLat, x - lastLon);
    lastLat = y;
    lastLon = x;
  }
  return packed;
}
