import { pageFiles } from '../../src/cli/io/pageFiles.js';
import type { Track } from '../../src/core/fix.js';
import type { Geozone } from '../../src/core/wire.js';
import { corridor } from '../../src/index.js';
import {
  DEFAULT_GRADATION,
  type PageFiles,
  type ReportInput,
  type ReportZone,
} from '../../src/report/index.js';
import type { Conduct } from '../../src/report/reportInput.js';
import type { Measure } from '../../src/tracks/index.js';
import { wkt } from '../wkt.js';

/** The page's own script, with placeholders for Leaflet's files. */
export async function sampleFiles(page: 'report' | 'route'): Promise<PageFiles> {
  const leaflet = {
    js: 'const a = "</script><!--";\n//# sourceMappingURL=leaflet.js.map\n',
    css: '.x { background-image: url(images/layers.png); }',
  };
  return { ...(await pageFiles(page)), leaflet };
}

export const NASTY_NAME = '</script><script>alert(1)</script><!-- "\'& \u2028';

export function trackOf(fixes: readonly (readonly [time: number, lon: number, lat: number])[]): Track {
  return {
    length: fixes.length,
    time: Float64Array.from(fixes, ([time]) => time),
    lon: Float64Array.from(fixes, ([, lon]) => lon),
    lat: Float64Array.from(fixes, ([, , lat]) => lat),
    speedKph: null,
    accuracyMeters: null,
    ignition: null,
    mileageMeters: null,
    mileageDeltaMeters: null,
    blind: null,
    blindAfter: null,
    rejected: { duplicate: 2, invalid: 0 },
  };
}

function reportZone(zone: Geozone, more: Partial<ReportZone>): ReportZone {
  return {
    zone,
    lonLat: zone.geometry,
    outline: null,
    widthMeters: zone.width ?? null,
    area: null,
    perimeter: null,
    length: null,
    ...more,
  };
}

const square = [
  [10, 50],
  [10.01, 50],
  [10.01, 50.01],
  [10, 50.01],
  [10, 50],
] as const;

/** What a unit did: on a way of these metres at 36 km/h. */
const measure = (distanceMeters: number): Measure => ({
  durationSeconds: distanceMeters / 10,
  movingSeconds: distanceMeters / 10,
  idlingSeconds: 0,
  parkedSeconds: 0,
  unmeasuredSeconds: 0,
  distanceMeters,
  unmeasuredMeters: 0,
  maxSpeedKph: 36,
  meanSpeedKph: 36,
});

const NOTHING: Conduct = { speeding: [], rides: [], closed: [], route: null };

export const SAMPLE: ReportInput = {
  title: `Report ${NASTY_NAME}`,
  language: 'en',
  measures: 'km',
  basemap: null,
  timeZone: null,
  zones: [
    reportZone(
      { id: 'a', name: NASTY_NAME, type: { key: 'polygon' }, geometry: square, color: { key: 'red;}' } },
      {
        outline: { type: 'Polygon', coordinates: [[...square]] },
        area: 796_000,
        perimeter: 3600,
      },
    ),
    reportZone(
      {
        id: 'b',
        name: 'Road',
        type: { key: 'line' },
        geometry: wkt('179.9 0, -179.9 0'),
        width: 30,
      },
      {
        length: 22_263,
        outline: corridor(wkt('179.9 0, -179.9 0'), 30),
        area: 668_000,
        perimeter: 44_600,
      },
    ),
  ],
  units: [
    {
      unitId: NASTY_NAME,
      track: trackOf([
        [0, 9.99, 50.005],
        [60_000, 10.01, 50.005],
        [120_000, 10.03, 50.005],
      ]),
      movement: { trips: [], parkings: [], stops: [], unknown: [], issues: [] },
      measures: [measure(716.4), measure(0)],
      whole: measure(2874.3),
      sums: [
        { zoneId: null, period: null, count: 2, measure: measure(2154.6) },
        { zoneId: 'a', period: null, count: 1, measure: measure(716.4) },
        { zoneId: 'b', period: null, count: 1, measure: measure(3.3) },
      ],
      conduct: NOTHING,
      grades: [],
      visits: [
        { zoneId: 'a', seen: 'inside', end: 'left', enter: 30_000, exit: 60_000, fixCount: 1 },
        { zoneId: 'b', seen: 'inside', end: 'open', enter: 120_000, exit: null, fixCount: 1 },
      ],
    },
    {
      unitId: 'empty',
      track: trackOf([]),
      visits: [],
      movement: { trips: [], parkings: [], stops: [], unknown: [], issues: [] },
      measures: [],
      whole: measure(0),
      sums: [],
      conduct: NOTHING,
      grades: [],
    },
  ],
  trips: [],
  asked: { speeding: false, hours: false, meetings: false },
  route: null,
  meetings: [],
  gradation: DEFAULT_GRADATION,
  sources: [
    { file: 'x.csv', role: 'tracks', zones: 0, tracks: 1, fixes: 5, trips: 0, errors: 1, warnings: 0 },
  ],
  issues: [
    { code: 'coord-type', severity: 'error', field: 'lat', line: 3, message: NASTY_NAME, file: 'x.csv' },
  ],
  maxGapSeconds: 3600,
};
