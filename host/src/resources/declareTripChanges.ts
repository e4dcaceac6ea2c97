/** Changes of runs under way: excuse a point, cancel, amend, and hand over to another unit. Each is kept in the trip's row, with who and when. */

import type { FastifyInstance } from 'fastify';
import { type FieldError, WayzoneError } from 'wayzone';
import type { Trip } from 'wayzone/schemas';
import type { TripRowChange } from 'wayzone/trips';
import type { Context } from '../context.js';
import { withFields } from '../http/refusal.js';
import { unitOf } from '../live/fixes.js';
import { type AuthorisedRequest, declare } from '../operation.js';
import { WITH_ID } from '../schemaParts.js';
import { timeZoneOf } from '../storage/companyOf.js';
import type { WireRow } from '../storage/rows.js';
import { checkChanges, checkedChanges, settable, settableSchema, validated } from '../work/completeRow.js';
import { type Kind, updateRow } from './crud.js';
import { IF_MATCH } from './sendTexts.js';
import { checkTripIds, TRIP_INPUT } from './tripInput.js';

/** An amendment has none of its own. */
const KEPT = ['changes'] as const;
/** Longest row that is checked at once, characters; it takes about 1 ms. */
const SHORT_ROW = 10_000;
/** Longest row: each amendment may bring a megabyte. */
const MOST_ROW = 4_000_000;

const NOTE = {
  at: { type: 'integer', description: 'Epoch milliseconds from which it holds; default: now' },
  date: {
    type: 'string',
    description: 'The run, one of the trip’s dates; may be missing if there is only one',
  },
  reason: { type: ['string', 'null'] },
};

/** Operations: address, summary, and fields of the body besides `at`, `date` and `reason`. */
const OPERATIONS = [
  {
    path: 'excuse',
    type: 'excuse',
    summary: 'Excuses a point of a run: it makes no violation, is never overdue and holds nothing back',
    fields: {
      pointIndex: { type: 'integer', minimum: 0, description: 'Of the plan that holds then, from 0' },
    },
    required: ['pointIndex'],
  },
  { path: 'cancel', type: 'cancel', summary: 'Cancels a run', fields: {}, required: [] },
  {
    path: 'amend',
    type: 'amend',
    summary: 'Gives a run other points, plans and zones from a time on',
    fields: {
      trip: settableSchema(TRIP_INPUT, KEPT),
      from: {
        type: ['array', 'null'],
        items: { type: ['integer', 'null'], minimum: 0 },
        description: 'For each new point the index of the old one, or null; default: the same points',
      },
    },
    required: ['trip'],
  },
  {
    path: 'hand_over',
    type: 'handOver',
    summary: 'Hands a run over to another unit, whose fixes count from a time on',
    fields: { unitId: { type: 'string' } },
    required: ['unitId'],
  },
] as const;

export function declareTripChanges(app: FastifyInstance, context: Context, kind: Kind): void {
  for (const { path, type, summary, fields, required } of OPERATIONS)
    declare(app, {
      method: 'POST',
      url: `${kind.url}/:id/${path}`,
      summary,
      description:
        'The change is added to the `changes` of the trip, with its author. The live stream follows, also for a time that has passed: ' +
        'its events of the run become those of the report, with `revised` ones.',
      tags: [kind.tag],
      params: WITH_ID,
      headers: IF_MATCH,
      body: { type: 'object', required: [...required], properties: { ...fields, ...NOTE } },
      explain: checkAmended,
      answer: kind.schema,
      handler: (request, reply) =>
        updateRow(context, kind, request, reply, async (stored) => ({
          row: await changed(stored, type, request),
        })),
    });

  async function changed(
    stored: WireRow,
    type: TripRowChange['type'],
    { access, body }: AuthorisedRequest,
  ): Promise<object> {
    const sent = Object(body ?? {}) as Readonly<Record<string, unknown>>;
    const { changes = null, dates } = stored as unknown as Trip;
    const before = changes ?? [];
    const { at = Math.round(context.now()), date = dates.length === 1 ? dates[0]!.slice(0, 10) : null } =
      sent;
    const { reason, pointIndex, unitId, trip, from } = sent;
    const own = { pointIndex, unitId, trip: settable(trip, KEPT), from };
    const by = access.name || access.email || access.userId;
    const change = Object.fromEntries(
      Object.entries({ type, at, date, by, reason, ...own }).filter(([, value]) => value !== undefined),
    );
    const row = { ...stored, changes: [...before, change] };
    return atBody(before.length, async () => {
      const run = typeof date === 'string' ? date.slice(0, 10) : '';
      const changes = await checked(row, run, access.companyId);
      const { companyId } = access;
      if (type === 'handOver') await unitOf(context.storage, companyId, unitId as string, 'unitId');
      if (type === 'amend') {
        const amended = changes.at(-1)!.trip!;
        await unitOf(context.storage, companyId, amended.unit.id, 'trip.unit.id');
        await checkTripIds(context.storage.db, companyId, amended, 'trip.');
      }
      return { ...row, changes };
    });
  }

  /** The completed changes of a row. A process checks a long one. */
  async function checked(row: object, date: string, companyId: string): Promise<readonly TripRowChange[]> {
    const timeZone = await timeZoneOf(context.storage, companyId);
    const text = JSON.stringify(row);
    if (text.length > MOST_ROW)
      throw new WayzoneError(
        'option-value',
        '',
        `expected a trip whose changes have at most ${MOST_ROW} characters with it, received a longer one`,
      );
    if (text.length <= SHORT_ROW) return checkedChanges(row, date, timeZone);
    const input = { row: text, run: { date, timeZone } };
    return JSON.parse(await context.compute.run(companyId, 'changes', input)) as readonly TripRowChange[];
  }
}

/** Throws the errors of the trip in a body, in the words of its validator. */
function checkAmended(body: unknown): void {
  const { trip } = Object(body) as { readonly trip?: unknown };
  if (trip === undefined) return;
  try {
    validated('trip', settable(trip, KEPT));
  } catch (error) {
    throw withFields(error, (field) => (field === '' ? 'trip' : `trip.${field}`));
  }
}

/** Throws if the changes of a trip do not fit its points. A process checks a long one. */
export async function checkKeptChanges({ compute }: Context, companyId: string, row: object): Promise<void> {
  if (((row as Trip).changes ?? []).length === 0) return;
  const text = JSON.stringify(row);
  if (text.length <= SHORT_ROW) checkChanges(row);
  else await compute.run(companyId, 'changes', { row: text, run: null });
}

/** Runs a check of a row whose last change, at `index`, is the body: its errors name the fields of the body. */
async function atBody<T>(index: number, check: () => Promise<T>): Promise<T> {
  const own = (field: string): string =>
    field.replace(/^options\.changes\[\d+\]\./, '').replace(`changes[${index}].`, '');
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const { code, field, message, status, wireCode, errors } = error;
    throw new WayzoneError(code, own(field), message, {
      status,
      ...(wireCode !== null && { wireCode }),
      errors: errors.map((one: FieldError) => ({ ...one, field: own(one.field) })),
    });
  }
}
