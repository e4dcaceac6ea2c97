import { describe, expect, test } from 'vitest';
import type { Position } from '../../src/core/geometry.js';
import type { Geozone } from '../../src/index.js';
import { fromCsv, fromGeoJson, fromKml, toFeatureCollection, toKml } from '../../src/interchange/index.js';
import { validateGeozones } from '../../src/schemas/index.js';
import { swappedAmong } from '../../src/zones/seemsSwapped.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';

const MOSCOW: Position = [37.6, 55.75];

function zonesAround([lon, lat]: Position, count: number, degrees = 0.5): Geozone[] {
  const random = seeded(count);
  return Array.from({ length: count }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    name: `zone ${i}`,
    type: { key: 'circle' },
    geometry: [[lon + degrees * (random() - 0.5), lat + degrees * (random() - 0.5)]],
    width: 100,
  }));
}

const swap = (zone: Geozone): Geozone => ({
  ...zone,
  geometry: zone.geometry.map(([x, y]) => [y, x] as const),
});
const suspects = (zones: readonly Geozone[], options: object = {}): string[] =>
  validateGeozones(zones, options).issues.map(({ code, severity, field }) => `${code} ${severity} ${field}`);

describe('zones with swapped pairs', () => {
  test.each<[string, Position]>([
    ['Moscow', MOSCOW],
    ['Kazan', [49.1, 55.8]],
    ['Berlin', [13.4, 52.5]],
    ['Nairobi', [36.8, -1.3]],
    ['São Paulo', [-46.6, -23.5]],
  ])('all of a list around %s: all are reported with near, none without', (_, near) => {
    const zones = zonesAround(near, 20);
    expect(suspects(zones, { near })).toEqual([]);
    expect(suspects(zones.map(swap))).toEqual([]);
    expect(suspects(zones.map(swap), { near })).toHaveLength(20);
    expect(suspects(zones.map(swap), { near, axisOrder: 'latlon' })).toEqual([]);
    expect(suspects([swap(zones[0]!)], { near })).toEqual(['axis-order-suspect warning [0].geometry']);
  });

  test('some of a list: reported with their index, also without near', () => {
    const zones = zonesAround(MOSCOW, 30).map((zone, i) => (i % 10 === 3 ? swap(zone) : zone));
    const fields = [3, 13, 23].map((i) => `axis-order-suspect warning [${i}].geometry`);
    expect(suspects(zones)).toEqual(fields);
    expect(suspects(zones, { near: MOSCOW })).toEqual(fields);
    expect(suspects(zones.map(swap), { axisOrder: 'latlon' })).toEqual(fields);
  });

  test('half of a list: one half is reported', () => {
    const zones = zonesAround(MOSCOW, 10).map((zone, i) => (i % 2 === 1 ? swap(zone) : zone));
    expect(suspects(zones)).toHaveLength(5);
  });

  test('one of a large list is reported; a list across the antimeridian has none', () => {
    const large = zonesAround(MOSCOW, 5000).map((zone, i) => (i === 4321 ? swap(zone) : zone));
    expect(suspects(large)).toEqual(['axis-order-suspect warning [4321].geometry']);
    const positions = zonesAround([180, 65], 20).map(({ geometry }) => geometry[0] as Position);
    expect(swappedAmong(positions.map(([lon, lat]) => [lon > 180 ? lon - 360 : lon, lat]))).toEqual([]);
  });
});

describe('zones with correct pairs', () => {
  test('are not reported: over a country, over the world, on the diagonal, one far away', () => {
    expect(suspects(zonesAround([15, 50], 200, 10))).toEqual([]);
    expect(suspects(zonesAround([0, 0], 500, 160))).toEqual([]);
    expect(suspects(zonesAround([45, 45.5], 20), { near: [45, 45.5] })).toEqual([]);
    const far = { ...zonesAround([139.7, 35.7], 1)[0]!, id: '10000000-0000-4000-8000-000000000000' };
    expect(suspects([...zonesAround(MOSCOW, 20), far])).toEqual([]);
    expect(suspects([])).toEqual([]);
    expect(suspects(zonesAround(MOSCOW, 2).map((zone, i) => (i === 0 ? swap(zone) : zone)))).toEqual([]);
  });
});

describe('validateGeozones', () => {
  test('gives typed copies with entries filled in, and reports each invalid field with its index', () => {
    const [a, b, c] = zonesAround(MOSCOW, 3);
    expect(validateGeozones([a!], { language: 'ru' }).value[0]!.type).toEqual({
      key: 'circle',
      type: 'geozone_type',
      value: 'Круг',
    });
    const wrong = [a, { ...b, geometry: [[37, 95]], name: '' }, c, { ...c, width: -1 }, null];
    const { code, errors } = errorOf(() => validateGeozones(wrong));
    expect(code).toBe('validation');
    expect(errors.map(({ field, reason }) => `${field}: ${reason}`).toSorted()).toEqual([
      '[1].geometry[0][1]: lat-range',
      '[1].name: empty',
      '[3].width: radius-range',
      '[4]: type',
    ]);
    expect(errorOf(() => validateGeozones({} as never)).errors).toMatchObject([
      { field: '', reason: 'type' },
    ]);
    expect(errorOf(() => validateGeozones([], { near: [37, 95] }))).toMatchObject({ code: 'lat-range' });
    expect(errorOf(() => validateGeozones([], 7 as never))).toMatchObject({ code: 'option-type' });
  });
});

describe('readers', () => {
  const shown = (zones: readonly Geozone[]): Geozone[] =>
    zones.map((zone) => ({ ...zone, is_show_on_map: true }));
  const found = (issues: readonly { code: string; field: string }[]): string[] =>
    issues.filter(({ code }) => code === 'axis-order-suspect').map(({ field }) => field);
  const mixed = shown(zonesAround(MOSCOW, 12).map((zone, i) => (i === 5 ? swap(zone) : zone)));

  test('GeoJSON, KML and CSV warn of a zone that is swapped unlike the others', () => {
    expect(found(fromGeoJson(JSON.stringify(toFeatureCollection(mixed))).issues)).toHaveLength(1);
    expect(found(fromKml(toKml(mixed)).issues)).toHaveLength(1);
    const rows = mixed.map(({ name, geometry }) => `${name},"POINT (${geometry[0]!.join(' ')})",100`);
    expect(found(fromCsv(['name,wkt,width', ...rows].join('\n')).issues)).toHaveLength(1);
    expect(
      found(fromGeoJson(JSON.stringify(toFeatureCollection(mixed.filter((_, i) => i !== 5)))).issues),
    ).toEqual([]);
  });

  test('with near they also warn of a whole file, and also if a callback receives the zones', () => {
    const text = JSON.stringify(toFeatureCollection(shown(zonesAround(MOSCOW, 12).map(swap))));
    expect(found(fromGeoJson(text).issues)).toEqual([]);
    expect(found(fromGeoJson(text, { near: MOSCOW }).issues)).toHaveLength(12);
    let count = 0;
    const { issues } = fromGeoJson(text, { near: MOSCOW, onZone: () => count++ });
    expect([count, found(issues).length]).toEqual([12, 12]);
    expect(errorOf(() => fromGeoJson(text, { near: [1] as never }))).toMatchObject({
      code: 'coord-type',
      field: 'near',
    });
  });
});
