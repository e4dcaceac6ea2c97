import { describe, expect, test } from 'vitest';
import * as wayzone from '../../src/index.js';
import * as interchange from '../../src/interchange/index.js';
import * as listing from '../../src/listing/index.js';
import * as operator from '../../src/operator/index.js';
import * as parallel from '../../src/parallel/index.js';
import * as routing from '../../src/routing/index.js';
import * as schemas from '../../src/schemas/index.js';
import * as tracks from '../../src/tracks/index.js';
import * as trips from '../../src/trips/index.js';
import { wkt } from '../wkt.js';

const depot = { id: 'a', name: 'a', type: { key: 'circle' }, geometry: [[10, 50]], width: 100 } as const;
const road = { id: 'b', name: 'b', type: { key: 'line' }, geometry: [[10, 50], [10.1, 50]], width: 100 } as const; // biome-ignore format: one zone a line
const zone = depot as never;
const line: readonly (readonly [number, number])[] = wkt('10 50, 10.1 50');
const index = new wayzone.ZoneIndex([depot]);
const fixes = line.map(([lon, lat], i) => ({ time: 1_772_438_400_000 + 60_000 * i, lon, lat }));
const track = tracks.readTrack(fixes);
const trip = { id: 't', dates: ['2026-03-02'], points: [depot], unit: { id: 'u' } } as never;

/** Every library function with options, with all other arguments valid. */
const FUNCTIONS: readonly (readonly [name: string, call: (options: never) => unknown])[] = [
  ['measureZone', (o) => wayzone.measureZone(depot, o)],
  ['zoneContains', (o) => wayzone.zoneContains(depot, [10, 50], o)],
  ['signedDistanceMeters', (o) => wayzone.signedDistanceMeters(depot, [10, 50], o)],
  ['zoneOutline', (o) => wayzone.zoneOutline(depot, o)],
  ['corridor', (o) => wayzone.corridor(line, 100, o)],
  ['lineToPolygon', (o) => wayzone.lineToPolygon(road, o)],
  ['completeGeozone', (o) => wayzone.completeGeozone(zone, o)],
  ['ZoneIndex', (o) => new wayzone.ZoneIndex([depot], o)],
  ['ZoneIndex.fromBuffer', (o) => wayzone.ZoneIndex.fromBuffer(index.toBuffer(), o)],
  ['toBuffer', (o) => index.toBuffer(o)],
  ['nearest', (o) => index.nearest([10, 50], o)],
  ['fromKml', (o) => interchange.fromKml('<kml/>', o)],
  ['fromGpx', (o) => interchange.fromGpx('<gpx/>', o)],
  ['fromGeoJson', (o) => interchange.fromGeoJson('{}', o)],
  ['fromCsv', (o) => interchange.fromCsv('time,lon,lat', o)],
  ['toKml', (o) => interchange.toKml([zone], o)],
  ['toKmz', (o) => interchange.toKmz([zone], o)],
  ['toGeoParquet', (o) => interchange.toGeoParquet([], o)],
  ['toGpx', (o) => interchange.toGpx({}, o)],
  ['toFeatureCollection', (o) => interchange.toFeatureCollection([zone], o)],
  ['toZoneCsv', (o) => interchange.toZoneCsv([zone], o)],
  ['toFixCsv', (o) => interchange.toFixCsv([], o)],
  ['writeKml', (o) => interchange.writeKml([zone], () => {}, o)],
  ['filterGeozones', (o) => listing.filterGeozones([zone], {}, o)],
  ['filterRoutes', (o) => listing.filterRoutes([], {}, o)],
  ['filterTrips', (o) => listing.filterTrips([], {}, o)],
  ['listGroups', (o) => listing.listGroups([], [], o)],
  ['validateGeozone', (o) => schemas.validateGeozone(depot, o)],
  ['validateRoute', (o) => schemas.validateRoute({}, o)],
  ['validateTrip', (o) => schemas.validateTrip({}, o)],
  ['readTrack', (o) => tracks.readTrack(fixes, o)],
  ['findVisits', (o) => tracks.findVisits(track, index, o)],
  ['detectTrips', (o) => tracks.detectTrips(track, {}, o)],
  ['findDeviations', (o) => tracks.findDeviations(track, line, 50, o)],
  ['VisitTracker', (o) => new tracks.VisitTracker(index, o)],
  ['MovementTracker', (o) => new tracks.MovementTracker({}, o)],
  ['planTrip', (o) => trips.planTrip(trip, '2026-03-02', o)],
  ['evaluateTrip', (o) => trips.evaluateTrip(trip, '2026-03-02', track, o)],
  ['TripTracker', (o) => new trips.TripTracker(trip, '2026-03-02', o)],
  ['routeFromTrack', (o) => routing.routeFromTrack(track, o)],
  ['UnitFleet', (o) => new operator.UnitFleet({ zones: index }, o)],
  ['runWindows', (o) => operator.runWindows(o)],
  ['unitOperator', (o) => operator.unitOperator(() => ({ zones: index }), o)],
  ['replay', (o) => parallel.replay([], o)],
  ['locateParallel', (o) => parallel.locateParallel(index, new Float64Array(2), o)],
];

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

describe('options that are not an object', () => {
  test.each(FUNCTIONS)('%s', async (_, call) => {
    for (const options of [null, 5, 'fast', []]) {
      expect(await errorOf(() => call(options as never))).toMatchObject({
        code: 'option-type',
        field: 'options',
      });
    }
  });
});

test('zones that are not a list', () => {
  for (const zones of [null, 5, {}, 'depot']) {
    expect(() => new wayzone.ZoneIndex(zones as never)).toThrow(
      expect.objectContaining({ code: 'source-type', field: 'zones' }),
    );
  }
});
