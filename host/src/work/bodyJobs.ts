/** Computations on tracks that a request carries. Threads parse the bodies, so that a long one holds up no other request. */

import { type Geozone, type Pair, type Route, WayzoneError, type ZoneIndex } from 'wayzone';
import {
  type Fix,
  findSpeeding,
  findVisits,
  matchRoute,
  measureVisits,
  meterTrack,
  prepareRoute,
  readTrack,
  type SpeedingOptions,
  type SpeedingThresholds,
  splitByZone,
  sumByZone,
  type UnitSettings,
} from 'wayzone/tracks';
import { isDeep, MOST_LEVELS } from '../http/addBodies.js';
import { schemaCheck } from '../schemaCheck.js';
import { storedId } from '../storage/storedId.js';
import { lineOfRoute } from '../stream/tripRoute.js';
import { SPEEDING_NAMES, TRACK_BODIES, withAnyFixes } from './trackBodies.js';

interface TrackBody extends Omit<SpeedingOptions, 'settings'> {
  readonly fixes: readonly Fix[];
  readonly settings?: UnitSettings;
  readonly by?: 'all' | 'day' | 'month';
  readonly width?: number;
}

/** Reads a body. Throws 400 for text that is not JSON, `validation` for a value that the schema of `name` forbids. */
export function trackBodyOf(text: string, name: keyof typeof TRACK_BODIES): TrackBody {
  if (isDeep(text)) throw malformed(`expected JSON of at most ${MOST_LEVELS} levels, received more`);
  let body: unknown = {};
  try {
    if (text !== '') body = JSON.parse(text);
  } catch (error) {
    throw malformed(`expected JSON, received other text: ${(error as Error).message.slice(0, 100)}`);
  }
  return schemaCheck(withAnyFixes(TRACK_BODIES[name]), 'body')(body) as TrackBody;
}

function malformed(message: string): WayzoneError {
  return new WayzoneError('json-syntax', '', message, { status: 400, wireCode: 400 });
}

export function ledgerOf(
  { fixes, settings = {}, by = 'day' }: TrackBody,
  index: ZoneIndex<Geozone>,
  timeZone: string,
  readAt: number,
): object {
  const track = readTrack(fixes, { readAt });
  const meter = meterTrack(track, settings);
  const runs = splitByZone(track, index, { settings });
  return {
    total: meter.total(),
    visits: measureVisits(findVisits(track, index), meter),
    runs,
    sums: sumByZone(runs, meter, { by, timeZone }),
    rejected: track.rejected,
  };
}

/** `limits`: those of the company's geozones, for a body without `zoneLimits`. */
export function speedingOfBody(
  body: TrackBody,
  limits: Readonly<Record<string, number>>,
  thresholds: SpeedingThresholds,
  indexOf: () => ZoneIndex<Geozone>,
  readAt: number,
): object {
  const { fixes, settings = {} } = body;
  const options: SpeedingOptions = Object.fromEntries(
    SPEEDING_NAMES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );
  const hasLimits = body.zoneLimits !== undefined || Object.keys(limits).length > 0;
  const limited = hasLimits ? { index: indexOf(), zoneLimits: withStoredIds(body.zoneLimits) ?? limits } : {};
  return findSpeeding(readTrack(fixes, { readAt }), { ...thresholds, ...options, settings, ...limited });
}

/** Limits by the ids as they are stored: ids in capitals are the same. */
function withStoredIds<Limits>(limits: Limits): Limits {
  if (typeof limits !== 'object' || limits === null) return limits;
  return Object.fromEntries(Object.entries(limits).map(([id, limit]) => [storedId(id), limit])) as Limits;
}

export function matchOf({ fixes, width }: TrackBody, route: Route, readAt: number): object {
  const prepared = prepareRoute(lineOf(route));
  const track = readTrack(fixes, { readAt });
  const match = matchRoute(track, prepared, { widthMeters: width as number });
  const { lengthMeters } = prepared;
  return { ...match, along: Array.from(match.along), lengthMeters, rejected: track.rejected };
}

/** Errors: `route-type` for a polygon, through which no line is known. */
function lineOf(route: Route): Pair[] {
  const found = lineOfRoute(route);
  if ('line' in found) return found.line;
  const message = 'expected a route of points, circles and lines, received a polygon';
  throw new WayzoneError('route-type', `points[${found.polygon}].type.key`, message);
}
