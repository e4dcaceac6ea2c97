import { describe, expect, test } from 'vitest';
import { indexOfZones } from '../../src/cli/shared/indexOfZones.js';
import { WayzoneError } from '../../src/core/errors.js';
import type { Geozone } from '../../src/index.js';

const zone = (id: string, more: object = {}): Geozone => ({
  id,
  name: id,
  type: { key: 'circle' },
  geometry: [[1, 2]],
  width: 10,
  ...more,
});

function collected(zones: Geozone[]): Parameters<typeof indexOfZones>[0] {
  return {
    zones,
    issues: [],
    fileOf: new Map(zones.slice(1).map(({ id }) => [id, `${id}.kml`])),
  } as unknown as Parameters<typeof indexOfZones>[0];
}

describe('indexOf', () => {
  test('a deleted zone is left out with a warning, which names its file if known', () => {
    const all = collected([zone('a', { is_delete: true }), zone('b', { is_delete: true }), zone('c')]);
    expect(indexOfZones(all, {}).at([1, 2])).toEqual(['c']);
    const warning = { code: 'zone-deleted', severity: 'warning' };
    expect(all.issues).toMatchObject([
      { ...warning, field: 'zone "a"', file: '' },
      { ...warning, field: 'zone "b"', file: 'b.kml' },
    ]);
  });

  test('a zone that the index rejects is an error at the field of that zone', () => {
    const all = collected([zone('a'), zone('b', { geometry: [[1, 99]] }), zone('c', { width: -1 })]);
    expect(indexOfZones(all, {}).size).toBe(1);
    expect(all.issues).toMatchObject([
      { code: 'lat-range', severity: 'error', field: 'zone "b" geometry[0][1]', file: 'b.kml' },
      { severity: 'error', field: 'zone "c" width', file: 'c.kml' },
    ]);
  });

  test('a second zone with the same id is an issue of its file', () => {
    const all = collected([zone('a'), zone('a', { geometry: [[5, 5]] })]);
    expect(indexOfZones(all, {}).at([5, 5])).toEqual([]);
    expect(all.issues).toHaveLength(1);
    expect(all.issues[0]!.field).toMatch(/^zone "a"/);
  });

  test('a coded error of onZone becomes an issue, and other errors are thrown', () => {
    const all = collected([zone('a'), zone('b'), zone('c')]);
    const index = indexOfZones(all, {}, ({ id }) => {
      if (id === 'a') throw new WayzoneError('not-found', '', 'expected near, received far');
      if (id === 'b') throw new WayzoneError('not-found', 'width', 'expected near, received far');
    });
    expect(index.size).toBe(1);
    const issue = { code: 'not-found', severity: 'error', message: 'expected near, received far' };
    expect(all.issues).toEqual([
      { ...issue, field: 'zone "a"', file: '' },
      { ...issue, field: 'zone "b" width', file: 'b.kml' },
    ]);
    const broken = new TypeError('broken');
    const throws = (): void => {
      throw broken;
    };
    expect(() => indexOfZones(collected([zone('a')]), {}, throws)).toThrow(broken);
  });
});
