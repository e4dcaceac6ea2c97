import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import * as algebra from '../../src/algebra/index.js';
import { checkOptions, nearestName, OWN, readOptions } from '../../src/core/options.js';
import * as hours from '../../src/hours/index.js';
import * as wayzone from '../../src/index.js';
import * as interchange from '../../src/interchange/index.js';
import * as listing from '../../src/listing/index.js';
import * as operator from '../../src/operator/index.js';
import * as parallel from '../../src/parallel/index.js';
import * as routing from '../../src/routing/index.js';
import * as schemas from '../../src/schemas/index.js';
import * as tiles from '../../src/tiles/index.js';
import { checkRunOptions } from '../../src/tracks/checkRunOptions.js';
import * as tracks from '../../src/tracks/index.js';
import * as trips from '../../src/trips/index.js';
import { TRIP_OPTIONS } from '../../src/trips/terms/tripRules.js';
import { LONG, volume } from '../volume.js';

const SRC = resolve(import.meta.dirname, '../../src');

const depot = { id: 'a', name: 'a', type: { key: 'circle' }, geometry: [[10, 50]], width: 100 } as const;
const road = { id: 'b', name: 'b', type: { key: 'line' }, geometry: [[10, 50], [10.1, 50]], width: 100 } as const; // biome-ignore format: one zone a line
const zone = depot as never;
const line: readonly (readonly [number, number])[] = [[10, 50], [10.1, 50]]; // biome-ignore format: one line
const index = new wayzone.ZoneIndex([depot]);
const fixes = line.map(([lon, lat], i) => ({ time: 1_772_438_400_000 + 60_000 * i, lon, lat }));
const fix = fixes[0]!;
const track = tracks.readTrack(fixes);
const trip = { id: 't', dates: ['2026-03-02'], points: [depot], unit: { id: 'u' }, passage_order_type: { key: 'strict' } } as never; // biome-ignore format: one row
const UTC = { timeZone: 'UTC' };
const HTTP = { url: 'http://localhost', fetch: (async () => undefined) as never };
const request = (engine: wayzoneRouting) => (options: unknown) => engine.route(line, options as never);
type wayzoneRouting = ReturnType<typeof routing.straightLineEngine>;
const tracker = new trips.TripTracker(trip, '2026-03-02', UTC);
const route = tracks.prepareRoute(line);
const WIDTH = { widthMeters: 50 };
const NEAR = { meters: 50 };
const visitTracker = new tracks.VisitTracker(index);
const movementTracker = new tracks.MovementTracker();
const speedingTracker = new tracks.SpeedingTracker({});
const meter = tracks.meterTrack(track);
const none = async function* (): AsyncGenerator<Uint8Array> {};
const nowhere = (): void => {};
const parquet = await interchange.toParquet({ unit: 'text', time: 'time', lat: 'number', lon: 'number' }, []);
const answer = await routing.buildRouting('50,10;50.1,10');

type Call = (options: never) => unknown;

