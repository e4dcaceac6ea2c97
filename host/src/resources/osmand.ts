/** `/osmand`: fixes of a phone tracker, as query, form or JSON (OsmAnd, Traccar Client and similar apps). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Fix, requestError, WayzoneError } from 'wayzone';
import { validateFix } from 'wayzone/schemas';
import { keyGuesses } from '../auth/apiKeys.js';
import type { Context } from '../context.js';
import { parseQuery } from '../http/addBodies.js';
import { withFields } from '../http/refusal.js';
import { checkTime, keptSpan } from '../live/fixes.js';
import { openRoute } from '../operation.js';
import { checkText } from '../storage/checkText.js';

/** A fix takes some hundred bytes; vendors add their own fields. */
const MOST_BODY_BYTES = 65_536;
const FORM = 'application/x-www-form-urlencoded';
const VALUE = { type: ['string', 'number'] };
const AMOUNT = { type: ['number', 'string', 'null'] };
const LOCATION = {
  type: 'object',
  properties: {
    timestamp: VALUE,
    coords: {
      type: 'object',
      properties: {
        latitude: AMOUNT,
        longitude: AMOUNT,
        speed: AMOUNT,
        heading: AMOUNT,
        altitude: AMOUNT,
        accuracy: AMOUNT,
      },
    },
    battery: { type: 'object', properties: { level: AMOUNT } },
  },
};
const FIELDS = {
  type: 'object',
  properties: {
    id: { ...VALUE, description: 'The device key of the unit; `deviceid` and `device_id` are accepted too' },
    deviceid: VALUE,
    lat: VALUE,
    lon: VALUE,
    location: {
      description: '`lat,lon`, or one or several locations of newer clients',
      anyOf: [{ type: 'string' }, LOCATION, { type: 'array', items: LOCATION }],
    },
    valid: { type: ['string', 'boolean', 'number'], description: '`false` or 0: the fix is no position' },
    timestamp: { ...VALUE, description: 'Seconds, milliseconds or ISO 8601; default: the time of receipt' },
    speed: { ...VALUE, description: 'Knots; in `coords` metres per second' },
    bearing: { ...VALUE, description: 'Degrees; `heading` is accepted too' },
    heading: VALUE,
    altitude: { ...VALUE, description: 'Metres' },
    accuracy: { ...VALUE, description: 'Metres' },
    batt: { ...VALUE, description: 'Charge of the battery, percent' },
  },
};
/** In an address, all values are texts. */
const QUERY = {
  type: 'object',
  properties: Object.fromEntries(Object.keys(FIELDS.properties).map((name) => [name, { type: 'string' }])),
};
const ANSWER = {
  type: 'object',
  required: ['taken'],
  properties: { taken: { type: 'integer' } },
};
const KPH_OF_KNOT = 1.852;
const KPH_OF_METER_PER_SECOND = 3.6;
/** Maximum number of locations of one message. */
const MOST_LOCATIONS = 1000;
/** Date and time of ISO 8601; UTC without an offset. */
const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;

export function osmandResource(app: FastifyInstance, context: Context): void {
  const { settings, now } = context;

  const guesses = keyGuesses(now);

  const take = async (request: FastifyRequest, reply: FastifyReply): Promise<{ readonly taken: number }> => {
    const fields = fieldsOf(request);
    checkText(fields);
    const key = keyOf(fields) ?? '';
    const waitMs = guesses.waitMs(request.ip, key);
    if (waitMs > 0) {
      reply.header('retry-after', Math.ceil(waitMs / 1000));
      const text = 'expected keys of devices, received too many unknown ones from this address';
      throw new WayzoneError('rate-limit', 'id', text, { status: 429, wireCode: 429 });
    }
    const device = await guesses.look(request.ip, key, () => context.deviceOf(key));
    if (device === undefined)
      throw requestError(401, 'expected the key of a device, received an unknown one', 'id');
    const { unitId, companyId, at } = device;
    const time = await at.databaseNow();
    const span = keptSpan(settings.fixesDays, time);
    const fixes = osmandFixes(fields, time);
    for (const fix of fixes) checkTime(fix, span);
    const list = fixes.map((fix) => ({ unitId, fix }));
    await at.live.push(companyId, list, at.zones.version(companyId));
    return { taken: fixes.length };
  };

  // Registered in its own context: no other operation accepts forms.
  app.register(async (own) => {
    own.addContentTypeParser(FORM, { parseAs: 'string' }, (_, body, done) =>
      done(null, parseQuery(body as string)),
    );
    const config = {
      rateLimit: {
        max: settings.positionsPerMinute,
        timeWindow: 60_000,
        // After parsing, because the key of a device may be in the body.
        hook: 'preHandler' as const,
        keyGenerator: (request: FastifyRequest) => `${request.ip} ${keyOf(fieldsOf(request)) ?? ''}`,
      },
    };
    const summary = 'A fix of a phone tracker, which sends the device key of its unit instead of a token';
    const common = { summary, tags: ['positions'], querystring: QUERY, answer: ANSWER };
    own.get('/osmand', { ...openRoute({ ...common, operation: 'GET /osmand' }), config }, take);
    own.post(
      '/osmand',
      {
        ...openRoute({
          ...common,
          operation: 'POST /osmand',
          body: FIELDS,
          consumes: [FORM, 'application/json'],
        }),
        config,
        bodyLimit: MOST_BODY_BYTES,
      },
      take,
    );
  });
}

