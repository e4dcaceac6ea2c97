import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Geozone, Route } from '../../src/core/wire.js';
import { fromGpx, loadCrs, toGpx, writeGpx } from '../../src/interchange/index.js';
import { needs, sharedData, XMLLINT } from '../needs.js';
import { volume } from '../volume.js';
import { NASTY, pair } from './arbitraryZones.js';
import { chunksOf } from './chunksOf.js';
import { dataPath } from './realData.js';

const ZONE: Geozone = { id: 'zone-1', name: 'W', type: { key: 'point' }, geometry: [[1, 2]] };
const fix: fc.Arbitrary<Fix> = fc
  .tuple(
    pair,
    fc.integer({ min: 0, max: 4e12 }),
    fc.record(
      {
        altitudeMeters: fc.integer({ min: -500, max: 50_000 }),
        satellites: fc.nat(40),
        // Multiples that survive the conversion to the units of GPX (m/s, hdop).
        speedKph: fc.nat(40).map((speed) => speed * 3.6),
        accuracyMeters: fc.nat(100).map((hdop) => hdop * 5),
        courseDegrees: fc.integer({ min: 0, max: 359 }),
        valid: fc.constant(false),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([[lon, lat], time, more]) => ({ time, lon, lat, ...more }));

describe('toGpx', () => {
  test('fields that GPX has survive a round trip, coordinates bit for bit', () => {
    fc.assert(
      fc.property(fc.array(pair), fc.array(pair), fc.array(fix), (points, stops, fixes) => {
        const zones = points.map(
          (place, i): Geozone => ({ ...ZONE, id: `zone-${i + 1}`, geometry: [place] }),
        );
        const route: Route = {
          id: 'route-1',
          name: 'R <&>',
          points: stops.map((place, i) => ({ name: `P${i}`, type: { key: 'point' }, geometry: [place] })),
        };
        const track = { name: 'T', unitId: 'T', fixes };
        const { value, issues } = fromGpx(toGpx({ zones, routes: [route], tracks: [track] }));
        expect(issues).toEqual([]);
        expect(value).toEqual({ zones, groups: [], routes: [route], tracks: [track] });
      }),
      { numRuns: volume(2000) },
    );
  });

  test('a circle is written as its centre, for both axis orders; a line or polygon is rejected', () => {
    const circle: Geozone = { ...ZONE, type: { key: 'circle' }, geometry: [[55, 37]], width: 5 };
    expect(fromGpx(toGpx({ zones: [circle] }, { axisOrder: 'latlon' })).value.zones[0]?.geometry).toEqual([
      [37, 55],
    ]);
    const line: Geozone = { ...ZONE, type: { key: 'line' } };
    expect(() => toGpx({ zones: [ZONE, line] })).toThrow(
      expect.objectContaining({ code: 'gpx-zone', field: 'zones[1].type.key' }),
    );
    expect(() => toGpx({ zones: [{ ...ZONE, geometry: [] }] })).toThrow(
      expect.objectContaining({ code: 'geometry-count' }),
    );
    const late = { name: 't', unitId: 'u', fixes: [{ time: Number.NaN, lon: 1, lat: 2 }] };
    expect(() => toGpx({ tracks: [late] })).toThrow(
      expect.objectContaining({ code: 'time-range', field: 'tracks[0].fixes[0].time' }),
    );
  });

  test('writeGpx writes the same text in pieces; another coordinate system is rejected; hdop can be left out', async () => {
    const fixes = fc.sample(fix, { numRuns: 2000, seed: 2 });
    const content = { zones: [ZONE], tracks: [{ name: 'T', unitId: 'T', fixes }] };
    const chunks = await chunksOf((sink) => writeGpx(content, sink));
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(65_536);
    expect(chunks.join('')).toBe(toGpx(content));
    expect(chunks.join('')).toContain('<hdop>');
    expect(toGpx(content, { metersPerHdop: 0 })).not.toContain('<hdop>');
    for (const crs of ['EPSG:3857', await loadCrs('EPSG:3857')]) {
      expect(() => toGpx(content, { crs })).toThrow(expect.objectContaining({ code: 'crs-unsupported' }));
    }
    expect(toGpx(content, { crs: 'EPSG:4326' })).toBe(toGpx(content));
    const bad = { ...content, zones: [ZONE, { ...ZONE, geometry: [] }] };
    await expect(writeGpx(bad, () => undefined)).rejects.toMatchObject({ code: 'geometry-count' });
  });

  needs(XMLLINT, sharedData('kml/xsd')).test(
    'is valid by the GPX schema (needs xmllint and ../shared/data)',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'wayzone-gpx-'));
      try {
        const names = [...NASTY, ''];
        const zones = names.map((name, i): Geozone => ({ ...ZONE, name, geometry: [[180, i * 1e-7]] }));
        const fixes = fc.sample(fix, { numRuns: 100, seed: 1 });
        const file = join(folder, 'a.gpx');
        writeFileSync(file, toGpx({ zones, tracks: [{ name: 'T', unitId: 'T', fixes }] }));
        const schema = dataPath('kml/xsd/gpx/topografix/gpx11.xsd');
        execFileSync('xmllint', ['--nonet', '--noout', '--schema', schema, file], { stdio: 'pipe' });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