/** A call of each public function with options, by its name and the number of the parameter; all other arguments are valid. */
const CALLS: Readonly<Record<string, Call>> = {
  'measureZone 1': (o) => wayzone.measureZone(depot, o),
  'zoneContains 2': (o) => wayzone.zoneContains(depot, [10, 50], o),
  'signedDistanceMeters 2': (o) => wayzone.signedDistanceMeters(depot, [10, 50], o),
  'zoneOutline 1': (o) => wayzone.zoneOutline(depot, o),
  'corridor 2': (o) => wayzone.corridor(line, 100, o),
  'lineToPolygon 1': (o) => wayzone.lineToPolygon(road, o),
  'completeGeozone 1': (o) => wayzone.completeGeozone(zone, o),
  'ZoneIndex 1': (o) => new wayzone.ZoneIndex([depot], o),
  'ZoneIndex.fromBuffer 1': (o) => wayzone.ZoneIndex.fromBuffer(index.toBuffer(), o),
  'ZoneIndex#toBuffer 0': (o) => index.toBuffer(o),
  'ZoneIndex#nearest 1': (o) => index.nearest([10, 50], o),
  'fromKml 1': (o) => interchange.fromKml('<kml/>', o),
  'fromKmz 1': (o) => interchange.fromKmz(interchange.toKmz([zone]), o),
  'fromGpx 1': (o) => interchange.fromGpx('<gpx/>', o),
  'fromGeoJson 1': (o) => interchange.fromGeoJson('{}', o),
  'fromCsv 1': (o) => interchange.fromCsv('time,lon,lat', o),
  'readKml 1': (o) => interchange.readKml(none(), o),
  'readGpx 1': (o) => interchange.readGpx(none(), o),
  'readGeoJson 1': (o) => interchange.readGeoJson(none(), o),
  'readGeoJsonLines 1': (o) => interchange.readGeoJsonLines(none(), o),
  'readCsv 1': (o) => interchange.readCsv(none(), o),
  'fromPlan 1': (o) => interchange.fromPlan('trip,unit,date,stop', { zones: [], ...(o as object) } as never),
  'readParquet 1': (o) => interchange.readParquet(parquet, o),
  'toKml 1': (o) => interchange.toKml([zone], o),
  'toKmz 1': (o) => interchange.toKmz([zone], o),
  'toGeoParquet 1': (o) => interchange.toGeoParquet([], o),
  'toGpx 1': (o) => interchange.toGpx({}, o),
  'toFeatureCollection 1': (o) => interchange.toFeatureCollection([zone], o),
  'toZoneCsv 1': (o) => interchange.toZoneCsv([zone], o),
  'toFixCsv 1': (o) => interchange.toFixCsv([], o),
  'writeKml 2': (o) => interchange.writeKml([zone], nowhere, o),
  'writeGpx 2': (o) => interchange.writeGpx({}, nowhere, o),
  'writeFeatureCollection 2': (o) => interchange.writeFeatureCollection([zone], nowhere, o),
  'writeZoneCsv 2': (o) => interchange.writeZoneCsv([zone], nowhere, o),
  'writeFixCsv 2': (o) => interchange.writeFixCsv([], nowhere, o),
  'filterGeozones 2': (o) => listing.filterGeozones([zone], {}, o),
  'filterRoutes 2': (o) => listing.filterRoutes([], {}, o),
  'filterTrips 2': (o) => listing.filterTrips([], {}, o),
  'listGroups 2': (o) => listing.listGroups([], [], o),
  'listWorkTypes 1': (o) => listing.listWorkTypes([], o),
  'formatPlatformTime 1': (o) => schemas.formatPlatformTime(0, o),
  'parsePlatformTime 1': (o) => schemas.parsePlatformTime('2026-03-02', o),
  'listCustomFields 0': (o) => schemas.listCustomFields(o),
  'validateCustomFieldDefinition 1': (o) => schemas.validateCustomFieldDefinition({}, o),
  'validateUnitSettings 1': (o) => schemas.validateUnitSettings({}, o),
  'listDictionaries 0': (o) => schemas.listDictionaries(o),
  'entryFiller 1': (o) => schemas.entryFiller('geozone', o),
  'entryLabels 1': (o) => schemas.entryLabels('geozone', o),
  'validateGeozone 1': (o) => schemas.validateGeozone(depot, o),
  'validateGeozones 1': (o) => schemas.validateGeozones([depot], o),
  'validateGeozoneGroup 1': (o) => schemas.validateGeozoneGroup({ name: 'g', geozones: [] }, o),
  'validateCustomGeozoneType 1': (o) => schemas.validateCustomGeozoneType({}, o),
  'validateMonitoringSensorsSettings 1': (o) => schemas.validateMonitoringSensorsSettings([], o),
  'validateTrackGradation 1': (o) => schemas.validateTrackGradation({}, o),
  'validateFix 1': (o) => schemas.validateFix(fix, o),
  'validateRoute 1': (o) => schemas.validateRoute({}, o),
  'validateTrip 1': (o) => schemas.validateTrip({}, o),
  'readTrack 1': (o) => tracks.readTrack(fixes, o),
  'findVisits 2': (o) => tracks.findVisits(track, index, o),
  'detectTrips 2': (o) => tracks.detectTrips(track, {}, o),
  'findDeviations 3': (o) => tracks.findDeviations(track, line, 50, o),
  'gradeTrack 2': (o) => tracks.gradeTrack(track, { styles: [{ max: null, hex_color: '#000000' }] }, o),
  'prepareRoute 1': (o) => tracks.prepareRoute(line, o),
  'matchRoute 2': (o) => tracks.matchRoute(track, route, o),
  'RouteTracker 1': (o) => new tracks.RouteTracker(route, o),
  'RouteTracker#push 1': (o) => new tracks.RouteTracker(route, WIDTH).push(fix, o),
  'findMeetings 2': (o) => tracks.findMeetings(track, track, o),
  'MeetingTracker 0': (o) => new tracks.MeetingTracker(o),
  'MeetingTracker#push 2': (o) => new tracks.MeetingTracker(NEAR).push('u', fix, o),
  'VisitTracker.restore 2': (o) => tracks.VisitTracker.restore(index, visitTracker.snapshot(), o),
  'prepareHours 1': (o) => hours.prepareHours({}, o),
  'splitByHours 2': (o) => hours.splitByHours([], () => null, o),
  'fitZone 1': (o) => algebra.fitZone(zone, o),
  'auditZones 1': (o) => algebra.auditZones(index, o),
  'zoneTile 2': (o) => tiles.zoneTile(index, { z: 0, x: 0, y: 0 }, o),
  'tilesTouched 3': (o) => tiles.tilesTouched(index, null, null, o),
  'tileJson 1': (o) => tiles.tileJson(index, o),
  'tileProtocol 1': (o) => tiles.tileProtocol(index, o),
  'VisitTracker 1': (o) => new tracks.VisitTracker(index, o),
  'VisitTracker#push 2': (o) => visitTracker.push('u', fix, o),
  'MovementTracker 1': (o) => new tracks.MovementTracker({}, o),
  'MovementTracker#push 2': (o) => movementTracker.push('u', fix, o),
  'meterTrack 2': (o) => tracks.meterTrack(track, {}, o),
  'splitByZone 2': (o) => tracks.splitByZone(track, index, o),
  'sumByZone 2': (o) => tracks.sumByZone([], meter, o),
  'findRides 1': (o) => tracks.findRides([], o),
  'findStays 1': (o) => tracks.findStays(track, o),
  'suggestZones 1': (o) => tracks.suggestZones([], o),
  'findSpeeding 1': (o) => tracks.findSpeeding(track, o),
  'urbanMileage 2': (o) => tracks.urbanMileage(track, {}, o),
  'SpeedingTracker 0': (o) => new tracks.SpeedingTracker(o),
  'SpeedingTracker#push 2': (o) => speedingTracker.push('u', fix, o),
  'planTrip 2': (o) => trips.planTrip(trip, '2026-03-02', o),
  'changedWindow 2': (o) => operator.changedWindow(trip, '2026-03-02', o),
  'tripZones 1': (o) => trips.tripZones(trip, o),
  'evaluateTrip 3': (o) => trips.evaluateTrip(trip, '2026-03-02', track, o),
  'TripTracker 2': (o) => new trips.TripTracker(trip, '2026-03-02', o),
  'TripTracker#push 1': (o) => tracker.push(fix, o),
  'TripTracker#pushAll 1': (o) => tracker.pushAll([fix], o),
  'TripTracker.restore 2': (o) => trips.TripTracker.restore(trip, tracker.snapshot(), o),
  'tripFromRoute 1': (o) => trips.tripFromRoute({ points: [depot] }, o),
  'predictByRoute 1': (o) => trips.predictByRoute([{ durationSeconds: 1, geometry: line }], o),
  'predictByEngine 1': (o) => trips.predictByEngine(routing.straightLineEngine(), o),
  'parseRoutingPoints 1': (o) => routing.parseRoutingPoints('50,10;50,11', o),
  'sequencePoints 1': (o) => routing.sequencePoints([[0]], o),
  'sequenceRoute 2': (o) => routing.sequenceRoute(line, routing.straightLineEngine(), o),
  'buildRouting 1': (o) => routing.buildRouting('50,10;50,11', o),
  'straightLineEngine 0': (o) => routing.straightLineEngine(o),
  'osrmEngine 0': (o) => routing.osrmEngine(o),
  'valhallaEngine 0': (o) => routing.valhallaEngine(o),
  'routeFromTrack 1': (o) => routing.routeFromTrack(track, o),
  'routeFromRouting 1': (o) => routing.routeFromRouting(answer, o),
  'routeLengthMeters 1': (o) => routing.routeLengthMeters({ points: [depot] }, o),
  'UnitFleet 1': (o) => new operator.UnitFleet({ zones: index }, o),
  'UnitFleet#push 2': (o) => new operator.UnitFleet({ zones: index }).push('u', fix, o),
  'runWindows 0': (o) => operator.runWindows(o),
  'followRun 3': (o) =>
    operator.followRun('trips', operator.runWindows().on(trip, 'UTC', '2026-03-02')!, {}, o),
  'unitOperator 1': (o) => operator.unitOperator(() => ({ zones: index }), o),
  'replay 1': (o) => parallel.replay([], o),
  'locateParallel 2': (o) => parallel.locateParallel(index, new Float64Array(0), o),
};

