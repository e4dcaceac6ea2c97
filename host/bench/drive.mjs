/** Fixes of a unit that drives to and fro, `step` milliseconds apart. */
export function driveOf(count, from, step) {
  return Array.from({ length: count }, (_, i) => ({
    time: from + i * step,
    lon: 30.3 + 0.3 * Math.sin(i / 40),
    lat: 60,
    speedKph: 40,
  }));
}
