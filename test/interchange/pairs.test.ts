import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { FeatureCollection } from 'geojson';
import { describe, expect } from 'vitest';
import { fromGpx, fromKml } from '../../src/interchange/index.js';
import { needs, sharedData } from '../needs.js';
import { differences, factsOfForeign, factsOfGeoJson } from './pairFacts.js';
import { dataFiles } from './realData.js';

const NO_COLOR = 'a track has no colour';
const FIRST_FOUND = 'togeojson reads the first such element at any depth, which belongs to a point or link';
const KEPT = 'togeojson leaves it out, we keep it as a property';
const NOT_HEX = 'the file has ff0, which is not aabbggrr; we report kml-color';
const ONE_POINT = 'togeojson leaves out a segment of one point';
const EMPTY =
  'the file has empty coordinates, which togeojson reads as a null position; we report kml-coordinates';

/** Differences between our reader and the GeoJSON beside the file, with the reason why ours is right. Each must still exist. */
const REASONED: readonly (readonly [file: string, difference: RegExp, reason: string])[] = [
  ['addresses.kml', /^- ".*" Point null,undefined$/, EMPTY],
  ['addresses.kml', /^- ".*" LineString [^ ]+$/, 'a track of one place and no time is a point, not a line'],
  ['addresses.kml', /^\+ ".*" Point [^ ]+$/, 'a track of one place and no time is a point, not a line'],
  ['blue_hills.gpx', /^- "(?:BIG|SHORT) LOOP|^- "BUCK HILL" cmt=/, FIRST_FOUND],
  ['blue_hills.gpx', /^\+ ".*" (?:number|color)=/, KEPT],
  ['blue_hills.gpx', /^\+ "BIG LOOP" LineString [^ ]+$/, ONE_POINT],
  ['blue_hills.gpx', /^\+ "BIG LOOP" fix /, ONE_POINT],
  ['simpledata.kml', /^\+ ".*" BalloonStyle\.text=/, KEPT],
  ['gdal.gpx', /^- "waypoint name" type=type$/, FIRST_FOUND],
  ['gdal.gpx', /^\+ "waypoint name" (?:src|link\.text|link\.type)=/, KEPT],
  [
    'gxmultitrack.kml',
    /^[-+] "12.04.2014 11:24 AM" LineString /,
    'the tracks of a MultiTrack are joined to one',
  ],
  ['gxmultitrack.kml', /color #ff0000$/, NO_COLOR],
  ['literal_color.kml', /^- "With all inline styles" color ff0$/, NOT_HEX],
  ['multitrack.kml', /color #ff0000$/, NO_COLOR],
  ['multitrackgpx.gpx', /^\+ "Tag \d" DisplayColor=/, KEPT],
  ['non_gx_multitrack.kml', /color #ff0000$/, NO_COLOR],
  ['noname.kml', /^- "" color ff0$/, NOT_HEX],
  ['north_core.gpx', /^\+ "" [A-Z_0-9a-z]+=/, KEPT],
  ['north_core.gpx', /^\+ "" LineString [^ ]+$/, ONE_POINT],
  ['osm.gpx', /^\+ ".*" url=/, KEPT],
  ['selfclosing.kml', /^- "unextruded" LineString null,undefined$/, EMPTY],
  [
    'style.gpx',
    /^- ".*" color [0-9a-f]{6}$/,
    "a line style of GPX's extensions is kept as the property color",
  ],
  ['style.gpx', /^\+ ".*" [a-zA-Z_]+=/, KEPT],
  [
    'style.gpx',
    /^- ".*" LineStyle\.width=/,
    "a line style of GPX's extensions is kept as the property width",
  ],
  ['style.kml', /^\+ ".*" color #ff00ff$/, 'the colour of an icon is that of its point'],
  ['unique_trkpt.gpx', /^\+ "" (?:LineString|fix) /, ONE_POINT],
  ['zero_elevation.gpx', /^- "BIG LOOP" cmt=/, FIRST_FOUND],
  ['zero_elevation.gpx', /^\+ "BIG LOOP" (?:number|color)=/, KEPT],
];

const CORPUS = 'kml/mapbox-togeojson';
const twins = dataFiles(CORPUS, '.geojson');

describe("the pairs of togeojson's corpus (need ../shared/data)", () => {
  needs(sharedData(CORPUS)).test('are 40', () => {
    expect(twins.length).toBe(40);
  });

  needs(sharedData(CORPUS)).test.each(twins.map((twin) => [basename(twin, '.geojson'), twin] as const))(
    '%s has the same content as its GeoJSON, except for known differences',
    (name, twin) => {
      const text = readFileSync(twin.slice(0, -'.geojson'.length), 'utf8');
      const isGpx = name.endsWith('.gpx');
      const data = isGpx ? fromGpx(text) : fromKml(text);
      const ours = factsOfForeign(data, isGpx ? fromGpx(text, { as: 'lines' }) : null);
      const theirs = factsOfGeoJson(JSON.parse(readFileSync(twin, 'utf8')) as FeatureCollection);
      const found = differences(theirs, ours);
      const reasoned = REASONED.filter(([file]) => file === name);
      expect(found.filter((line) => !reasoned.some(([, pattern]) => pattern.test(line)))).toEqual([]);
      for (const [, pattern] of reasoned) {
        expect(
          found.some((line) => pattern.test(line)),
          `${pattern} has disappeared`,
        ).toBe(true);
      }
      const isError = name === 'addresses.kml' || name === 'selfclosing.kml';
      expect(data.issues.some(({ severity }) => severity === 'error')).toBe(isError);
      // Fixes have no heart rates; they are reported.
      if (/heartRates/.test(readFileSync(twin, 'utf8'))) {
        expect(data.issues.map(({ code }) => code)).toContain('gpx-fields');
      }
    },
  );
});