/** Options that a call needs. */
const NEEDED: Readonly<Record<string, object>> = {
  'formatPlatformTime 1': UTC,
  'matchRoute 2': { widthMeters: 50 },
  'RouteTracker 1': { widthMeters: 50 },
  'findMeetings 2': { meters: 50 },
  'MeetingTracker 0': { meters: 50 },
  'prepareHours 1': UTC,
  'fitZone 1': { maxVertices: 4 },
  'parsePlatformTime 1': UTC,
  'planTrip 2': UTC,
  'changedWindow 2': UTC,
  'evaluateTrip 3': UTC,
  'TripTracker 2': UTC,
  'tripFromRoute 1': { dates: ['2026-03-02'] },
  'osrmEngine 0': HTTP,
  'valhallaEngine 0': HTTP,
};

/** Nested objects of options: the path of a call that passes one. */
const NESTED: Readonly<Record<string, readonly [field: string, known: string, call: Call]>> = {
  limits: ['limits', 'maxBytes', (limits) => interchange.fromKml('<kml/>', { limits })],
  columns: ['columns', 'time', (columns) => interchange.fromCsv('time,lon,lat', { columns })],
  fieldProperties: ['fieldProperties', 'width', (fieldProperties) => interchange.fromGeoJson('{}', { fieldProperties })],
  dictionaries: ['options.dictionaries', 'colors', (dictionaries) => schemas.validateGeozone(depot, { dictionaries })],
  'dictionaries of completeGeozone': ['options.dictionaries', 'icons', (dictionaries) => wayzone.completeGeozone(zone, { dictionaries })],
  times: ['options.times', 'serviceSeconds', (times) => trips.tripFromRoute({ points: [depot] }, { dates: ['2026-03-02'], times: { start: '08:00', durationsSeconds: [], ...(times as object) } })],
  optimize: ['options.optimize', 'roundTrip', (optimize) => routing.buildRouting('50,10;50,11', { optimize })],
  titles: ['options.titles', 'distance', (titles) => routing.buildRouting('50,10;50,11', { titles })],
  'a request to an engine': ['options', 'signal', request(routing.straightLineEngine())],
  'a request to Valhalla': ['options', 'avoidZones', request(routing.valhallaEngine(HTTP))],
  zoneOptions: ['options.zoneOptions', 'axisOrder', (zoneOptions) => routing.sequenceRoute(line, routing.straightLineEngine(), { zoneOptions })],
  visitOptions: ['options.visitOptions', 'maxGapSeconds', (visitOptions) => parallel.replay([], { visitOptions })],
  trackOptions: ['options.trackOptions', 'maxSpeedKph', (trackOptions) => parallel.replay([], { trackOptions })],
  movementOptions: ['options.movementOptions', 'jump', (movementOptions) => parallel.replay([], { movementOptions })],
  tripOptions: ['options.tripOptions', 'policy', (tripOptions) => parallel.replay([], { tripOptions: { ...UTC, ...(tripOptions as object) } })],
}; // biome-ignore format: one call a line

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

