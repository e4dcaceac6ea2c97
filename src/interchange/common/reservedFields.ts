/** Writes wayzone's own fields into one reserved member beside the attributes for other programs, and reads them back. */

import { readWireData, WIRE_PREFIX } from '../kml/kmlWire.js';
import { isRecord, isWireZone, own, type PlainRecord, without } from './foreignFields.js';

/** Name of the member with the fields of a zone. */
export const RESERVED = 'wayzone';

/** Members that KML readers such as `@tmcw/togeojson` derive from a Placemark written by wayzone. */
const DERIVED: readonly string[] = [
  'name',
  'description',
  'visibility',
  'styleUrl',
  'styleHash',
  'styleMapHash',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'fill',
  'fill-opacity',
  'icon',
  'icon-color',
  'icon-opacity',
  'icon-scale',
  'icon-offset',
  'icon-offset-units',
  'icon-heading',
  'label-color',
  'label-opacity',
  'label-scale',
  'timespan',
  'timestamp',
];

/**
 * The members of a row: its name, each foreign attribute (a member of `properties`) as a member of its own, and all other fields in the
 * member `wayzone`. An attribute whose name is taken or reserved stays there too.
 */
export function liftedMembers(
  fields: readonly (readonly [field: string, value: unknown])[],
  isFree: (key: string, value: unknown) => boolean = () => true,
): Map<string, unknown> {
  const record = new Map(fields);
  const members = new Map<string, unknown>();
  const name = record.get('name');
  if (typeof name === 'string') {
    members.set('name', name);
    record.delete('name');
  }
  const foreign = record.get('properties');
  if (isRecord(foreign)) {
    const kept: [string, unknown][] = [];
    for (const [key, value] of Object.entries(foreign)) {
      const isTaken = key === 'name' || key === RESERVED || key.startsWith(WIRE_PREFIX);
      if (isTaken || !isFree(key, value)) kept.push([key, value]);
      else members.set(key, value);
    }
    if (kept.length > 0 || members.size === Number(members.has('name')))
      record.set('properties', Object.fromEntries(kept));
    else record.delete('properties');
  }
  members.set(RESERVED, Object.fromEntries(record));
  return members;
}

/** The fields of a zone in the members of a row written by wayzone, also after `@tmcw/togeojson` has read our KML. Null for other rows. */
export function reservedFields(members: PlainRecord): PlainRecord | null {
  const record = own(members, RESERVED);
  if (isRecord(record) && isWireZone(record))
    return joinedFields(record, without(members, [RESERVED, 'name']), members);
  if (typeof own(members, `${WIRE_PREFIX}type`) !== 'string') return null;
  const fields: [string, unknown][] = [];
  for (const [key, text] of Object.entries(members)) {
    const found = typeof text === 'string' ? readWireData(key, text) : null;
    if (found !== null) fields.push([found.field, found.value]);
  }
  const wire = Object.fromEntries(fields);
  if (!isWireZone(wire)) return null;
  const others = Object.keys(members).filter((key) => key.startsWith(WIRE_PREFIX));
  return joinedFields(wire, without(members, [...others, ...DERIVED]), wire);
}

function joinedFields(record: PlainRecord, rest: PlainRecord, named: PlainRecord): PlainRecord {
  // The writer's option `address` sets both a member and a field.
  const foreign = own(rest, 'address') === own(record, 'address') ? without(rest, ['address']) : rest;
  const kept = own(record, 'properties');
  const name = own(named, 'name');
  const fields = {
    ...without(record, ['properties']),
    name: typeof name === 'string' ? name : (own(record, 'name') ?? ''),
  };
  if (Object.keys(foreign).length === 0) return kept === undefined ? fields : { ...fields, properties: kept };
  const entries = [
    ...Object.entries(foreign),
    ...(isRecord(kept) ? Object.entries(kept) : kept === undefined ? [] : [['properties', kept] as const]),
  ];
  return { ...fields, properties: Object.fromEntries(entries) };
}
