/** Check of the companies that a caller may reach. */

import { WayzoneError } from 'wayzone';
import type { Context } from '../context.js';
import { satisfies } from './roles.js';
import type { Access } from './tokens.js';

/**
 * Throws 422 with code 4022 at the first of `ids` that is not one of the caller's companies. A caller with the rank of SUPERVISOR reaches every
 * company that exists.
 */
export async function checkCompanies(
  { storage, settings }: Pick<Context, 'storage' | 'settings'>,
  { companyId, companies, role }: Access,
  ids: readonly string[],
  fieldOf: (i: number) => string,
): Promise<void> {
  const own = new Set([companyId, ...companies]);
  const others = ids.filter((id) => !own.has(id));
  if (others.length > 0 && satisfies(role, 'SUPERVISOR', settings.sideRanks)) {
    const rows = await storage.db.selectFrom('companies').select('id').where('id', 'in', others).execute();
    for (const { id } of rows) own.add(id);
  }
  const wrong = ids.findIndex((id) => !own.has(id));
  if (wrong !== -1)
    throw new WayzoneError(
      'company-foreign',
      fieldOf(wrong),
      `expected one of the caller’s companies, received ${JSON.stringify(ids[wrong]).slice(0, 60)}`,
      { status: 422, wireCode: 4022 },
    );
}