/** The names of the options of each public function, constructor and method, from their types. */
function optionNames(): Map<string, string[]> {
  const entries = readdirSync(SRC, { withFileTypes: true })
    .flatMap(({ name }) => (name === 'index.ts' ? [name] : [`${name}/index.ts`]))
    .filter((path) => !/^(cli|report|core|geodesy|planar|zones|lazy)/.test(path) && existsSync(join(SRC, path)))
    .map((path) => join(SRC, path));
  const program = ts.createProgram(entries, { strict: true, target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, skipLibCheck: true }); // biome-ignore format: one line
  const checker = program.getTypeChecker();
  const found = new Map<string, string[]>();
  const add = (name: string, signatures: readonly ts.Signature[]): void => {
    for (const signature of signatures) {
      signature.parameters.forEach((parameter, i) => {
        if (!/^(options|given|request)$/.test(parameter.name)) return;
        const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
        const names = (type.isUnion() ? type.types : [type]).flatMap((part) => part.getProperties().map((one) => one.name));
        found.set(`${name} ${i}`, [...new Set([...(found.get(`${name} ${i}`) ?? []), ...names])]);
      });
    }
  };
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!(symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class))) continue;
      const type = checker.getTypeOfSymbol(symbol);
      add(symbol.name, type.getCallSignatures());
      add(symbol.name, type.getConstructSignatures());
      if (!(symbol.flags & ts.SymbolFlags.Class)) continue;
      for (const one of type.getProperties()) {
        if (one.name !== 'prototype') add(`${symbol.name}.${one.name}`, checker.getTypeOfSymbol(one).getCallSignatures());
      }
      for (const one of checker.getDeclaredTypeOfSymbol(symbol).getProperties())
        add(`${symbol.name}#${one.name}`, checker.getTypeOfSymbol(one).getCallSignatures());
    }
  }
  return found;
} // biome-ignore format: table code

