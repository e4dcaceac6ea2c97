/** Units between the wire and the database. */

import { randomUUID } from 'node:crypto';
import { type FieldError, WayzoneError } from 'wayzone';
import {
  type CustomFieldValue,
  entryFiller,
  keepKeys,
  listCustomFields,
  parsePlatformTime,
  validateUnitSettings,
} from 'wayzone/schemas';
import { detectTrips, findSpeeding, readTrack } from 'wayzone/tracks';
import { schemaCheck } from '../schemaCheck.js';
import type { NamedId } from '../storage/checkIds.js';
import { UNIT_LISTS } from '../unitSchemas.js';
import { keepIds, settable } from '../work/completeRow.js';
import { thresholdErrors } from '../zones/zoneRules.js';

/** A custom field of a unit; without name and group if the platform's table has them. */
type StoredField = Pick<CustomFieldValue, 'key' | 'value'> & Partial<CustomFieldValue>;

/** The fields of a unit that the host stores. */
export interface UnitContent {
  readonly name: string;
  readonly custom_fields: readonly StoredField[];
  readonly [field: string]: unknown;
}

export interface StoredUnit {
  readonly id: string;
  readonly company_id: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly is_delete: boolean;
  readonly row: Readonly<Record<string, unknown>>;
}

/** A unit as answers have it. */
export type WireUnit = Readonly<Record<string, unknown>> & { readonly id: string };

const ENTRIES = ['type', 'terminal_type', 'icon'] as const;
const TEXTS = ['imei', 'phonenumber', 'phonenumber2'] as const;
const LISTS = ['drivers', 'trailers', 'services', 'sensors'] as const;
const PERIODS = ['drivers', 'trailers'] as const;
const SERVICE_AMOUNTS = [
  'intervalKm',
  'lastKm',
  'intervalDays',
  'intervaldays',
  'intervalMotohours',
  'lastMotohours',
] as const;
const checkOf = (name: (typeof LISTS)[number]): ((value: unknown) => unknown) =>
  schemaCheck({ type: 'object', properties: { [name]: UNIT_LISTS[name] } }, 'body');
const LIST_CHECKS = {
  drivers: checkOf('drivers'),
  trailers: checkOf('trailers'),
  services: checkOf('services'),
  sensors: checkOf('sensors'),
} as const;
/** Fields that the host reads, and those of its own. It keeps all others as they are, as zones do. */
const KNOWN: ReadonlySet<string> = new Set([
  ...ENTRIES,
  ...TEXTS,
  ...LISTS,
  'name',
  'speeding',
  'custom_fields',
  'settings',
  'device_key',
  'units_groups_names',
]);
/** Largest number of items in a list of a unit. */
const MAX_ITEMS = 1000;
/** Custom fields that set the trip detector or the unit's speed limit, besides those whose key begins with `tripdetector_`. */
const DETECTOR = new Set([
  'advanced_maxintervalmsg',
  'advanced_mileagecoeff',
  'advanced_speedlimit',
  'key_tripdetector_movedetect',
]);

/**
 * Reads a unit of a request. Throws every field error. `settings`, the host's former name of custom fields, is accepted for them.
 * Services and sensors without an id get one.
 */
