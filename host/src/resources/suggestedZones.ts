/** `POST /geozones/suggest`: places where units stood again and again, as circles. Nothing is stored. */

import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import { ZoneSuggestionSchema } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { fixTexts } from '../live/fixes.js';
import { declareChecked } from '../operation.js';
import { TEXT } from '../schemaParts.js';
import { checkIds } from '../storage/checkIds.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { sendJson } from './sendTexts.js';
import { readSpan, SPAN_QUERY } from './times.js';
import { givenIndexOf } from './tracks.js';

/** Most units of a request. */
const MOST_UNITS = 100;
/** Most pages of fixes of all units of a request, of 5,000 each. */
const MOST_PAGES = 80;

/** A body that the schema accepts. */
interface SuggestBody {
  readonly units: readonly { readonly id: string }[];
  readonly from: string;
  readonly to: string;
  readonly min_stay_seconds?: number;
  readonly link_meters?: number;
  readonly min_visits?: number;
  readonly min_days?: number;
}

const atLeast = (minimum: number, description: string): object => ({ type: 'number', minimum, description });
const count = (description: string): object => ({ type: 'integer', minimum: 1, description });

export function suggestedZones(app: FastifyInstance, context: Context): void {
  declareChecked(app, {
    method: 'POST',
    url: '/geozones/suggest',
    turn: 'long',
    summary:
      'Places outside of geozones where units stood on several days of a period, as circles with counts',
    tags: ['geozones'],
    body: {
      type: 'object',
      required: ['units', ...SPAN_QUERY.required],
      properties: {
        units: {
          type: 'array',
          minItems: 1,
          maxItems: MOST_UNITS,
          items: { type: 'object', required: ['id'], properties: { id: TEXT } },
        },
        ...SPAN_QUERY.properties,
        min_stay_seconds: atLeast(30, 'Least duration of a stay; default 300'),
        link_meters: atLeast(1, 'Stays so near to a place belong to it; default 75'),
        min_visits: count('A place has at least so many stays; default 3'),
        min_days: count('On at least so many days of the company’s clock; default 2'),
      },
    },
    answer: { type: 'array', items: ZoneSuggestionSchema },
    async handler({ access: { companyId }, body }, reply) {
      const { units, from, to, ...given } = body as SuggestBody;
      const { storage } = context;
      const named = units.map(({ id }, i) => ({ id, field: `units[${i}].id` }));
      await checkIds(storage.db, companyId, 'unit', named);
      const timeZone = await timeZoneOf(storage, companyId);
      const span = readSpan({ from, to }, timeZone);
      let read = 0;
      const fixesOf = async function* (unitId: string): AsyncGenerator<string> {
        for await (const page of fixTexts(storage, companyId, unitId, span.from, span.to)) {
          if (++read > MOST_PAGES) throw tooMany();
          yield page;
        }
      };
      const ids = new Set(units.map(({ id }) => id));
      const fixes = Object.fromEntries([...ids].map((id) => [`unit ${id}`, () => fixesOf(id)]));
      const { buffer, pages } = await givenIndexOf(context, companyId);
      const text = await context.compute.run(
        companyId,
        'suggest',
        { given, timeZone },
        { buffer: buffer!, pages: { ...fixes, ...pages } },
      );
      return sendJson(reply, text);
    },
  });
}

function tooMany(): WayzoneError {
  const message = `expected units and a period with at most ${MOST_PAGES * 5000} fixes, received more`;
  return new WayzoneError('limit-fixes', 'from', message, { status: 422, wireCode: 422 });
}
