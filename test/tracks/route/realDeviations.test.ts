/** Narrow corridors along tracks as people record them: every pass through the corridor between two fixes is found. */

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Pair } from '../../../src/index.js';
import { fromGpx } from '../../../src/interchange/index.js';
import { findDeviations, prepareRoute, readTrack } from '../../../src/tracks/index.js';
import { dataPath } from '../../interchange/realData.js';
import { needs, sharedData } from '../../needs.js';
import { LONG } from '../../volume.js';

const FILES = [
  'tracks/gpx/gpxpy/test_files/korita-zbevnica.gpx',
  'tracks/gpx/gpxpy/test_files/around-visnjan-with-car.gpx',
];

needs(...FILES.map(sharedData)).test(
  'absences of real tracks from narrow corridors are those of their distances (needs ../shared/data)',
  () => {
    const counts = { absences: 0, places: 0 };
    for (const file of FILES) {
      const { tracks } = fromGpx(readFileSync(dataPath(file), 'utf8')).value;
      const places = tracks.flatMap(({ fixes }) => fixes.map(({ lon, lat }): Pair => [lon, lat]));
      // Every fifth position is on the route, so the track swings through the corridor.
      const route = prepareRoute(places.filter((_, i) => i % 5 === 0));
      const own = places.slice(0, LONG ? 2000 : 120);
      const track = readTrack(own.map(([lon, lat], i) => ({ time: 1e12 + i * 10_000, lon, lat })));
      for (const width of [1, 5]) {
        const absences = findDeviations(track, route, width);
        counts.absences += absences.length;
        for (let k = 0; k + 1 < track.length; k++) {
          const [from, to] = [track.time[k]!, track.time[k + 1]!];
          const [a, b] = [k, k + 1].map((i): Pair => [track.lon[i]!, track.lat[i]!]) as [Pair, Pair];
          const length = 120_000 * Math.hypot(b[0] - a[0], b[1] - a[1]) + 1e-9;
          // Steps shorter than the distance to the border: no pass that is deeper than 1 cm lies between two of them.
          for (let t = 0; t < 1; ) {
            const at: Pair = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
            const excess = route.nearest(at)!.offsetMeters - width / 2;
            const time = from + t * (to - from);
            const isOut = absences.some((one) => one.from <= time && time <= one.to);
            // Times are whole milliseconds: on a step as fast as these, 1 cm.
            if (Math.abs(excess) > 0.05) {
              expect(isOut, `${file} ${width} step ${k} at ${t}: ${excess}`).toBe(excess > 0);
              counts.places++;
            }
            t += Math.max(Math.abs(excess), 0.01) / length;
          }
        }
      }
    }
    expect(counts.absences).toBeGreaterThan(20);
    expect(counts.places).toBeGreaterThan(1000);
  },
);
