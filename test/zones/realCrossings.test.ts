/** Walks and drives as people record them: the corridor of a track, crossed by its own steps and by long jumps, and matched as a route. */

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Geozone, type Pair, signedDistanceMeters, ZoneIndex } from '../../src/index.js';
import { fromGpx } from '../../src/interchange/index.js';
import { matchRoute, prepareRoute, readTrack } from '../../src/tracks/index.js';
import { dataPath } from '../interchange/realData.js';
import { needs, sharedData } from '../needs.js';
import { seeded } from '../volume.js';

const FILES = [
  'tracks/gpx/gpxpy/test_files/cerknicko-jezero.gpx',
  'tracks/gpx/gpxpy/test_files/korita-zbevnica.gpx',
  'tracks/gpx/gpxpy/test_files/around-visnjan-with-car.gpx',
];

needs(...FILES.map(sharedData)).test(
  'crossings and places of real tracks have the sign of the exact distance (needs ../shared/data)',
  () => {
    const random = seeded(97);
    const counts = { inside: 0, outside: 0, on: 0, off: 0 };
    for (const file of FILES) {
      const { tracks } = fromGpx(readFileSync(dataPath(file), 'utf8')).value;
      const places = tracks
        .flatMap(({ fixes }) => fixes.map(({ lon, lat }): Pair => [lon, lat]))
        .slice(0, 1500);
      const geometry = places.filter((_, i) => i % 3 === 0);
      for (const width of [4, 30]) {
        const zone = { id: 'z', name: 'z', type: { key: 'line' }, geometry, width } as Geozone;
        const index = new ZoneIndex([zone]);
        for (let k = 0; k < 40; k++) {
          const from = Math.floor(random() * places.length);
          const to = k % 2 === 0 ? Math.floor(random() * places.length) : (from + 1 + k) % places.length;
          const [a, b] = [places[from]!, places[to]!];
          const found = index.crossing(a, b);
          for (let j = 0; j < 5; j++) {
            const t = random();
            const at: Pair = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
            const excess = signedDistanceMeters(zone, at);
            if (Math.abs(excess) < 0.01) continue;
            if (excess < 0) counts.inside++;
            else counts.outside++;
            const isInside = found.some((one) => one.from <= t && t <= one.to);
            expect(isInside, `${file} ${width} ${String([a, b])} at ${t}: ${excess}`).toBe(excess < 0);
          }
        }
        const fixes = places.map(([lon, lat], i) => ({ time: 1_772_438_400_000 + i * 1000, lon, lat }));
        const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
        const { along } = matchRoute(track, prepareRoute(geometry), { widthMeters: width });
        for (let i = 0; i < track.length; i += 7) {
          const excess = signedDistanceMeters(zone, [track.lon[i]!, track.lat[i]!]);
          if (along[i]! >= 0) counts.on++;
          else counts.off++;
          expect(along[i]! >= 0, `${file} ${width} fix ${i}: ${excess}`).toBe(excess <= 0);
        }
      }
    }
    expect(Math.min(counts.inside, counts.outside)).toBeGreaterThan(100);
    expect(Math.min(counts.on, counts.off)).toBeGreaterThan(10);
  },
);