export function readUnit(body: unknown, unitId: string): UnitContent {
  const sent = Object(settable(body)) as Readonly<Record<string, unknown>>;
  const errors: FieldError[] = [];
  const wrong = (field: string, reason: string, message: string): void =>
    void errors.push({ code: 4221, field, message, reason } as FieldError);
  const { name } = sent;
  if (typeof name !== 'string' || name.trim() === '')
    wrong('name', 'required', 'expected a text that is not empty, received another value');
  const content: Record<string, unknown> = Object.fromEntries(
    Object.entries(sent).filter(([field]) => !KNOWN.has(field)),
  );
  for (const field of ENTRIES) {
    const value = sent[field];
    if (value == null) continue;
    const { key } = Object(value) as { readonly key?: unknown };
    if (typeof key !== 'string' || key === '')
      wrong(`${field}.key`, 'required', 'expected the key of an entry, received none');
    else content[field] = { key };
  }
  for (const field of TEXTS) {
    const value = sent[field];
    if (value == null || value === '') continue;
    if (typeof value === 'string') content[field] = value;
    else wrong(field, 'type', 'expected a text, received another value');
  }
  for (const field of LISTS) {
    const value = sent[field];
    if (value == null) continue;
    if (!Array.isArray(value) || value.length > MAX_ITEMS)
      wrong(field, 'type', `expected a list of at most ${MAX_ITEMS} objects, received another value`);
    else if (isListed(field, value, errors))
      content[field] = value.map((item: object) => itemOf(field, item, unitId));
  }
  for (const [i, { trailer, meters }] of trailersOf(content).entries()) {
    if (typeof trailer?.id !== 'string' || trailer.id === '')
      wrong(`trailers[${i}].trailer.id`, 'required', 'expected the id of a unit, received none');
    if (trailer?.id === unitId)
      wrong(`trailers[${i}].trailer.id`, 'option-value', 'expected another unit than the unit itself');
    if (meters !== undefined && !(typeof meters === 'number' && meters > 0))
      wrong(`trailers[${i}].meters`, 'type', 'expected a distance above 0 m, received another value');
  }
  for (const field of PERIODS) errors.push(...periodErrors(field, content[field]));
  errors.push(...serviceErrors(content['services']));
  if (sent['speeding'] != null) {
    for (const { field, message } of thresholdErrors(sent['speeding']))
      wrong(`speeding${field}`, 'type', message);
    content['speeding'] = sent['speeding'];
  }
  const given = sent['custom_fields'] ?? sent['settings'] ?? [];
  const isLong = Object.keys(Object(given) as object).length > MAX_ITEMS;
  if (isLong) wrong('custom_fields', 'type', `expected at most ${MAX_ITEMS} fields, received more`);
  const fields = isLong ? [] : customFields(given, errors);
  if (errors.length > 0)
    throw new WayzoneError('validation', errors[0]!.field, 'expected a valid unit, received field errors', {
      errors,
    });
  checkDetector(fields);
  return {
    ...keepIds('unit', keepKeys('unit', content)),
    name: name as string,
    custom_fields: fields.map(withoutLabels),
  };
}

/** A custom field as it is stored: the platform's table names its own fields. */
function withoutLabels({ key, value, ...own }: CustomFieldValue): StoredField {
  return { key, value, ...(PLATFORM_FIELDS.has(key) ? {} : own) };
}

const PLATFORM_FIELDS: ReadonlySet<string> = new Set(listCustomFields().map(({ key }) => key));

/** Whether the items have the form of the document. Adds what is wrong. */
function isListed(field: (typeof LISTS)[number], items: readonly unknown[], errors: FieldError[]): boolean {
  try {
    LIST_CHECKS[field]({ [field]: items });
    return true;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    errors.push(...error.errors);
    return false;
  }
}

interface Trailer {
  readonly trailer?: { readonly id?: unknown } | null;
  readonly meters?: unknown;
}

function trailersOf({ trailers = [] }: Readonly<Record<string, unknown>>): readonly Trailer[] {
  return trailers as readonly Trailer[];
}

/** The ids of the trailers of a unit that `readUnit` has read. */
export function trailerIds(content: UnitContent): NamedId[] {
  return trailersOf(content).map(({ trailer }, i) => ({
    id: trailer!.id as string,
    field: `trailers[${i}].trailer.id`,
  }));
}

type Items = readonly Readonly<Record<string, unknown>>[];

