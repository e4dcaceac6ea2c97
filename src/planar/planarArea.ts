/** The signed area on the plane of an open or closed ring, counterclockwise positive; coordinates are taken relative to its first vertex. */
export function planarArea(ring: readonly (readonly [x: number, y: number])[]): number {
  const [x0, y0] = ring[0]!;
  let sum = 0;
  for (let i = 1; i + 1 < ring.length; i++) {
    sum += (ring[i]![0] - x0) * (ring[i + 1]![1] - y0) - (ring[i + 1]![0] - x0) * (ring[i]![1] - y0);
  }
  return sum / 2;
}
