/** Checks ids that a body names against the company: an id of another company is an unknown one. */

import { sql } from 'kysely';
import { type FieldError, notFound, WayzoneError } from 'wayzone';
import type { Db } from './rows.js';

/** An id of a body, and its path there. */
export interface NamedId {
  readonly id: string;
  readonly field: string;
}

/** The tables of the kinds. A trailer is a unit as well. */
const TABLES: Readonly<Record<'geozone' | 'route' | 'trailer' | 'unit', 'geozones' | 'routes' | 'units'>> = {
  geozone: 'geozones',
  route: 'routes',
  trailer: 'units',
  unit: 'units',
};

/** Maximum number of listed errors. */
const MOST_ERRORS = 100;

/** Throws `validation` with the field of each id that the company does not have, deleted or not. The ids must be texts that `checkText` accepts. */
export async function checkIds(
  db: Db,
  companyId: string,
  kind: keyof typeof TABLES,
  named: readonly NamedId[],
): Promise<void> {
  if (named.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(TABLES[kind])} where company_id = ${companyId}
      and id in (select jsonb_array_elements_text(${JSON.stringify(named.map(({ id }) => id))}::jsonb))`.execute(
    db,
  );
  const known = new Set(rows.map(({ id }) => id));
  throwUnknown(
    kind,
    named.filter(({ id }) => !known.has(id)),
  );
}

/** Throws 422 with an error for each of the ids, if there are any. `kind`: of the objects, as messages name it. */
export function throwUnknown(kind: Parameters<typeof notFound>[0], wrong: readonly NamedId[]): void {
  const errors = wrong.slice(0, MOST_ERRORS).map(({ id, field }): FieldError => {
    const { code: reason, message } = notFound(kind, id, field);
    return { code: 4221, field, message, reason };
  });
  if (errors.length === 0) return;
  const message = `expected ${kind.replaceAll('_', ' ')}s of the company, received others`;
  throw new WayzoneError('validation', errors[0]!.field, message, { errors });
}
