import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';
import { blindReason } from '../../src/tracks/blindStep.js';
import { readTrack } from '../../src/tracks/index.js';
import { dataPath } from '../interchange/realData.js';
import { needs, sharedData } from '../needs.js';
import { LONG } from '../volume.js';
import { slowReading } from './oracle/slowReading.js';

const DAYS = ['2015-03-07', '2015-03-18', '2016-02-14', '2016-11-25'].map(
  (day) => `tracks/austin-bus/${day}.csv.gz`,
);

needs(sharedData(DAYS[0]!)).describe('days of buses in Austin (needs ../shared/data)', () => {
  it('V1 to V6: keep, count and blind what the slow reading does', () => {
    const sum: Record<string, number> = {};
    for (const day of DAYS.slice(0, LONG ? 4 : 1)) {
      const { tracks } = fromCsv(gunzipSync(readFileSync(dataPath(day))), { speedUnit: 'mph' }).value;
      for (const { unitId, fixes } of tracks.slice(0, LONG ? tracks.length : 15)) {
        for (const rules of [{}, { maxSpeedKph: 40, maxJamSeconds: 300 }]) {
          const slow = slowReading(fixes, rules);
          const track = readTrack(fixes, rules);
          expect({ unitId, times: [...track.time], counts: track.rejected }).toEqual({
            unitId,
            times: slow.fixes.map(({ time }) => time),
            counts: slow.counts,
          });
          expect([...track.time].map((_, i) => blindReason(track, i))).toEqual(slow.blind);
          for (const [reason, count] of Object.entries(slow.counts)) sum[reason] = (sum[reason] ?? 0) + count;
        }
      }
    }
    // Buses repeat a place while they drive, and some are faster than 40 km/h.
    expect(sum['frozen']).toBeGreaterThan(4);
    expect((sum['speed'] ?? 0) + (sum['jammed'] ?? 0)).toBeGreaterThan(4);
  });
});
