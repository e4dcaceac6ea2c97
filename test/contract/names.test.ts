import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The public names of each subpath. A change here changes the contract and belongs in CHANGELOG.md. */
test.each([
  [
    '../../src/index.js',
    [
      'WayzoneError',
      'ZoneIndex',
      'completeGeozone',
      'corridor',
      'destination',
      'distanceMeters',
      'lengthMeters',
      'lineToPolygon',
      'measureZone',
      'notFound',
      'requestError',
      'signedDistanceMeters',
      'zoneContains',
      'zoneOutline',
    ],
  ],
  [
    '../../src/interchange/index.js',
    [
      'fromCsv',
      'fromGeoJson',
      'fromGpx',
      'fromKml',
      'fromKmz',
      'loadCrs',
      'readCsv',
      'readGeoJson',
      'readGpx',
      'readKml',
      'readParquet',
      'toCsv',
      'toFeatureCollection',
      'toFixCsv',
      'toGpx',
      'toKml',
      'toKmz',
      'toParquet',
      'toZoneCsv',
      'writeFeatureCollection',
      'writeFixCsv',
      'writeGpx',
      'writeKml',
      'writeZoneCsv',
    ],
  ],
  [
    '../../src/listing/index.js',
    [
      'filterGeozones',
      'filterRoutes',
      'filterTrips',
      'listGroups',
      'listWorkTypes',
      'selectByIds',
      'selectForExport',
    ],
  ],
  ['../../src/algebra/index.js', ['auditZones', 'fitZone']],
  ['../../src/hours/index.js', ['fromOpeningHours', 'prepareHours', 'splitByHours']],
  ['../../src/parallel/index.js', ['locateParallel', 'replay']],
  [
    '../../src/routing/index.js',
    [
      'buildRouting',
      'osrmEngine',
      'parseRoutingPoints',
      'routeFromRouting',
      'routeFromTrack',
      'routeLengthMeters',
      'routeToZone',
      'sequencePoints',
      'sequenceRoute',
      'straightLineEngine',
      'valhallaEngine',
    ],
  ],
  [
    '../../src/schemas/index.js',
    [
      'ACTIVATION_TYPES',
      'COLORS',
      'CustomGeozoneTypeSchema',
      'ExportRequestSchema',
      'FilterQuerySchema',
      'FixSchema',
      'GEOZONE_TYPES',
      'GeozoneGroupInputSchema',
      'GeozoneGroupSchema',
      'GeozoneInputSchema',
      'GeozoneSchema',
      'GroupListQuerySchema',
      'GroupListSchema',
      'ICONS',
      'LineToPolygonAnswerSchema',
      'LineToPolygonRequestSchema',
      'MapFeatureCollectionSchema',
      'MonitoringSensorsSettingsSchema',
      'PASSAGE_ORDER_TYPES',
      'RouteInputSchema',
      'RouteSchema',
      'RoutingAnswerSchema',
      'TrackGradationSchema',
      'TripDetectorSettingsSchema',
      'TripInputSchema',
      'TripReportSchema',
      'TripSchema',
      'WireErrorSchema',
      'dictionaryEntry',
      'filterAnswerSchema',
      'formatPlatformTime',
      'listDictionaries',
      'parsePlatformTime',
      'validateCustomGeozoneType',
      'validateFix',
      'validateGeozone',
      'validateGeozoneGroup',
      'validateGeozones',
      'validateMonitoringSensorsSettings',
      'validateRoute',
      'validateTrackGradation',
      'validateTrip',
    ],
  ],
  [
    '../../src/tracks/index.js',
    [
      'MovementTracker',
      'VisitTracker',
      'detectTrips',
      'findDeviations',
      'findVisits',
      'gradeTrack',
      'readTrack',
    ],
  ],
  [
    '../../src/trips/index.js',
    [
      'TripTracker',
      'evaluateTrip',
      'explainTrip',
      'planTrip',
      'predictByEngine',
      'predictByRoute',
      'tripFromRoute',
      'tripZones',
    ],
  ],
])('%s exports exactly its public names', async (path, names) => {
  expect(Object.keys((await import(path)) as object).sort()).toEqual([...names].sort());
});

test('package.json exports these subpaths with types, and nothing else', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, { types: string; default: string }>;
  };
  const subpaths = [
    '.',
    './algebra',
    './hours',
    './interchange',
    './listing',
    './parallel',
    './routing',
    './schemas',
    './tracks',
    './trips',
  ];
  expect(Object.keys(exports)).toEqual([...subpaths, './package.json']);
  for (const subpath of subpaths) {
    const file = subpath === '.' ? 'index' : `${subpath.slice(2)}/index`;
    expect(exports[subpath]).toEqual({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` });
    expect(existsSync(new URL(`../../src/${file}.ts`, import.meta.url))).toBe(true);
  }
});
