/** How wide a place is, by the time that a unit rests there. */

/** Noise of positions alone is as wide. */
const LEAST_METERS = 15;

/** Metres: at most `stayMeters`, and at most half of what the least speed covers in the time. */
export function placeRadius(minSpeedKph: number, milliseconds: number, stayMeters: number): number {
  const half = (minSpeedKph * milliseconds) / 7200;
  return Math.max(LEAST_METERS, Math.min(stayMeters, half));
}