const UNKNOWN_ERROR = { code: 'option-unknown' };

describe('the options of every public function', () => {
  let types: Map<string, string[]>;

  beforeAll(() => {
    types = optionNames();
  });

  test('have a call in this file', () => {
    const filters = ['selectForExport 2'];
    expect([...types.keys()].filter((name) => !filters.includes(name)).sort()).toEqual(Object.keys(CALLS).sort());
  });

  test.each(Object.entries(CALLS))('%s refuses an unknown name, also with the value undefined', async (name, call) => {
    for (const value of [1, undefined]) {
      const error = await errorOf(() => call({ ...NEEDED[name], zzUnknown: value } as never));
      expect(error).toMatchObject({ ...UNKNOWN_ERROR, field: 'options.zzUnknown', status: 422 });
    }
  });

  test.each(Object.entries(CALLS))('%s accepts every name of its type', async (name, call) => {
    for (const option of types.get(name)!) {
      const given = { ...NEEDED[name], [option]: (NEEDED[name] as Record<string, unknown>)?.[option] };
      expect(await errorOf(() => call(given as never))).not.toMatchObject(UNKNOWN_ERROR);
    }
  });

  test.each(Object.entries(CALLS))('%s refuses every name with one wrong letter, and names the right one', async (name, call) => {
    const names = types.get(name)!;
    for (const [n, option] of names.entries()) {
      // The ordinary run takes one letter of each name.
      for (let i = LONG ? 0 : n % option.length; i < option.length; i += LONG ? 1 : option.length) {
        const rest = option.slice(i + 1);
        for (const wrong of [`${option.slice(0, i)}${rest}`, `${option.slice(0, i)}q${rest}`, `${option.slice(0, i)}q${option.slice(i)}`]) {
          if (names.includes(wrong) || wrong === '') continue;
          const error = await errorOf(() => call({ ...NEEDED[name], [wrong]: 1 } as never));
          expect(error).toMatchObject({ ...UNKNOWN_ERROR, field: `options.${wrong}` });
          const [, nearest = ''] = /did you mean (\w+)\?/.exec((error as Error).message) ?? [];
          if (option.length > 2) expect(nearest === option || slowEdits(wrong, nearest) === 1).toBe(true);
        }
      }
    }
  });
}); // biome-ignore format: long names

