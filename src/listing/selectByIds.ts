/** Selects rows by their ids, as the endpoints do. */

import { isDeleted } from '../core/wire.js';
import { type IdList, type ListRow, readEach, readId, readIds } from './readIds.js';

/**
 * The rows with the given ids, as the endpoints return them.
 *
 * - Absent or empty ids: every live row, in the order of the list.
 * - One id: its row, deleted or not, or null if it is unknown.
 * - Several ids: their rows, deleted or not, in the order of the ids. Unknown ids are left out.
 *
 * `ids` is an array, or a text of ids separated by commas and optional spaces. A repeated id counts once, so `'a,a'` is one id. If rows have the same
 * id, the first counts. Cost: O(rows + ids).
 *
 * Errors: `id-type` (`ids`, `ids[2]`, `list[2].id`), `list-type`, `row-type` (`list[2]`), `input-unreadable`.
 *
 * @example
 * import { selectByIds } from 'wayzone/listing';
 * selectByIds([{ id: 'a' }, { id: 'b', is_delete: true }], 'b'); // { id: 'b', is_delete: true }
 */
export function selectByIds<Row extends ListRow>(list: readonly Row[], ids?: IdList): Row | null | Row[] {
  const wanted = readIds(ids, 'ids');
  const rows = readEach(list, 'list', (row, field) => ({
    row,
    id: readId(row.id, `${field}.id`),
    deleted: isDeleted(row),
  }));
  if (wanted.length === 0) return rows.filter(({ deleted }) => !deleted).map(({ row }) => row);
  const byId = new Map<string, Row>();
  for (const { row, id } of rows) if (!byId.has(id)) byId.set(id, row);
  if (wanted.length === 1) return byId.get(wanted[0]!) ?? null;
  return wanted.flatMap((id) => byId.get(id) ?? []);
}
