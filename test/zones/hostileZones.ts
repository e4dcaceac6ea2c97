/** Zones that clients might send: tiny, of no extent, with repeated vertices, polar, across the antimeridian, huge, with parts. */

import type { Position, ZoneShape } from '../../src/index.js';

export interface HostileZone extends ZoneShape {
  readonly name: string;
  readonly is_show_on_map: boolean;
}

const LONS = [0, -1e-300, 5e-324, 1e-12, 30, 179.9999999, 180, -180, -179.99999, 90, 360, 539.5, -539];
const LATS = [0, -0, 1e-13, 45.1, 60, 89.9999999, 90, -90, -89.999999];
const WIDTHS = [undefined, 0, -0, 5e-324, 1e-300, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 0.01, 1, 50, 1e4, 1e5];
/** Extents in degrees. */
const SIZES = [0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1, 30];
const KINDS = ['circle', 'line', 'polygon', 'point', 'line', 'polygon'] as const;

/** A zone by random numbers from 0 to 1. Some are valid, some are not. */
export function hostileZone(random: () => number, name: string): HostileZone {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const atMost = (lat: number): number => Math.max(-90, Math.min(90, lat));
  const anywhere = (): Position => [pick(LONS) + (random() < 0.5 ? 0 : random() * 1e-7), pick(LATS)];
  const near = ([lon, lat]: Position, size: number): Position => [
    lon + (random() - 0.5) * size,
    atMost(lat + (random() - 0.5) * size),
  ];
  const key = pick(KINDS);
  const start = anywhere();
  const size = pick(SIZES);
  const geometry: Position[] = [start];
  if (key === 'line') {
    const count = pick([1, 1, 2, 2, 3, 5]);
    while (geometry.length < count) {
      const last = geometry.at(-1)!;
      geometry.push(
        pick([() => start, () => last, () => near(start, size), () => near(last, size), anywhere])(),
      );
    }
  }
  if (key === 'polygon') {
    const count = pick([3, 4, 4, 5, 8]);
    geometry.length = 0;
    for (let i = 0; i < count; i++) {
      const angle = (i / count) * 2 * Math.PI;
      const flat = random() < 0.1 ? 1e-9 : 0.5;
      const vertex: Position = [
        start[0] + Math.cos(angle) * size,
        atMost(start[1] + Math.sin(angle) * size * flat),
      ];
      geometry.push(random() < 0.08 ? (geometry.at(-1) ?? vertex) : vertex);
    }
    if (random() < 0.3) geometry.push(geometry[0]!);
    if (random() < 0.1)
      geometry.splice(
        0,
        geometry.length,
        ...[-180, -90, 0, 90].map((lon): Position => [lon, pick([80, -80])]),
      );
  }
  const width = pick(WIDTHS);
  const ring = [...geometry, geometry[0]!];
  const isInParts = key === 'polygon' && random() < 0.2;
  const parts = isInParts
    ? [[ring], ...(random() < 0.5 ? [[ring.map(([lon, lat]): Position => [lon + 4 * size, lat])]] : [])]
    : undefined;
  return {
    name,
    type: { key },
    geometry,
    is_show_on_map: true,
    ...(width === undefined ? {} : { width }),
    ...(parts === undefined ? {} : { parts }),
  };
}
