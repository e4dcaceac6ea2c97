/** The tiles of a report's map: those that contain positions of zones and tracks, with their neighbours. */

import type { ReportUnit, ReportZone } from '../../../report/index.js';

/** Largest number of tiles of the whole box that are all taken, so that at low zooms the map has no holes. */
const MOST_IN_BOX = 64;

/** Positions that the page shows. */
interface Seen {
  readonly zones: readonly Pick<ReportZone, 'lonLat'>[];
  readonly units: readonly { readonly track: Pick<ReportUnit['track'], 'lon' | 'lat' | 'length'> }[];
}

/** Tiles `[x, y]` of a zoom, sorted. No tile is added along the line between two fixes or vertices. */
export function tilesAround({ zones, units }: Seen, zoom: number): [x: number, y: number][] {
  const side = 2 ** zoom;
  const places = new Set<number>();
  let [west, east, top, bottom] = [side, -1, side, -1];
  const add = (lon: number, lat: number): void => {
    const x = Math.floor((((((lon + 180) % 360) + 360) % 360) / 360) * side);
    const sin = Math.sin((Math.min(85, Math.max(-85, lat)) * Math.PI) / 180);
    const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * side);
    [west, east, top, bottom] = [Math.min(west, x), Math.max(east, x), Math.min(top, y), Math.max(bottom, y)];
    places.add(y * side + x);
  };
  for (const { lonLat } of zones) for (const [lon, lat] of lonLat) add(lon, lat);
  for (const { track } of units) for (let i = 0; i < track.length; i++) add(track.lon[i]!, track.lat[i]!);
  if (places.size === 0) return [];
  const wanted = new Set<number>();
  if ((east - west + 3) * (bottom - top + 3) <= MOST_IN_BOX) {
    for (let y = Math.max(0, top - 1); y <= Math.min(side - 1, bottom + 1); y++)
      for (let x = west - 1; x <= east + 1; x++) wanted.add(y * side + ((x + side) % side));
  } else {
    for (const place of places) {
      const [x, y] = [place % side, Math.floor(place / side)];
      for (let row = Math.max(0, y - 1); row <= Math.min(side - 1, y + 1); row++)
        for (const column of [x - 1, x, x + 1]) wanted.add(row * side + ((column + side) % side));
    }
  }
  return [...wanted].sort((a, b) => a - b).map((place) => [place % side, Math.floor(place / side)]);
}
