/** The endpoints' rule for groups with what is in them. */

import { checkOptions, guarded } from '../core/gate.js';
import { type GeozoneGroup, isDeleted } from '../core/wire.js';
import { type IdList, type ListRow, readEach, readId, readIds } from './readIds.js';

/** How groups are listed. */
export interface GroupOptions {
  /** The fields of each zone that stand beside its `id`, as an array or comma text. Default: none. */
  readonly fields?: IdList;
}

/** A group whose zones carry the fields asked for. */
export type ListedGroup<Group extends GeozoneGroup = GeozoneGroup> = Omit<Group, 'geozones'> & {
  readonly geozones: readonly ({ readonly id: string } & Readonly<Record<string, unknown>>)[];
};

/**
 * The groups in their order, each with its live zones in its own order: `{id}` and those of `fields` that the zone has.
 *
 * A zone that is deleted or unknown is left out, one that a group names twice comes once. Of zones with the same id the first is
 * meant. Other fields of a group stay as they are; nothing is copied deeply. Cost O(groups + zones + memberships).
 *
 * Errors: `id-type` (`groups[0].geozones[1].id`, `options.fields[0]`), `list-type`, `row-type`, `option-type`, `input-unreadable`.
 *
 * @example
 * listGroups([{ id: 'g', name: 'G', geozones: [{ id: 'a' }] }], [{ id: 'a', name: 'A' }], { fields: 'name' }); // [{ id: 'g', name: 'G', geozones: [{ id: 'a', name: 'A' }] }]
 */
export function listGroups<Group extends GeozoneGroup, Row extends ListRow>(
  groups: readonly Group[],
  zones: readonly Row[],
  options: GroupOptions = {},
): ListedGroup<Group>[] {
  checkOptions(options);
  const fields = readIds(
    guarded('options.fields', () => options.fields),
    'options.fields',
  );
  const live = new Map<string, { readonly id: string } | null>();
  readEach(zones, 'zones', (zone, field) => {
    const id = readId(zone.id, `${field}.id`);
    if (!live.has(id)) live.set(id, isDeleted(zone) ? null : listed(id, zone, fields));
  });
  return readEach(groups, 'groups', (group, field) => {
    const ids = readEach(group.geozones, `${field}.geozones`, (zone, path) => readId(zone.id, `${path}.id`));
    return { ...group, geozones: [...new Set(ids)].flatMap((id) => live.get(id) ?? []) };
  });
}

/** The fields of a zone that it has itself; a field called `__proto__` is one like any other. */
function listed(id: string, zone: object, fields: readonly string[]): { readonly id: string } {
  const own = fields.filter((key) => key !== 'id' && Object.hasOwn(zone, key));
  return Object.fromEntries([
    ['id', id],
    ...own.map((key) => [key, (zone as Record<string, unknown>)[key]]),
  ]) as { id: string };
}
