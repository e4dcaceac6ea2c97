/** Targets for JSON objects: validators, measures and queries of zones, trips and their reports, lists. */

import {
  completeGeozone,
  measureZone,
  signedDistanceMeters,
  ZoneIndex,
  type ZoneShape,
  zoneContains,
  zoneOutline,
} from '../../src/index.js';
import type { FilterQuery } from '../../src/listing/index.js';
import { filterGeozones, filterTrips, listGroups, selectByIds } from '../../src/listing/index.js';
import {
  validateCustomGeozoneType,
  validateGeozone,
  validateGeozoneGroup,
  validateRoute,
  validateTrip,
} from '../../src/schemas/index.js';
import {
  detectTrips,
  type Fix,
  findVisits,
  gradeTrack,
  MovementTracker,
  readTrack,
  VisitTracker,
} from '../../src/tracks/index.js';
import { evaluateTrip, planTrip, type Trip, TripTracker } from '../../src/trips/index.js';
import { deepFreeze } from '../frozen.js';
import { MAX_OUTLINE_MILLISECONDS } from './attempt.js';
import { checkEqual, checkError, checkNumbers, Finding, mustNotThrow } from './oracle.js';
import { CUSTOM_TYPE, FIXES, GEOZONE, GROUP, ROUTE, TRIP, ZONES } from './samples.js';
import { fixture, json, parsed, type Target } from './target.js';

type Validate = (input: unknown) => unknown;

/** The part of a value at paths that also occur in a sample. Validators keep unknown fields as they are, and these may contain anything. */
function ofFields(value: unknown, samples: readonly unknown[]): unknown {
  const like = samples.filter((sample) => typeof sample === 'object' && sample !== null);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item) =>
      ofFields(
        item,
        like.flatMap((sample) => (Array.isArray(sample) ? sample : [])),
      ),
    );
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const own = like.filter((sample) => Object.hasOwn(sample as object, key));
      return own.length === 0
        ? []
        : [
            [
              key,
              ofFields(
                child,
                own.map((sample) => (sample as Record<string, unknown>)[key]),
              ),
            ],
          ];
    }),
  );
}

const validator = (name: string, validate: Validate, ...seeds: readonly unknown[]): Target => ({
  name,
  format: 'json',
  seeds: () => seeds.map(json),
  run: (input) => {
    const value = parsed(input);
    if (value === undefined) return;
    const result = validate(deepFreeze(value));
    checkNumbers(ofFields(result, seeds), name);
    checkEqual(
      mustNotThrow(`${name} of its own result`, () => validate(result)),
      result,
      'validated once and twice',
    );
  },
});

const POSITIONS = [
  [13.4, 52.5],
  [180, 0],
  [-179.5, -16.5],
  [0, 90],
  [0, 0],
] as const;

/** Results of calls that may each throw a coded error (then null). Throws a Finding if a result contains NaN or Infinity. */
function checkedResults(calls: readonly (() => unknown)[]): unknown[] {
  const results = attempts(calls);
  checkNumbers(results, 'results');
  return results;
}

function attempts(calls: readonly (() => unknown)[]): unknown[] {
  return calls.map((call) => {
    try {
      return call();
    } catch (error) {
      checkError(error);
      return null;
    }
  });
}

function runZone(input: Uint8Array): void {
  const value = parsed(input);
  if (value === undefined) return;
  const shape = deepFreeze(value) as ZoneShape & { readonly id: string };
  checkedResults([
    () => measureZone(shape),
    () => measureZone(shape, { lineWidth: 'each-side', defaultWidthMeters: 10, axisOrder: 'latlon' }),
    () => completeGeozone(shape as never),
    () => zoneOutline(shape),
  ]);
  const answers = POSITIONS.map((position) =>
    checkedResults([() => zoneContains(shape, position), () => signedDistanceMeters(shape, position)]),
  );
  const [index] = checkedResults([() => new ZoneIndex([{ ...shape, id: 'z' }])]) as [ZoneIndex | null];
  if (index === null) return;
  POSITIONS.forEach((position, i) => {
    const [contains, distance] = answers[i]!;
    checkEqual(
      index.at(position).length === 1,
      contains,
      `at ${position.join()} of the index and zoneContains`,
    );
    if (contains !== (typeof distance === 'number' && distance <= 0)) {
      throw new Finding(
        `zoneContains ${String(contains)}, but a distance of ${String(distance)} at ${position.join()}`,
      );
    }
    checkNumbers(index.nearest(position, { count: 3 }), 'nearest');
  });
  const from = POSITIONS[0];
  checkNumbers(index.crossing(from, [13.5, 52.6]), 'crossing');
  mustNotThrow('the buffer of an index', () => ZoneIndex.fromBuffer(index.toBuffer()).at(from));
}

