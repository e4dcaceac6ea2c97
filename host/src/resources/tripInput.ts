/** The ids that a trip names beside its unit. */

import { TripInputSchema } from 'wayzone/schemas';
import { NUMBER, TEXT } from '../schemaParts.js';
import { checkIds } from '../storage/checkIds.js';
import type { Db } from '../storage/rows.js';

const { properties, ...rest } = TripInputSchema as unknown as { readonly properties: object };

/** A trip as the host takes it: with the route that the stream follows. */
export const TRIP_INPUT: object = {
  ...rest,
  properties: {
    ...properties,
    route: {
      type: ['object', 'null'],
      required: ['id', 'width'],
      properties: {
        id: { ...TEXT, description: 'A route of the company' },
        width: { ...NUMBER, exclusiveMinimum: 0, description: 'metres, the whole width of the corridor' },
      },
    },
  },
};

/** Throws `validation` with the field, behind `prefix`, of a trailer or a route that the company does not have. */
export async function checkTripIds(
  db: Db,
  companyId: string,
  trip: object,
  prefix: string = '',
): Promise<void> {
  const { trailer, route } = trip as {
    readonly trailer?: { readonly id: string } | null;
    readonly route?: { readonly id: string } | null;
  };
  for (const [kind, named] of [
    ['trailer', trailer],
    ['route', route],
  ] as const)
    if (named != null) await checkIds(db, companyId, kind, [{ id: named.id, field: `${prefix}${kind}.id` }]);
}
