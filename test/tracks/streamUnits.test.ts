import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { ZoneIndex } from '../../src/index.js';
import { MovementTracker, VisitTracker } from '../../src/tracks/index.js';

const START = 1772438400000;
const OPTIONS = { latenessSeconds: 600, maxFutureSeconds: 1e6 };

function fixAt(seconds: number, lon: number, speedKph: number): Fix {
  return { time: START + seconds * 1000, lon, lat: 55.7, speedKph };
}

function seconds(time: number): number {
  return START + time * 1000;
}

describe('a unit that is adopted with waiting fixes older than this tracker’s watermark', () => {
  it('is not lost if these fixes show its position: the next advance applies them, also one to the same time', () => {
    const depot = { id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 } as const;
    const index = new ZoneIndex([depot]);
    const other = new VisitTracker(index, OPTIONS);
    for (let time = 0; time <= 1200; time += 60) other.push('truck', fixAt(time, 37.6, 0));
    expect(other.counts('truck').pending).toBeGreaterThan(0);
    const host = new VisitTracker(index, OPTIONS);
    host.advance(seconds(5000));
    host.adopt(other.snapshot('truck'));
    // The last fix is 3200 s before the watermark; the last applied fix is 3800 s before it.
    expect(host.advance(seconds(5000))).toEqual([]);
    expect(host.counts('truck')).toMatchObject({ applied: 21, pending: 0 });
    expect(host.advance(seconds(5401)).map(({ type, time }) => [type, time])).toEqual([
      ['lost', seconds(1200)],
    ]);
  });

  it('continues its trip if these fixes continue it', () => {
    const other = new MovementTracker({}, OPTIONS);
    for (let time = 0; time <= 3000; time += 30) other.push('truck', fixAt(time, 37.6 + time * 1e-4, 40));
    const host = new MovementTracker({}, OPTIONS);
    host.advance(seconds(6800));
    host.adopt(other.snapshot('truck'));
    expect(host.advance(seconds(6800))).toEqual([]);
    const events = host.advance(seconds(7201));
    expect(events.map(({ type, kind, time }) => [type, kind, time])).toEqual([
      ['end', 'trip', seconds(3000)],
    ]);
  });
});
