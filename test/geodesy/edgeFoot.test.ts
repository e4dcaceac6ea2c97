import { expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { exactEdgeDistance } from '../../src/geodesy/edgeDistance.js';
import { edgeFoot, footDistance, positionOnEdge } from '../../src/geodesy/edgeFoot.js';
import { directPosition } from '../../src/geodesy/karney.js';
import { LOCAL_EDGE_ERROR } from '../../src/geodesy/localEdgeDistance.js';
import { seeded, volume } from '../volume.js';
import { shortStep } from './oracle.js';

type Case = [lon: number, lat: number, aLon: number, aLat: number, bLon: number, bLat: number];

/** An edge of a millimetre to 20 km below `mostLat`, and a position micrometres to 30 km beside it, on it, or beyond an end. */
function near(random: () => number, mostLat: number): Case {
  const lat = (2 * random() - 1) * mostLat;
  const a: [number, number] = [random() < 0.1 ? 180 : random() * 360 - 180, lat];
  const b = directPosition(...a, random() * 360, Math.min(20_000, 10 ** (-3 + 7.4 * random())));
  const t = random() < 0.2 ? Math.round(random()) : 1.4 * random() - 0.2;
  const at: [number, number] = [wrapLon(a[0] + shortStep(a[0], b[0]) * t), a[1] + (b[1] - a[1]) * t];
  const beside = random() < 0.1 ? at : directPosition(...at, random() * 360, 10 ** (-6 + 10.4 * random()));
  return [...beside, ...a, ...b];
}

const distanceAt = ([lon, lat, ...edge]: Case, t: number): number => {
  const [footLon, footLat] = positionOnEdge(...edge, t);
  return geodesicDistance(lon, lat, wrapLon(footLon), footLat);
};

test('the foot is the nearest place of the edge, and an end exactly where no other is nearer', () => {
  const random = seeded(51);
  const counts = { inside: 0, ends: 0 };
  for (let i = 0; i < volume(200_000); i++) {
    const question = near(random, 80);
    const t = edgeFoot(...question);
    const message = question.join();
    const least = exactEdgeDistance(...question);
    const meters = distanceAt(question, t);
    // Half a millimetre beside the foot of a position at distance d is nearer by nothing that can be seen.
    const slack = 2e-7 + (least < 2000 ? 0 : 1e-9 * least);
    expect(meters - least, message).toBeLessThan(slack);
    if (t === 0 || t === 1) counts.ends++;
    else {
      counts.inside++;
      const length = geodesicDistance(question[2], question[3], question[4], question[5]);
      const off = 2e-4 + (least > 2000 ? 1e-3 : 0);
      // At a foot inside, a place farther along on either side is farther away, if that shows in the digits.
      const step = Math.min(0.49, Math.max(off, 20 * Math.sqrt(1e-8 * least)) / length);
      if (t - step > 0 && t + step < 1)
        expect(
          Math.min(distanceAt(question, t - step), distanceAt(question, t + step)),
          message,
        ).toBeGreaterThan(meters - 1e-7);
    }
  }
  expect(Math.min(counts.inside, counts.ends)).toBeGreaterThan(volume(200_000) / 10);
});

test('the distance by the foot is within its bound of the exact one, and on the same side of each limit', () => {
  const random = seeded(52);
  let worst = 0;
  for (let i = 0; i < volume(200_000); i++) {
    const question = near(random, 89.9);
    const exact = exactEdgeDistance(...question);
    const limit = random() < 0.3 ? exact : exact + (random() - 0.5) * 10 ** (-9 + 6 * random());
    const meters = footDistance(...question, edgeFoot(...question), limit);
    const off = Math.abs(meters - exact);
    if (!(off <= LOCAL_EDGE_ERROR)) throw new Error(`off by ${off} at ${question.join()}`);
    if (meters <= limit !== exact <= limit) throw new Error(`wrong side at ${question.join()}, ${limit}`);
    worst = Math.max(worst, off);
  }
  expect(worst).toBeGreaterThan(0);
});
