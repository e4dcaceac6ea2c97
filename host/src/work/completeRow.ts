/** Validates and completes the body of a row. */

import { completeGeozone, type Geozone, type GeozoneInput, WayzoneError } from 'wayzone';
import { keepKeys, type Trip, validateGeozone, validateRoute, validateTrip } from 'wayzone/schemas';
import { changesOfRun, evaluateTrip, type TripRowChange } from 'wayzone/trips';
import type { CompletedKind } from '../jobs/jobTypes.js';
import { routeOf } from '../stream/tripRoute.js';
import { oneShape, oneShapes } from '../zones/oneShape.js';
import { checkHours, isSpeedLimit } from '../zones/zoneRules.js';

/** Ten years of days. */
const MOST_DATES = 4000;
const OF_THE_HOST = ['id', 'company_id', 'version', 'created', 'is_delete'] as const;

/** The row to store, whose entries are keys alone and whose references are ids alone. Throws the errors of an invalid body. */
export function completeRow(kind: CompletedKind, body: unknown): object {
  return keepIds(kind, keepKeys(kind, completed(kind, body)));
}

/** The body as the validator of its kind returns it. Throws its field errors. */
export function validated(kind: CompletedKind, body: unknown): object {
  if (kind === 'route') return validateRoute(body);
  if (kind === 'trip') {
    checkDates(body);
    const trip = validateTrip(body);
    checkTripRoute(trip);
    return trip;
  }
  const zone = validateGeozone(withoutComputed(body));
  checkSpeedLimit(zone);
  const { hours } = zone as GeozoneInput & { readonly hours?: unknown };
  if (hours !== undefined && hours !== null) checkHours(hours, 'hours');
  return zone;
}

function completed(kind: CompletedKind, body: unknown): object {
  const row = validated(kind, body);
  return kind === 'geozone' ? completeGeozone(oneShape(row as GeozoneInput, 'geometry')) : oneShapes(row);
}

/** The body without the fields that are computed in any case: a client may send them, as it read them or otherwise, and they have no say. */
function withoutComputed(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { area: _, perimeter: __, polygon_geometry: ___, ...rest } = body as Partial<Geozone>;
  return rest;
}

/** A trip has at most `MOST_DATES`: the stream plans the runs of each. */
function checkDates(body: unknown): void {
  const { dates } = Object(body) as { readonly dates?: unknown };
  if (Array.isArray(dates) && dates.length > MOST_DATES)
    throw new WayzoneError(
      'option-value',
      'dates',
      `expected at most ${MOST_DATES} dates, received ${dates.length}`,
    );
}

/** The field `route` of a trip, if there is one, must be `{id, width}`: `option-value`. */
function checkTripRoute(trip: object): void {
  const { route } = trip as { readonly route?: unknown };
  if (route === undefined || route === null || routeOf(trip) !== null) return;
  const { id } = Object(route) as { readonly id?: unknown };
  const [field, what] =
    typeof id === 'string' ? ['route.width', 'a width above 0 m'] : ['route.id', 'the id of a route'];
  throw new WayzoneError('option-value', field, `expected ${what}, received another value`);
}

/** The field `speed_limit`, if there is one, must be a number above 0 or null: `option-value`. */
function checkSpeedLimit({ speed_limit: limit }: GeozoneInput & { readonly speed_limit?: unknown }): void {
  if (limit === undefined || limit === null || isSpeedLimit(limit)) return;
  throw new WayzoneError(
    'option-value',
    'speed_limit',
    `expected a limit above 0 km/h, or null, received ${JSON.stringify(limit)}`,
  );
}

type Kind = 'geozone' | 'geozoneGroup' | 'route' | 'trip' | 'unit';

/** The paths of the references of each kind, `[]` for the items of a list, and the further fields that a reference has. */
const REFERENCES: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  geozone: { 'companies[]': [] },
  geozoneGroup: { 'geozones[]': [] },
  route: {},
  trip: {
    unit: [],
    trailer: [],
    route: ['width'],
    'changes[].trip.unit': [],
    'changes[].trip.trailer': [],
    'changes[].trip.route': ['width'],
  },
  unit: { 'drivers[].user': [], 'trailers[].trailer': [] },
};

/** The row with the id alone of every object that it names: a stored name would be wrong after a change of the object. */
export function keepIds<Row extends object>(kind: Kind, row: Row): Row {
  return Object.entries(REFERENCES[kind]).reduce<Row>(
    (kept, [path, further]) =>
      shortened(kept, path.replaceAll('[]', '.[]').split('.'), ['id', ...further]) as Row,
    row,
  );
}

function shortened(value: unknown, [step, ...rest]: readonly string[], fields: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (step === undefined)
    return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
  if (step === '[]') return Array.isArray(value) ? value.map((item) => shortened(item, rest, fields)) : value;
  if (!Object.hasOwn(value, step)) return value;
  const own = value as Readonly<Record<string, unknown>>;
  return { ...own, [step]: shortened(own[step], rest, fields) };
}

/** The body without the host's own fields. Other values than objects are returned as they are. */
export function settable(body: unknown, kept: readonly string[] = []): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => !isOfTheHost(name) && !kept.includes(name)),
  );
}

/** The schema of a body: that of an object without the requirement of the host's own fields. */
export function settableSchema(schema: object, kept: readonly string[] = []): object {
  const { required = [], properties = {} } = schema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  return {
    ...schema,
    required: required.filter((name) => !isOfTheHost(name)),
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !isOfTheHost(name) && !kept.includes(name)),
    ),
  };
}

function isOfTheHost(name: string): boolean {
  return OF_THE_HOST.some((own) => own === name);
}

/** The completed changes. Throws what the row's validator or an evaluation of the run of `date` would throw. */
export function checkedChanges(row: object, date: string, timeZone: string): readonly TripRowChange[] {
  const trip = completeRow('trip', row) as Trip;
  evaluateTrip(trip, date, { tracks: {} }, { timeZone, changes: changesOfRun(trip, date) });
  return trip.changes ?? [];
}

/** Throws if the changes of a trip do not fit its points. */
export function checkChanges(row: object): void {
  const trip = row as Trip;
  for (const date of new Set((trip.changes ?? []).map((change) => change.date)))
    changesOfRun(trip, date ?? '');
}
