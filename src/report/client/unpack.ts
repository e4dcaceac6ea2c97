/** Reverses `packLine`. */

/** Positions `[lat, lon]` in degrees of a packed line. */
export function unpack(packed: readonly number[]): [number, number][] {
  const line: [number, number][] = [];
  let lat = 0;
  let lon = 0;
  for (let i = 0; i + 1 < packed.length; i += 2) {
    lat += packed[i]!;
    lon += packed[i + 1]!;
    line.push([lat / 1e6, lon / 1e6]);
  }
  return line;
}