/** Errors of `date_from` and `date_to` of a list's items: the stream takes a date that it cannot read for none. */
function periodErrors(list: string, items: unknown = []): FieldError[] {
  return (items as Items).flatMap((item, i) => {
    const of = (name: string): string => `${list}[${i}].${name}`;
    const [from, to] = ['date_from', 'date_to'].map((name) => readDate(item[name], of(name)));
    if (from instanceof WayzoneError || to instanceof WayzoneError)
      return [from, to].flatMap((one) => (one instanceof WayzoneError ? one.errors : []));
    if (from == null || to == null || from <= to) return [];
    const message = 'expected a date at or after date_from, received an earlier one';
    return [{ code: 4221, field: of('date_to'), message, reason: 'order-of-times' }];
  });
}

/** Errors of the dates and amounts of services. */
function serviceErrors(items: unknown = []): FieldError[] {
  return (items as Items).flatMap((item, i) => {
    const date = readDate(item['lastDays'], `services[${i}].lastDays`);
    const amounts = SERVICE_AMOUNTS.filter((name) => {
      const value = item[name];
      return typeof value === 'string' && value !== '' && !/^\s*-?\d+([.,]\d+)?\s*$/.test(value);
    });
    return [
      ...(date instanceof WayzoneError ? date.errors : []),
      ...amounts.map((name): FieldError => {
        const message = 'expected a number, received another text';
        return { code: 4221, field: `services[${i}].${name}`, message, reason: 'type' };
      }),
    ];
  });
}

/** Epoch milliseconds of a date of the platform, read as UTC; null for none; the error of a text that is not one. */
function readDate(value: unknown, field: string): number | null | WayzoneError {
  if (typeof value !== 'string' || value === '') return null;
  try {
    return parsePlatformTime(value, { timeZone: 'UTC' });
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const { code: reason, message } = error;
    return new WayzoneError(reason, field, message, {
      errors: [{ code: 4221, field, message, reason }],
    });
  }
}

function customFields(sent: unknown, errors: FieldError[]): readonly CustomFieldValue[] {
  try {
    return validateUnitSettings(sent, { fillMissing: true });
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    errors.push(...error.errors.map((one) => ({ ...one, field: `custom_fields${prefixed(one.field)}` })));
    return [];
  }
}

function prefixed(field: string): string {
  return field === '' || field.startsWith('[') ? field : `.${field}`;
}

function itemOf(field: (typeof LISTS)[number], item: object, unitId: string): object {
  if (field !== 'services' && field !== 'sensors') return item;
  return { id: randomUUID(), ...item, unit_id: unitId };
}

/** Throws the errors of the trip detector and of the speed limit, so that later requests do not fail with them. */
function checkDetector(fields: readonly CustomFieldValue[]): void {
  const settings = detectorSettings(fields);
  detectTrips(readTrack([]), settings);
  findSpeeding(readTrack([]), { settings });
}

/** The custom fields that set the trip detector and the unit's speed limit, by key. */
export function detectorSettings(fields: readonly StoredField[]): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    fields.flatMap(({ key, value }) =>
      (DETECTOR.has(key) || key.startsWith('tripdetector_')) &&
      key !== 'tripdetector_movedetectkey' &&
      value !== ''
        ? [[key, value]]
        : [],
    ),
  );
}

/** The unit with labels, in a language. */
export function labelledUnit(unit: WireUnit, language: string): WireUnit {
  const definitions = new Map(listCustomFields({ language }).map((row) => [row.key, row]));
  const fields = (unit['custom_fields'] as readonly StoredField[]).map((field) => {
    const { name, group } = definitions.get(field.key) ?? field;
    return { ...field, name, group };
  });
  return { ...entryFiller('unit', { language })(unit), custom_fields: fields };
}

/** The unit as the wire has it, without labels. */
export function wireUnit({
  id,
  company_id: companyId,
  name,
  settings,
  is_delete: isDeleted,
  row,
}: StoredUnit): WireUnit {
  const { custom_fields: fields, ...own } = row;
  return {
    id,
    company_id: companyId,
    is_delete: isDeleted ? 1 : 0,
    name,
    ...own,
    units_groups_names: '',
    custom_fields: fields ?? validateUnitSettings(settings, { fillMissing: true }).map(withoutLabels),
  };
}
