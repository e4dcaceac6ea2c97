import { describe, expect, test } from 'vitest';
import { edgeLat, edgeLon, makeEdge } from '../../../src/geodesy/edge.js';
import { exactEdgeDistance } from '../../../src/geodesy/edgeDistance.js';
import { inverseMeters } from '../../../src/geodesy/karney.js';
import type { Position } from '../../../src/index.js';
import { prepareRoute } from '../../../src/tracks/index.js';
import { errorText } from '../../errorOf.js';
import { seeded, volume } from '../../volume.js';

const COUNT = volume(60);

/** A way that never turns back: its course stays within 80° of the first one. */
function lineOf(random: () => number): Position[] {
  const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const size = pick(1e-4, 1e-3, 0.01, 0.3);
  const [course, lat0] = [6.28 * random(), pick(0, 30, 55.7, -70, 84)];
  let [lon, lat] = [pick(37.6, 179.9995, -179.9995), lat0];
  const line: Position[] = [[lon, lat]];
  for (let i = 0; i < 2 + 12 * random(); i++) {
    const angle = course + 1.4 * (random() - 0.5);
    lon += (size * Math.sin(angle)) / Math.cos((lat * Math.PI) / 180);
    lat += size * Math.cos(angle);
    lon = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
    line.push([lon, lat]);
  }
  return line;
}

/** Metres along the edges in short geodesics by Karney: the length of each chord polygon is less by the square of its step. */
function slowLength(line: readonly Position[], parts: number): number {
  let meters = 0;
  for (let i = 1; i < line.length; i++) {
    const edge = makeEdge(line[i - 1]![0], line[i - 1]![1], line[i]![0], line[i]![1]);
    for (let k = 0; k < parts; k++) {
      const [s, t] = [k / parts, (k + 1) / parts];
      meters += inverseMeters(edgeLon(edge, s), edgeLat(edge, s), edgeLon(edge, t), edgeLat(edge, t));
    }
  }
  return meters;
}

describe('prepareRoute', () => {
  test('its length is that of short geodesics', () => {
    const random = seeded(393);
    for (let n = 0; n < COUNT; n++) {
      const line = lineOf(random);
      const { lengthMeters } = prepareRoute(line);
      // Richardson: the error falls with the square of the parts.
      const [coarse, fine] = [slowLength(line, 8), slowLength(line, 16)];
      const wanted = fine + (fine - coarse) / 3;
      expect(Math.abs(lengthMeters - wanted), JSON.stringify(line)).toBeLessThan(1e-6 + 1e-9 * wanted);
    }
  });

  test('the place of positionAt is found again within 1 mm, and nearest is the least distance of all edges', () => {
    const random = seeded(394);
    for (let n = 0; n < COUNT; n++) {
      const line = lineOf(random);
      const route = prepareRoute(line);
      const { lengthMeters } = route;
      for (const share of [0, 1, random(), random(), random()]) {
        const { position } = route.positionAt(share * lengthMeters);
        const message = JSON.stringify([line, share]);
        const found = route.nearest(position)!;
        expect(found.offsetMeters, message).toBeLessThan(1e-3);
        expect(Math.abs(found.alongMeters - share * lengthMeters), message).toBeLessThan(1e-3);

        const off = 10 ** (-6 + 5 * random());
        const away: Position = [position[0], Math.min(89, position[1] + off * (random() - 0.5))];
        const least = Math.min(
          ...line
            .slice(1)
            .map((b, i) => exactEdgeDistance(away[0], away[1], line[i]![0], line[i]![1], b[0], b[1])),
        );
        const near = route.nearest(away)!;
        expect(Math.abs(near.offsetMeters - least), message).toBeLessThan(1e-3);
        const [footLon, footLat] = route.positionAt(near.alongMeters).position;
        expect(Math.abs(inverseMeters(away[0], away[1], footLon, footLat) - least), message).toBeLessThan(
          1e-3,
        );
        if (least > 1e-3) {
          expect(route.nearest(away, { maxMeters: 0.999 * near.offsetMeters }), message).toBeNull();
          expect(route.nearest(away, { maxMeters: 1.001 * near.offsetMeters }), message).toEqual(near);
        }
      }
    }
  });

  test('places beyond the ends are the ends, and the course is that of the edge', () => {
    const random = seeded(395);
    for (let n = 0; n < COUNT; n++) {
      const line = lineOf(random);
      const route = prepareRoute(line);
      const { lengthMeters } = route;
      expect(route.positionAt(-5)).toEqual(route.positionAt(0));
      expect(route.positionAt(lengthMeters + 5)).toEqual(route.positionAt(lengthMeters));
      expect(route.positionAt(0).position).toEqual(line[0]);
      expect(route.positionAt(lengthMeters).position).toEqual(line.at(-1));
      const at = random() * (lengthMeters - 0.2);
      const [here, there] = [route.positionAt(at), route.positionAt(at + 0.1)];
      const [lon, lat] = here.position;
      const east = (((there.position[0] - lon + 540) % 360) - 180) * Math.cos((lat * Math.PI) / 180);
      // A degree of latitude is shorter than one of the equator; 1.5 % of a course are 1°.
      const course = (Math.atan2(east, there.position[1] - lat) * 180) / Math.PI;
      const off = ((((here.courseDegrees - course) % 360) + 540) % 360) - 180;
      const isTurning = here.courseDegrees !== there.courseDegrees && Math.abs(off) > 1;
      if (!isTurning) expect(Math.abs(off), JSON.stringify([line, at])).toBeLessThan(1);
      expect(here.courseDegrees).toBeGreaterThanOrEqual(0);
      expect(here.courseDegrees).toBeLessThan(360);
    }
  });

  test.each<[string, () => unknown]>([
    ['line-too-short geometry: expected at least two different positions, received 1', () => prepareRoute([[1, 1], [1, 1]])], // biome-ignore format: one line
    ['option-value alongMeters: expected a number from -Infinity to Infinity, received NaN', () => prepareRoute([[1, 1], [1, 2]]).positionAt(Number.NaN)], // biome-ignore format: one line
  ])('%s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });
});
