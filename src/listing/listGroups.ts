/** Lists groups with fields of their zones, and the work types of a company's trips, as the endpoints do. */

import type { ReferenceList } from '../core/answers.js';
import { expected, inputError, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import { type GeozoneGroup, isDeleted } from '../core/wire.js';
import {
  type IdList,
  type ListRow,
  readEach,
  readId,
  readIds,
  readItems,
  readReferences,
  referencesOf,
} from './readIds.js';
import { collatorOf, LANGUAGE_OPTIONS, type LanguageOptions } from './sortTexts.js';

/** Options of `listGroups`. */
export interface GroupOptions {
  /**
   * Fields as an array or a comma-separated text. `geozones.name` adds the zone's name to its `id`. `name` is the name of the group, which is
   * always returned. Default: none.
   */
  readonly fields?: IdList | undefined;
  /** Companies whose zones are listed: ids, or objects with an id. Default: all. */
  readonly companies?: ReferenceList | undefined;
}

const OPTIONS: OptionTable<GroupOptions> = { fields: OWN, companies: OWN };

/** A group whose zones have the requested fields. */
export type ListedGroup<Group extends GeozoneGroup = GeozoneGroup> = Omit<Group, 'geozones'> & {
  readonly geozones: readonly ({ readonly id: string } & Readonly<Record<string, unknown>>)[];
};

/**
 * The groups in order, each with its live zones in order. A zone has its `id` and the requested `fields`.
 *
 * Deleted and unknown zones are left out. A zone that a group names twice is listed once. If zones have the same id, the first counts. With
 * `companies`, only zones of these companies are listed. Other fields of a group are kept without a deep copy. A name after `geozones.` is any
 * field of a wire geozone or of a zone. Other names are fields of a group. Cost: O(groups + zones + memberships).
 *
 * Errors: `field-unknown` (`options.fields[0]`), `id-type` (`groups[0].geozones[1].id`, `options.companies[0].id`), `list-type`, `row-type`,
 * `option-type`, `input-unreadable`.
 *
 * @example
 * import { listGroups } from 'wayzone/listing';
 * listGroups([{ id: 'g', name: 'G', geozones: [{ id: 'a' }] }], [{ id: 'a', name: 'A' }], { fields: 'geozones.name' }); // [{ id: 'g', name: 'G', geozones: [{ id: 'a', name: 'A' }] }]
 */
export function listGroups<Group extends GeozoneGroup, Row extends ListRow>(
  groups: readonly Group[],
  zones: readonly Row[],
  options: GroupOptions = {},
): ListedGroup<Group>[] {
  checkOptions(options, OPTIONS);
  const wanted = readIds(
    guarded('options.fields', () => options.fields),
    'options.fields',
  );
  const fields = [
    ...new Set(wanted.flatMap((name) => (name.startsWith(OF_ZONES) ? name.slice(OF_ZONES.length) : []))),
  ];
  const companies = readReferences(
    guarded('options.companies', () => options.companies),
    'options.companies',
  );
  const unknown = new Set(
    wanted.filter((name) =>
      name.startsWith(OF_ZONES) ? !GEOZONE_FIELDS.has(name.slice(OF_ZONES.length)) : !GROUP_FIELDS.has(name),
    ),
  );
  const live = new Map<string, { readonly id: string } | null>();
  readEach(zones, 'zones', (zone, field) => {
    const id = readId(zone.id, `${field}.id`);
    for (const name of unknown)
      if (name.startsWith(OF_ZONES) && Object.hasOwn(zone, name.slice(OF_ZONES.length))) unknown.delete(name);
    const isGiven =
      !isDeleted(zone) &&
      (companies.length === 0 ||
        referencesOf(zone, 'companies').some((company) => companies.includes(company)));
    if (!live.has(id)) live.set(id, isGiven ? listed(id, zone, fields) : null);
  });
  const listedGroups = readEach(groups, 'groups', (group, field) => {
    for (const name of unknown) if (Object.hasOwn(group, name)) unknown.delete(name);
    const ids = readEach(group.geozones, `${field}.geozones`, (zone, path) => readId(zone.id, `${path}.id`));
    return { ...group, geozones: [...new Set(ids)].flatMap((id) => live.get(id) ?? []) };
  });
  checkFields(wanted, unknown);
  return listedGroups;
}

/** Fields of the wire's geozone, and fields that the library adds. */
const GEOZONE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'type',
  'geometry',
  'polygon_geometry',
  'parts',
  'color',
  'icon',
  'width',
  'area',
  'perimeter',
  'is_show_on_map',
  'companies',
  'is_delete',
  'created',
]);
/** The prefix of names of the zones' fields. */
const OF_ZONES = 'geozones.';
/** The fields of the wire's group. */
const GROUP_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'geozones', 'is_delete', 'created']);

function checkFields(wanted: readonly string[], unknown: ReadonlySet<string>): void {
  const i = wanted.findIndex((name) => unknown.has(name));
  if (i === -1) return;
  const zoneFields = [...GEOZONE_FIELDS].map((name) => `${OF_ZONES}${name}`);
  const what = `one of ${[...GROUP_FIELDS, ...zoneFields].join(', ')}, or a field of the groups or zones`;
  const message = expected(what, wanted[i]);
  throw new WayzoneError('field-unknown', `options.fields[${i}]`, message);
}

/** The zone's own fields among `fields`. `__proto__` is treated like any other field. */
function listed(id: string, zone: object, fields: readonly string[]): { readonly id: string } {
  const own = fields.filter((key) => key !== 'id' && Object.hasOwn(zone, key));
  return Object.fromEntries([
    ['id', id],
    ...own.map((key) => [key, (zone as Record<string, unknown>)[key]]),
  ]) as { id: string };
}

/** The fields of a trip that `listWorkTypes` reads. */
export interface WorkTypesRow {
  /** Work types as free text. */
  readonly work_types?: readonly string[] | null | undefined;
  /** The trip is deleted if this is true, 1, '1' or 'true'. */
  readonly is_delete?: unknown;
}

/**
 * The distinct work types of the live trips, in the alphabetical order of a language (`Intl.Collator`).
 *
 * Texts are trimmed and then compared exactly, with upper and lower case. Blank texts are left out. Texts that are equal for the collator are
 * sorted by UTF-16 units, so the result does not depend on the order of the trips.
 *
 * Errors: `list-type` (`trips`, `trips[1].work_types`), `row-type` (`trips[1]`), `work-type` (`trips[1].work_types[0]`), `option-type`,
 * `option-value` (`options.language`), `input-unreadable`.
 *
 * @example
 * import { listWorkTypes } from 'wayzone/listing';
 * listWorkTypes([{ work_types: ['уборка', 'вывоз'] }, { work_types: ['уборка'] }]); // ['вывоз', 'уборка']
 */
export function listWorkTypes(trips: readonly WorkTypesRow[], options: LanguageOptions = {}): string[] {
  const { compare } = collatorOf(options, LANGUAGE_OPTIONS);
  const texts = readEach(trips, 'trips', (trip, field) =>
    isDeleted(trip) ? [] : readWorkTypes(trip.work_types, `${field}.work_types`),
  ).flat();
  return [...new Set(texts)].sort((a, b) => compare(a, b) || (a < b ? -1 : 1));
}

function readWorkTypes(types: readonly string[] | null | undefined, field: string): string[] {
  if (types === undefined || types === null) return [];
  return readItems(types, field).flatMap((text: unknown, i) => {
    if (typeof text !== 'string')
      throw inputError('work-type', `${field}[${i}]`, 'a work type as a text', text);
    return text.trim() === '' ? [] : [text.trim()];
  });
}
