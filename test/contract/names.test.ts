import { expect, test } from 'vitest';

/** The public names of each subpath: a change here is a change of the contract, and belongs in CHANGELOG.md. */
test.each([
  [
    '../../src/index.js',
    [
      'WayzoneError',
      'ZoneIndex',
      'destination',
      'distanceMeters',
      'lengthMeters',
      'measureZone',
      'notFound',
      'signedDistanceMeters',
      'zoneContains',
      'zoneOutline',
    ],
  ],
  [
    '../../src/interchange/index.js',
    ['fromCsv', 'fromGeoJson', 'fromGpx', 'fromKml', 'toCsv', 'toFeatureCollection', 'toKml'],
  ],
  ['../../src/tracks/index.js', ['findVisits', 'readTrack']],
])('%s exports exactly its public names', async (path, names) => {
  expect(Object.keys((await import(path)) as object).sort()).toEqual([...names].sort());
});