describe('nested objects of options', () => {
  test.each(Object.entries(NESTED))('%s', async (_, [field, known, call]) => {
    expect(await errorOf(() => call({ [known]: undefined } as never))).not.toMatchObject(UNKNOWN_ERROR);
    const error = await errorOf(() => call({ [`${known}q`]: 1 } as never));
    expect(error).toMatchObject({ ...UNKNOWN_ERROR, field: `${field}.${known}q` });
    expect((error as Error).message).toContain(`did you mean ${known}?`);
  });
});

describe('names', () => {
  test('the examples of a developer', () => {
    expect(() => wayzone.zoneContains(depot, [10, 50], { axisorder: 'latlon' } as never)).toThrow(
      expect.objectContaining({
        code: 'option-unknown',
        field: 'options.axisorder',
        message: 'expected the name of an option, received "axisorder"; did you mean axisOrder?',
      }),
    );
    expect(() => tracks.findVisits(track, index, { maxGap: 60 } as never)).toThrow(/did you mean maxGapSeconds\?/);
  });

  test('a name that is near none lists the options', () => {
    expect(() => index.nearest([10, 50], { radius: 5 } as never)).toThrow(/the options are count, maxMeters$/);
  });

  test('names of objects are not options', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const options = Object.defineProperty({}, name, { value: 1, enumerable: true });
      expect(() => wayzone.measureZone(depot, options as never)).toThrow(expect.objectContaining(UNKNOWN_ERROR));
    }
  });

  test('inherited, hidden and symbol keys are not names', () => {
    const options = Object.create({ inherited: 1, axisOrder: 'latlon' }) as object;
    Object.defineProperty(options, 'hidden', { value: 1, enumerable: false });
    Object.assign(options, { [Symbol('s')]: 1 });
    expect(wayzone.zoneContains({ ...depot, geometry: [[50, 10]] }, [10, 50], options)).toBe(true);
  });

  test('an object whose keys cannot be listed is input-unreadable', () => {
    const options = new Proxy({}, { ownKeys: () => { throw new Error('no'); } }); // biome-ignore format: short
    expect(() => wayzone.measureZone(depot, options)).toThrow(expect.objectContaining({ code: 'input-unreadable' }));
  });

  test('one object may hold the options of readTrack, visits, movement and trips; options of zones belong to shapes', () => {
    const options = { maxSpeedKph: 200, maxGapSeconds: 60, latenessSeconds: 5, jump: 'speed', timeZone: 'UTC' } as const;
    const own = tracks.readTrack(fixes, options);
    expect(tracks.findVisits(own, index, options)).toHaveLength(1);
    expect(trips.evaluateTrip(trip, '2026-03-02', own, options).timeZone).toBe('UTC');
    for (const name of Object.keys(TRIP_OPTIONS)) {
      const isOfZones = ['axisOrder', 'lineWidth', 'defaultWidthMeters', 'boundary'].includes(name);
      const check = (): void => checkRunOptions({ [name]: 1 }, {});
      if (isOfZones) expect(check).toThrow(expect.objectContaining(UNKNOWN_ERROR));
      else expect(check).not.toThrow();
    }
    expect(() => tracks.readTrack(fixes, { axisOrder: 'latlon' } as never)).toThrow(expect.objectContaining(UNKNOWN_ERROR));
  });
}); // biome-ignore format: long names

