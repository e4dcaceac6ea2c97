/** Selects rows by their ids, and the zones of an export, as the endpoints do. */

import type { ExportRequest } from '../core/answers.js';
import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { type GeozoneGroup, isDeleted } from '../core/wire.js';
import { type IdList, type ListRow, readEach, readId, readIds, readReferences } from './readIds.js';

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

/**
 * The requested zones and the zones of the requested groups. A request without ids selects all live zones.
 *
 * The request is the endpoint's body: `{geozones: [{id}], geozones_groups: [{id}]}`. Each field may also be a list of ids or a comma-separated
 * text.
 *
 * Each zone is selected once, in the order of `zones`. A zone requested by its own id is selected even if it is deleted. A group selects only
 * live zones. A request with only unknown ids selects no zone (`[]`). Cost: O(zones + memberships).
 *
 * Errors: `id-type` (`request.geozones[2].id`, `zones[2].id`, `groups[0].geozones[1].id`), `list-type`, `row-type`, `option-type` (`request`),
 * `input-unreadable`.
 *
 * @example
 * import { selectForExport } from 'wayzone/listing';
 * selectForExport([{ id: 'a' }, { id: 'b' }], [{ id: 'g', name: 'G', geozones: [{ id: 'b' }] }], { geozones_groups: 'g' }); // [{ id: 'b' }]
 */
export function selectForExport<Row extends ListRow>(
  zones: readonly Row[],
  groups: readonly GeozoneGroup[],
  request: ExportRequest = {},
): Row[] {
  const { zoneIds, groupIds } = readRequest(request);
  const named = new Set(zoneIds);
  const namedGroups = new Set(groupIds);
  const grouped = new Set(
    readEach(groups, 'groups', (group, field) =>
      namedGroups.has(readId(group.id, `${field}.id`))
        ? readEach(group.geozones, `${field}.geozones`, (zone, path) => readId(zone.id, `${path}.id`))
        : [],
    ).flat(),
  );
  const all = named.size === 0 && namedGroups.size === 0;
  return readEach(zones, 'zones', (zone, field) => {
    const id = readId(zone.id, `${field}.id`);
    return named.has(id) || ((all || grouped.has(id)) && !isDeleted(zone)) ? [zone] : [];
  }).flat();
}

function readRequest(request: ExportRequest): { zoneIds: string[]; groupIds: string[] } {
  return guarded('request', () => {
    if (typeof request !== 'object' || request === null || isArray(request)) {
      throw inputError('option-type', 'request', 'an object', request);
    }
    return {
      zoneIds: readReferences(request.geozones, 'request.geozones'),
      groupIds: readReferences(request.geozones_groups, 'request.geozones_groups'),
    };
  });
}
