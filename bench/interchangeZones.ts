/** Yields polygons of ten corners with every field of a stored row. */

import type { Geozone, Pair } from '../src/core/wire.js';

export function* zonesOf(count: number): Generator<Geozone> {
  for (let i = 0; i < count; i++) {
    const lon = (i % 300) * 0.3 - 45.123_456_7;
    const lat = (Math.floor(i / 300) % 900) * 0.1 - 20.765_432_1;
    const ring = Array.from({ length: 10 }, (__, k): Pair => {
      const angle = (k / 5) * Math.PI;
      return [lon + 0.010_001 * Math.cos(angle), lat + 0.010_001 * Math.sin(angle)];
    });
    yield {
      id: `id-${i}`,
      name: `Zone ${i}`,
      type: { key: 'polygon', type: 'geozone_type', value: 'Polygon' },
      geometry: [...ring, ring[0]!],
      color: { key: '#F56C6C', type: 'color_code', value: 'Red' },
      area: 1234.5,
      is_show_on_map: true,
      companies: [{ id: 'c1' }],
      created: '2026-01-01T00:00:00Z',
    };
  }
}