const zoneIndex = new ZoneIndex(ZONES);

/** Visits must be the same from one call and fix by fix. Movements and grades must be finite. */
function runFixes(input: Uint8Array): void {
  const value = parsed(input);
  if (value === undefined) return;
  const fixes = deepFreeze(value) as readonly Fix[];
  const track = readTrack(fixes);
  checkNumbers([...track.lon, ...track.lat, ...track.time], 'track');
  const visits = mustNotThrow('findVisits', () => findVisits(track, zoneIndex));
  checkNumbers(visits, 'visits');
  checkNumbers(
    mustNotThrow('detectTrips', () => detectTrips(track)),
    'movement',
  );
  const gradation = {
    styles: [
      { max: 40, hex_color: '#00ff00' },
      { max: null, hex_color: '#ff0000' },
    ],
  };
  checkNumbers(
    mustNotThrow('gradeTrack', () => gradeTrack(track, gradation)),
    'grades',
  );
  const lateness = { latenessSeconds: 1e9, maxFutureSeconds: 1e9 };
  const tracker = new VisitTracker(zoneIndex, lateness);
  const movement = new MovementTracker({}, lateness);
  for (const fix of fixes) {
    mustNotThrow('a push to a VisitTracker', () => tracker.push('u', fix));
    checkNumbers(
      mustNotThrow('a push to a MovementTracker', () => movement.push('u', fix)),
      'movement events',
    );
  }
  checkNumbers(tracker.counts('u'), 'counts');
  const open = tracker.openVisits('u');
  const known = tracker.counts('u');
  // The batch has no clock, so it keeps fixes that the stream rejects as late or implausible in time.
  if (known.late === 0 && known.in === fixes.length && !('time-implausible' in known.reasons)) {
    checkEqual(open, visits, 'visits of the stream and of the batch');
  }
  const snapshot = JSON.stringify(tracker.snapshot());
  checkEqual(
    JSON.stringify(VisitTracker.restore(zoneIndex, snapshot).snapshot()),
    snapshot,
    'a snapshot restored',
  );
}

interface Settled {
  readonly fixes: readonly Fix[];
  readonly settings: object;
  readonly visits: object;
  readonly gradation: object;
}

/** The value of a JSON text, frozen; `null` for other texts and for values that are not objects. */
function objectIn<Value extends object>(input: Uint8Array): Value | null {
  const value = parsed(input);
  return typeof value === 'object' && value !== null ? (deepFreeze(value) as Value) : null;
}

/** Settings and options of any kind are rejected, or give finite results. */
function runSettings(input: Uint8Array): void {
  const value = objectIn<Settled>(input);
  if (value === null) return;
  const { settings, visits, gradation } = value;
  const track = readTrack(value.fixes);
  checkedResults([
    () => detectTrips(track, settings),
    () => findVisits(track, zoneIndex, visits),
    () => gradeTrack(track, gradation as never),
    () => readTrack(value.fixes, visits),
  ]);
  attempts([
    () => new VisitTracker(zoneIndex, visits),
    () => new MovementTracker(settings, visits),
    () => MovementTracker.restore(new MovementTracker(settings).snapshot()),
  ]);
}

interface Run {
  readonly trip: Trip;
  readonly fixes: readonly Fix[];
}

