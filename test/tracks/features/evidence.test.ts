import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { distanceMeters } from '../../../src/index.js';
import { fromCsv, fromGpx } from '../../../src/interchange/index.js';
import { type Fix, readTrack, type Track } from '../../../src/tracks/index.js';
import { judgeSpeeds } from '../../../src/tracks/speeding/judgeSpeeds.js';
import { dataPath } from '../../interchange/realData.js';
import { needs, sharedData } from '../../needs.js';
import { wkt } from '../../wkt.js';

/** What the evidence against speeds (4 m/s², 30 m, 10 s) drops on real tracks: the figures of docs/accuracy.md. */

const DAYS = ['2015-03-07', '2015-03-18', '2016-11-25'].map((day) => `tracks/austin-bus/${day}.csv.gz`);
const DENSE = [
  'tracks/gpx/gpxpy/test_files/cerknicko-jezero.gpx',
  'tracks/gpx/gpxpy/test_files/korita-zbevnica.gpx',
  'tracks/gpx/gpxpy/test_files/around-visnjan-with-car.gpx',
];
const GAP_MS = 3_600_000;

/** Indices of the speeds that are not believed. */
function droppedOf({ length, time, lon, lat }: Track, speedKph: Float64Array): number[] {
  const kind = Uint8Array.from(time, (at, i) => (i + 1 < length && time[i + 1]! - at <= GAP_MS ? 1 : 0));
  const evenKphOf = (): number => 0;
  const steps = { length, time, speedKph, kind, metersOf: evenKphOf, evenKphOf };
  const judged = judgeSpeeds(steps, lon, lat)!;
  return [...judged.keys()].filter((i) => judged[i] === -1 && speedKph[i] !== -1);
}

needs(...DAYS.map(sharedData)).test(
  'of three days of buses no speed is dropped (needs ../shared/data)',
  () => {
    let [speeds, doubtful] = [0, 0];
    const dropped: number[] = [];
    for (const day of DAYS) {
      const { tracks } = fromCsv(gunzipSync(readFileSync(dataPath(day))), { speedUnit: 'mph' }).value;
      for (const { fixes } of tracks) {
        const track = readTrack(fixes);
        if (track.speedKph === null) continue;
        speeds += track.length;
        doubtful += track.speedKph.filter((kph) => kph > 55.8).length;
        for (const i of droppedOf(track, track.speedKph)) dropped.push(Math.round(track.speedKph[i]!));
      }
    }
    expect([speeds, doubtful]).toEqual([96_044, 1321]);
    expect(dropped).toEqual([]);
  },
);

needs(...DENSE.map(sharedData)).test(
  'false speeds of a slow unit are dropped, true ones are not (needs ../shared/data)',
  () => {
    const tracks = DENSE.flatMap((file) => fromGpx(readFileSync(dataPath(file))).value.tracks)
      .map(({ fixes }: { readonly fixes: readonly Fix[] }) => readTrack(fixes))
      .filter(({ length }) => length > 20);
    const shares = new Map([60, 70, 80, 90, 110, 130].map((kph) => [kph, { slow: 0, dropped: 0 }]));
    let own = 0;
    for (const track of tracks) {
      const { length, time, lon, lat } = track;
      const kphAt = (i: number): number => {
        const [a, b] = [Math.max(0, i - 1), Math.min(length - 1, i + 1)];
        return (3600 * distanceMeters([lon[a]!, lat[a]!], [lon[b]!, lat[b]!])) / (time[b]! - time[a]!);
      };
      const even = Float64Array.from(time, (_, i) => kphAt(i));
      own += even.filter((kph) => kph > 55.8).length;
      // Positions support the speeds that are computed from them.
      expect(droppedOf(track, even)).toEqual([]);
      for (const [kph, share] of shares)
        for (let i = 1; i + 1 < length; i++) {
          if (even[i]! >= 20) continue;
          share.slow++;
          if (droppedOf(track, even.with(i, kph)).length > 0) share.dropped++;
        }
    }
    expect(own).toBeGreaterThan(5);
    const rounded = [...shares].map(([kph, { slow, dropped }]) => [kph, Math.round((100 * dropped) / slow)]);
    expect(rounded).toEqual(wkt('60 1, 70 49, 80 89, 90 93, 110 97, 130 99'));
  },
);
