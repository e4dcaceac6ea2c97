/** `/osmand`: one fix of a phone tracker, as query, form or JSON (OsmAnd, Traccar Client and similar apps). */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Fix, requestError } from 'wayzone';
import { validateFix } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { parseQuery } from '../http/addBodies.js';
import { checkTime, keptSpan } from '../live/keptSpan.js';
import { describeOpen } from '../operation.js';
import { checkText } from '../storage/checkText.js';

const KPH_OF_KNOT = 1.852;
/** A fix takes some hundred bytes; vendors add their own fields. */
const MOST_BODY_BYTES = 65_536;
const FORM = 'application/x-www-form-urlencoded';

const TEXT = { type: 'string' };
const FIELDS = {
  type: 'object',
  properties: {
    id: { ...TEXT, description: 'The device key of the unit; `deviceid` is accepted too' },
    deviceid: TEXT,
    lat: TEXT,
    lon: TEXT,
    timestamp: { ...TEXT, description: 'Seconds, milliseconds or ISO 8601; default: the time of receipt' },
    speed: { ...TEXT, description: 'Knots' },
    bearing: { ...TEXT, description: 'Degrees' },
    altitude: { ...TEXT, description: 'Metres' },
    accuracy: { ...TEXT, description: 'Metres' },
  },
};
const ANSWER = {
  type: 'object',
  required: ['taken'],
  properties: { taken: { type: 'integer' } },
};

export function osmandResource(app: FastifyInstance, context: Context): void {
  const { storage, live, zones, settings, now } = context;

  const take = async ({ query, body }: FastifyRequest): Promise<{ readonly taken: number }> => {
    // Trackers send the fix in the body, and constants such as the key in the address.
    const fields = { ...(query as Record<string, unknown>), ...(Object(body) as Record<string, unknown>) };
    checkText(fields, JSON.stringify(fields));
    const key = text(fields['id'] ?? fields['deviceid']);
    const unit = await storage.db
      .selectFrom('units')
      .select(['id', 'company_id'])
      .where('device_key', '=', key ?? '')
      .executeTakeFirst();
    if (unit === undefined)
      throw requestError(401, 'expected the key of a device, received an unknown one', 'id');
    const fix = osmandFix(fields, now());
    checkTime(fix, keptSpan(settings.fixesDays, now()));
    await live.push(unit.company_id, [{ unitId: unit.id, fix }], zones.version(unit.company_id));
    return { taken: 1 };
  };

  // Registered in its own context: no other operation accepts forms.
  app.register(async (own) => {
    own.addContentTypeParser(FORM, { parseAs: 'string' }, (_, body, done) =>
      done(null, parseQuery(body as string)),
    );
    const config = { rateLimit: { max: settings.positionsPerMinute, timeWindow: 60_000 } };
    const summary = 'A fix of a phone tracker, which sends the device key of its unit instead of a token';
    const common = { summary, tags: ['positions'], querystring: FIELDS, answer: ANSWER };
    own.get('/osmand', { schema: describeOpen(common), config }, take);
    own.post(
      '/osmand',
      {
        schema: describeOpen({ ...common, body: FIELDS, consumes: [FORM, 'application/json'] }),
        config,
        bodyLimit: MOST_BODY_BYTES,
      },
      take,
    );
  });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the fix. `timestamp` is seconds, milliseconds or ISO 8601, by default the time of receipt. `speed` is in knots. */
function osmandFix(fields: Readonly<Record<string, unknown>>, receivedAt: number): Fix {
  const number = (name: string): number | undefined => {
    const given = text(fields[name]);
    return given === undefined ? undefined : Number(given);
  };
  const stamp = text(fields['timestamp']);
  const given =
    stamp === undefined ? receivedAt : /^\d+(\.\d+)?$/.test(stamp) ? Number(stamp) : Date.parse(stamp);
  // Present times have 10 digits in seconds, 13 in milliseconds.
  const time = given < 1e11 ? given * 1000 : given;
  const [speed, course, altitude, accuracy] = ['speed', 'bearing', 'altitude', 'accuracy'].map(number);
  return validateFix({
    time: Math.round(time),
    lon: number('lon'),
    lat: number('lat'),
    ...(speed === undefined ? {} : { speedKph: speed * KPH_OF_KNOT }),
    ...(course === undefined ? {} : { courseDegrees: course }),
    ...(altitude === undefined ? {} : { altitudeMeters: altitude }),
    ...(accuracy === undefined ? {} : { accuracyMeters: accuracy }),
  });
}
