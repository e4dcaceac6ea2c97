import { expect, test } from 'vitest';
import {
  boxLayers,
  type GridSpan,
  openSpan,
  spanBox,
  wholeGrid,
} from '../../../src/zones/index/boxes/boxLayers.js';
import { putShape } from '../../../src/zones/kinds/index.js';
import { readShape } from '../../../src/zones/readShape.js';
import { ShapeColumns } from '../../../src/zones/shapes/index.js';
import { seeded, volume } from '../../volume.js';
import { PLACES, zoneAt } from '../generators.js';

type Box = readonly [west: number, south: number, east: number, north: number];

/** A position of a box: a corner, the middle or any. */
function positionIn([west, south, east, north]: Box, random: () => number): readonly [number, number] {
  const share = (): number => [0, 1, 0.5, random()][Math.floor(random() * 4)]!;
  return [west + share() * (east - west), south + share() * (north - south)];
}

test('each position of a piece is in the box of a span that leads to the piece', () => {
  const random = seeded(17);
  for (let round = 0; round < volume(40); round++) {
    const columns = new ShapeColumns();
    const count = 1 + Math.floor(random() * 300);
    const reach = [0.01, 0.5, 20][round % 3]!;
    for (let i = 0; i < count; i++) {
      const place =
        round % 2 === 0 ? PLACES[i % PLACES.length]! : ([random() * 350 - 175, random() * 170 - 85] as const);
      putShape(columns, i, readShape(zoneAt(random, `z${i}`, place, reach), {}, ''));
    }
    const found = new Set<number>();
    for (const grid of boxLayers(columns)) {
      const leaves = new Map<number, Box[]>();
      const open = (span: GridSpan): void => {
        const box = new Float64Array(4);
        spanBox(span, box);
        openSpan(
          span,
          (inner) => {
            expect([inner.x0 < inner.x1, inner.y0 < inner.y1]).toEqual([true, true]);
            open(inner);
          },
          (piece) => leaves.set(piece, [...(leaves.get(piece) ?? []), [...box] as unknown as Box]),
        );
      };
      open(wholeGrid(grid));
      for (const [piece, boxes] of leaves) {
        found.add(piece);
        const own = columns.pieceBoxes.subarray(4 * piece, 4 * piece + 4) as unknown as Box;
        for (let i = 0; i < 8; i++) {
          const [lon, lat] = positionIn(own, random);
          const isIn = boxes.some(
            ([west, south, east, north]) => lon >= west && lon <= east && lat >= south && lat <= north,
          );
          expect([piece, lon, lat, isIn]).toEqual([piece, lon, lat, true]);
        }
      }
    }
    expect(found.size).toBe(columns.pieceCount);
  }
});
