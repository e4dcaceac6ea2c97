/** `/osmand`: fixes of a phone tracker, as query, form or JSON (OsmAnd, Traccar Client and similar apps). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestError, WayzoneError } from 'wayzone';
import { keyGuesses } from '../auth/keyGuesses.js';
import type { Context } from '../context.js';
import { parseQuery } from '../http/addBodies.js';
import { checkTime, keptSpan } from '../live/keptSpan.js';
import { openRoute } from '../operation.js';
import { checkText } from '../storage/checkText.js';
import { type Fields, osmandFixes, text } from './osmandFixes.js';

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
