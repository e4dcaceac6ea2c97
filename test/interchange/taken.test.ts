import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import {
  type ForeignZone,
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  readCsv,
  readGeoJson,
  readGpx,
  readKml,
} from '../../src/interchange/index.js';

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));

const TRACK_KML = `<kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><name>van</name><gx:Track>
  <when>2026-01-01T00:00:00Z</when><when>2026-01-01T00:00:01Z</when>
  <gx:coord>1 2 0</gx:coord><gx:coord>1.1 2 0</gx:coord></gx:Track></Placemark>
  <Placemark id="p"><Point><coordinates>3,4</coordinates></Point></Placemark></kml>`;

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

describe('onFix and onZone receive the content, and the result is empty', () => {
  test.each([
    ['city-day.csv', fixture('city-day.csv'), fromCsv, readCsv],
    ['city-van.gpx', fixture('city-van.gpx'), fromGpx, readGpx],
    ['city-zones.geojson', fixture('city-zones.geojson'), fromGeoJson, readGeoJson],
    ['city-zones.kml', fixture('city-zones.kml'), fromKml, readKml],
    ['a track in KML', new TextEncoder().encode(TRACK_KML), fromKml, readKml],
    ['zones in CSV', new TextEncoder().encode('id,wkt\na,POINT(1 2)\nb,POINT(3 4)'), fromCsv, readCsv],
  ] as const)('%s', async (_, bytes, from, read) => {
    const whole = from(bytes, {});
    for (const chunked of [false, true]) {
      const fixes = new Map<string, Fix[]>();
      const zones: ForeignZone[] = [];
      const options = {
        onFix: (unitId: string, fix: Fix): void => {
          fixes.set(unitId, [...(fixes.get(unitId) ?? []), fix]);
        },
        onZone: (zone: ForeignZone): void => {
          zones.push(zone);
        },
      };
      const { value, issues } = chunked ? await read(pieces(bytes), options) : from(bytes, options);
      expect(issues).toEqual(whole.issues);
      expect([value.zones, value.tracks]).toEqual([[], []]);
      expect(zones).toEqual(whole.value.zones);
      expect([...fixes]).toEqual(whole.value.tracks.map((track) => [track.unitId, track.fixes]));
    }
  });

  test('a repeated id is passed on twice, without an issue', () => {
    const ids: string[] = [];
    const { issues } = fromCsv('id,wkt\na,POINT(1 2)\na,POINT(3 4)', { onZone: ({ id }) => ids.push(id) });
    expect([ids, issues]).toEqual([['a', 'a'], []]);
  });
});