describe('nearestName', () => {
  const TABLE = ['axisOrder', 'lineWidth', 'defaultWidthMeters', 'boundary', 'maxGapSeconds', 'maxGapMeters', 'minInsideSeconds', 'minOutsideSeconds', 'by']; // biome-ignore format: one list
  const LETTERS = 'abdeimoprstuxGSW'.split('');

  test('up to two edits of a name have no nearer name than the one given', () => {
    const edit = fc.record({ at: fc.nat(30), kind: fc.constantFrom('insert', 'delete', 'replace', 'swap'), letter: fc.constantFrom(...LETTERS) }); // biome-ignore format: one line
    fc.assert(
      fc.property(fc.constantFrom(...TABLE.slice(0, -1)), fc.array(edit, { minLength: 1, maxLength: 2 }), (name, edits) => {
        const wrong = edits.reduce((text, { at, kind, letter }) => {
          const i = at % Math.max(1, text.length);
          const [head, tail] = [text.slice(0, i), text.slice(i)];
          if (kind === 'insert') return head + letter + tail;
          if (kind === 'delete') return head + tail.slice(1);
          if (kind === 'replace') return head + letter + tail.slice(1);
          return tail.length < 2 ? text : head + tail[1]! + tail[0]! + tail.slice(2);
        }, name);
        const nearest = nearestName(wrong, TABLE)!;
        expect(nearest === name || slowEdits(wrong, nearest) <= slowEdits(wrong, name)).toBe(true);
        expect(slowEdits(wrong.toLowerCase(), nearest.toLowerCase())).toBeLessThanOrEqual(2);
      }),
      { seed: 20261124, numRuns: volume(5000) },
    );
  }); // biome-ignore format: one property

  test('upper and lower case, beginnings and ends', () => {
    expect(nearestName('AXISORDER', TABLE)).toBe('axisOrder');
    expect(nearestName('maxGap', TABLE)).toBe('maxGapSeconds');
    expect(nearestName('maxgapmeter', TABLE)).toBe('maxGapMeters');
    expect(nearestName('defaultWidth', TABLE)).toBe('defaultWidthMeters');
    expect(nearestName('order', TABLE)).toBe('axisOrder');
    expect(nearestName('xx', TABLE)).toBeNull();
    expect(nearestName('', TABLE)).toBeNull();
    expect(nearestName('a'.repeat(1e6), TABLE)).toBeNull();
    expect(nearestName('axisOrder', [])).toBeNull();
  });
});

test('a value is read by its row: default, range, word, flag', () => {
  const table = { count: { default: 3, min: 1, max: 9, isWhole: true }, far: { default: 5, code: 'width-range' }, word: { words: ['a', 'b'] }, flag: { default: true }, own: OWN } as const; // biome-ignore format: one table
  expect(readOptions(undefined, table)).toEqual({ count: 3, far: 5, word: 'a', flag: true, own: undefined });
  expect(readOptions({ count: null, far: undefined, flag: null, own: null }, table)).toMatchObject({ count: 3, far: 5, flag: true, own: null }); // biome-ignore format: one line
  expect(readOptions({ count: 9, far: 0, word: 'b', flag: false }, table)).toMatchObject({ count: 9, far: 0, word: 'b', flag: false }); // biome-ignore format: one line
  const refused = [['count', 1.5, 'option-value'], ['count', 10, 'option-value'], ['far', -1, 'width-range'], ['far', Number.NaN, 'width-range'], ['word', 'c', 'option-value'], ['word', null, 'option-value'], ['flag', 1, 'option-value']] as const; // biome-ignore format: one table
  for (const [name, value, code] of refused)
    expect(() => readOptions({ [name]: value }, table)).toThrow(
      expect.objectContaining({ code, field: `options.${name}` }),
    );
  expect(() => checkOptions({}, {})).not.toThrow();
});

/** Restricted Damerau–Levenshtein distance by its recursive definition; the twin of `nearestName`. */
function slowEdits(a: string, b: string): number {
  const known = new Map<string, number>();
  const edits = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    let least = known.get(key);
    if (least !== undefined) return least;
    least = Math.min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, edits(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)); // biome-ignore format: one line
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      least = Math.min(least, edits(i - 2, j - 2) + 1);
    known.set(key, least);
    return least;
  };
  return edits(a.length, b.length);
}