/** The tracker's report must survive a snapshot; plans and reports must be finite. */
function runTrip(input: Uint8Array): void {
  const value = objectIn<Run>(input);
  if (value === null || !Array.isArray(value.fixes)) return;
  const { trip, fixes } = value;
  const options = { timeZone: 'Europe/Berlin' };
  const date = '2026-03-02';
  checkNumbers(planTrip(trip, date, options), 'plan');
  const track = readTrack(fixes);
  const tracker = new TripTracker(trip, date, { ...options, latenessSeconds: 1e9, maxFutureSeconds: 1e9 });
  for (const fix of fixes.slice(0, 60)) mustNotThrow('a push to a TripTracker', () => tracker.push(fix));
  const report = mustNotThrow('the report of a TripTracker', () => tracker.report());
  checkNumbers(report, 'report');
  checkNumbers(evaluateTrip(trip, date, track, options), 'evaluated');
  const snapshot = JSON.stringify(tracker.snapshot());
  const restored = mustNotThrow('restoring a TripTracker', () => TripTracker.restore(trip, snapshot));
  checkEqual(restored.report(), report, 'the reports before and after a snapshot');
}

interface Lists {
  readonly list: never[];
  readonly query: FilterQuery;
  readonly ids: string;
}

function runLists(input: Uint8Array): void {
  const value = objectIn<Lists>(input);
  if (value === null) return;
  const { list, query, ids } = value;
  const [zones] = attempts([
    () => filterGeozones(list, query),
    () => filterTrips(list, query),
    () => selectByIds(list, ids),
    () => listGroups([{ ...GROUP, geozones: list }], list, { fields: 'id,name' } as never),
  ]) as [{ max: number; list: unknown[] } | null];
  if (
    zones !== null &&
    !(zones.max >= zones.list.length && zones.list.every((row) => list.includes(row as never)))
  ) {
    throw new Finding('expected only rows of the given list');
  }
}

export const WIRE_TARGETS: readonly Target[] = [
  validator('geozone', validateGeozone, ...ZONES.map((zone) => ({ ...GEOZONE, ...zone, id: GEOZONE.id }))),
  validator('group', validateGeozoneGroup, GROUP),
  validator('custom-type', validateCustomGeozoneType, CUSTOM_TYPE),
  validator('route', validateRoute, ROUTE),
  validator('trip', validateTrip, TRIP),
  {
    name: 'zone',
    format: 'json',
    milliseconds: MAX_OUTLINE_MILLISECONDS,
    seeds: () => ZONES.map(json),
    run: runZone,
  },
  { name: 'fixes', format: 'json', seeds: () => [json(FIXES), json(FIXES.slice(0, 3))], run: runFixes },
  {
    name: 'settings',
    format: 'json',
    seeds: () => [
      json({
        fixes: FIXES,
        settings: {
          tripdetector_minparktime: '60',
          advanced_mileagecoeff: 1.1,
          tripdetector_gpscorrect: '1',
        },
        visits: { minInsideSeconds: 30, exitBufferMeters: 20, accuracyCapMeters: 50, maxGapSeconds: 600 },
        gradation: {
          styles: [
            { max: 40, hex_color: '#00ff00' },
            { max: null, hex_color: '#ff0000' },
          ],
        },
      }),
      json({
        fixes: FIXES.slice(0, 9),
        settings: [{ key: 'key_tripdetector_movedetect', value: 'ignition' }],
        visits: { maxSpeedKph: 100, keepZeroIsland: true, latenessSeconds: 5 },
        gradation: { styles: [{ max: null, hex_color: '#ff0000' }] },
      }),
    ],
    run: runSettings,
  },
  {
    name: 'run',
    format: 'json',
    seeds: () => [
      json({ trip: TRIP, fixes: FIXES }),
      json({ trip: { ...TRIP, passage_order_type: { key: 'arbitrary' } }, fixes: FIXES.slice(0, 9) }),
      json({
        trip: (JSON.parse(new TextDecoder().decode(fixture('city-trips.json'))) as Trip[])[0],
        fixes: FIXES,
      }),
    ],
    run: runTrip,
  },
  {
    name: 'lists',
    format: 'json',
    seeds: () => [
      json({ list: [GEOZONE, ...ZONES], query: { from: 0, count: 2, sortField: 'name' }, ids: 'disc,yard' }),
      json({
        list: ZONES,
        query: {
          sortField: 'type.key',
          sortDesc: 'true',
          conditions: [
            { field: 'name', value: 'a' },
            { field: 'is_delete', value: 'all' },
          ],
        },
        ids: '',
      }),
    ],
    run: runLists,
  },
];