/** The fields of the query and the body. A field of the body takes precedence, because trackers send constants in the address. */
function fieldsOf({ query, body }: FastifyRequest): Fields {
  return { ...(query as Fields), ...(Object(body) as Fields) };
}

function keyOf(fields: Fields): string | undefined {
  return text(fields['id'] ?? fields['deviceid'] ?? fields['device_id']);
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * One fix of flat fields (`lat`, `lon` or `location=lat,lon`), or one for each location of newer clients. A fix that is marked as not
 * valid keeps the mark, so that no track contains it. Throws every field error.
 */
export function osmandFixes(fields: Fields, receivedAt: number): Fix[] {
  const { location } = fields;
  if (typeof location !== 'object' || location === null) return [flatFix(fields, receivedAt)];
  const list = [location].flat() as unknown[];
  if (list.length > MOST_LOCATIONS)
    throw new WayzoneError(
      'limit-fixes',
      'location',
      `expected at most ${MOST_LOCATIONS} locations, received ${list.length}`,
    );
  return list.map((one) => nestedFix(Object(one) as Fields, receivedAt));
}

function flatFix(fields: Fields, receivedAt: number): Fix {
  const parts = text(fields['location'])?.split(',') ?? [];
  const [lat, lon] = parts.length === 2 ? parts.map((part) => numberOf(part.trim())) : [];
  return fixOf({
    time: timeOf(fields['timestamp'], receivedAt),
    lat: lat ?? numberOf(fields['lat']),
    lon: lon ?? numberOf(fields['lon']),
    speedKph: scaled(fields['speed'], KPH_OF_KNOT),
    courseDegrees: numberOf(fields['bearing'] ?? fields['heading']),
    altitudeMeters: numberOf(fields['altitude']),
    accuracyMeters: numberOf(fields['accuracy']),
    batteryPercent: numberOf(fields['batt']),
    ...validOf(fields['valid']),
  });
}

/** `{timestamp, coords: {latitude, longitude, speed (m/s), heading, altitude, accuracy}, battery: {level (0 to 1)}}`. */
function nestedFix(location: Fields, receivedAt: number): Fix {
  const coords = Object(location['coords']) as Fields;
  const { level } = Object(location['battery']) as Fields;
  return fixOf({
    time: timeOf(location['timestamp'], receivedAt),
    lat: numberOf(coords['latitude']),
    lon: numberOf(coords['longitude']),
    speedKph: known(scaled(coords['speed'], KPH_OF_METER_PER_SECOND)),
    courseDegrees: known(numberOf(coords['heading'])),
    altitudeMeters: numberOf(coords['altitude']),
    accuracyMeters: known(numberOf(coords['accuracy'])),
    batteryPercent: known(scaled(level, 100)),
  });
}

function fixOf(fields: Fields): Fix {
  try {
    return validateFix(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
  } catch (error) {
    throw withFields(error, (field) => SENT_NAMES[field] ?? field);
  }
}

/** The protocol's names of the fields of a fix. */
const SENT_NAMES: Readonly<Record<string, string>> = {
  time: 'timestamp',
  speedKph: 'speed',
  courseDegrees: 'bearing',
  altitudeMeters: 'altitude',
  accuracyMeters: 'accuracy',
  batteryPercent: 'batt',
};

/** Phones send -1 for a value that they do not know. */
function known(value: number | undefined): number | undefined {
  return value !== undefined && value < 0 ? undefined : value;
}

function scaled(value: unknown, factor: number): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : number * factor;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** NaN for a value that is not a number; `undefined` for an absent value. */
function numberOf(value: unknown): number | undefined {
  if (isAbsent(value)) return undefined;
  return Number(text(value) ?? Number.NaN);
}

function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** Traccar: `true` and `1` mark a valid position. Any other value marks an invalid position. */
function validOf(value: unknown): { readonly valid?: boolean } {
  if (isAbsent(value)) return {};
  return { valid: value === true || ['true', '1'].includes(text(value)?.toLowerCase() ?? '') };
}

/** Seconds, milliseconds or ISO 8601, by default the time of receipt. */
function timeOf(value: unknown, receivedAt: number): number {
  if (isAbsent(value)) return receivedAt;
  const stamp = text(value) ?? '';
  const given = /^\d+(\.\d+)?$/.test(stamp) ? Number(stamp) : isoTime(stamp);
  // Present times have 10 digits in seconds, 13 in milliseconds.
  return Math.round(given < 1e11 ? given * 1000 : given);
}

/** Epoch milliseconds; NaN for other texts and for a day that does not exist. `Date.parse` would return a time for both. */
function isoTime(stamp: string): number {
  const [, day = '', time = '00:00', offset = 'Z'] = ISO_TIME.exec(stamp) ?? [];
  const midnight = new Date(`${day}T00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return Number.NaN;
  return Date.parse(`${day}T${time}${offset.replace(/(\d{2})(\d{2})$/, '$1:$2').toUpperCase()}`);
}
