/**
 * The labels of dictionary entries in SQL: rows are stored with keys (`keepKeys` of the library) and read with `type` and `value` in the caller's
 * language. PostgreSQL fills them in, so that the event loop parses no row. Places and names of entries come from the library.
 */

import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type EntryKind, entryLabels, listCustomFields } from 'wayzone/schemas';
import type { ResourceName } from './tables.js';

type Json = RawBuilder<unknown>;

/** An expression of a `jsonb` value, made of one. */
export type JsonExpression = (value: Json) => Json;

/** Rows with labels. `company`: the properties of a company. */
export type LabelledTable = ResourceName | 'units' | 'company';

/** The kind of the entries of a table, and the field of the row that has them. */
const KINDS: Readonly<Partial<Record<LabelledTable, readonly [kind: EntryKind, below: string]>>> = {
  geozones: ['geozone', ''],
  routes: ['route', ''],
  trips: ['trip', ''],
  units: ['unit', ''],
  company: ['sensorSettings', 'monitoring_sensors_settings'],
};

/** Fills in the labels of a table's rows, in a language. */
export function withLabels(table: LabelledTable, language: string): JsonExpression {
  return changeAt(
    labelsOf(table, language).map(({ path, type, values, ignoresCase }) => [
      path,
      (entry) => {
        const key = sql`${entry} ->> 'key'`;
        const listed = sql`${JSON.stringify(values)}::jsonb ->> ${ignoresCase ? sql`lower(${key})` : sql`(${key})`}`;
        if (type === null) return sql`${entry} || coalesce((${listed})::jsonb, '{}')`;
        return sql`${entry} || jsonb_build_object('type', ${type}::text, 'value', coalesce(${listed}, ${key}))`;
      },
    ]),
  );
}

/** Takes the labels away from rows that were stored with them. */
export function unlabelled(table: LabelledTable): JsonExpression {
  return changeAt(
    labelsOf(table, 'en').map(({ path, type, values }) => [
      path,
      type === null
        ? (field) =>
            sql`case when ${JSON.stringify(values)}::jsonb ? (${field} ->> 'key') then ${field} - 'name' - 'group' else ${field} end`
        : (entry) => sql`${entry} - 'type' - 'value'`,
    ]),
  );
}

interface Labels {
  readonly path: string;
  /** null: `values` are JSON objects of fields that the entry gets, if it has a listed key. */
  readonly type: string | null;
  readonly values: Readonly<Record<string, string>>;
  readonly ignoresCase: boolean;
}

function labelsOf(table: LabelledTable, language: string): readonly Labels[] {
  const found = KINDS[table];
  if (found === undefined) return [];
  const [kind, below] = found;
  const entries = entryLabels(kind, { language }).map((labels) => ({
    ...labels,
    path: `${below}${labels.path}`,
  }));
  return table === 'units' ? [...entries, customFieldLabels(language)] : entries;
}

function customFieldLabels(language: string): Labels {
  const values = Object.fromEntries(
    listCustomFields({ language }).map(({ key, name, group }) => [key, JSON.stringify({ name, group })]),
  );
  return { path: 'custom_fields[]', type: null, values, ignoresCase: false };
}

/** Differs between languages, and between versions of the dictionaries: a part of the tags of lists. */
export function labelsTag(language: string): string {
  const all = Object.keys(KINDS).map((table) => labelsOf(table as LabelledTable, language));
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 8);
}

/** A place in a row to change: the value itself, its fields, or the items of a list. */
interface Place {
  own: JsonExpression | null;
  items: Place | null;
  readonly fields: Map<string, Place>;
}

/** Applies changes at paths, of which `[]` stands for the items of a list: to objects with a key, where they are. */
function changeAt(changes: readonly (readonly [path: string, change: JsonExpression])[]): JsonExpression {
  if (changes.length === 0) return (row) => row;
  const root = place();
  for (const [path, change] of changes) {
    let at = root;
    for (const step of path.split(/\.|(?=\[\])/)) {
      if (step === '[]') at = at.items ??= place();
      else {
        const next = at.fields.get(step) ?? place();
        at.fields.set(step, next);
        at = next;
      }
    }
    at.own = change;
  }
  // The sum with an empty object decompresses a large row once, `offset 0` keeps it so.
  return (row) =>
    sql`(select ${changed(root, sql`whole`, 0)} from (select ${row} || '{}'::jsonb as whole offset 0) as unpacked)`;
}

function place(): Place {
  return { own: null, items: null, fields: new Map() };
}

function changed({ own, items, fields }: Place, value: Json, depth: number): Json {
  if (own !== null)
    return sql`case when jsonb_typeof(${value} -> 'key') = 'string' then ${own(value)} else ${value} end`;
  if (items !== null) {
    const [item, order] = [sql.ref(`item${depth}`), sql.ref(`place${depth}`)];
    return sql`case when jsonb_typeof(${value}) = 'array' then (
      select coalesce(jsonb_agg(${changed(items, item, depth + 1)} order by ${order}), '[]')
      from jsonb_array_elements(${value}) with ordinality as ${sql.ref(`listed${depth}`)}(${item}, ${order})
    ) else ${value} end`;
  }
  const patches = [...fields].map(([name, child]) => {
    const field = sql`${value} -> ${sql.lit(name)}`;
    return sql`case when jsonb_typeof(${field}) in ('object', 'array')
      then jsonb_build_object(${sql.lit(name)}, ${changed(child, sql`(${field})`, depth)}) else '{}' end`;
  });
  return sql`case when jsonb_typeof(${value}) = 'object' then ${value} || (${sql.join(patches, sql` || `)}) else ${value} end`;
}

/**
 * An array of texts for a cast, such as `${columnOf(times)}::bigint[]`, of values without line ends: numbers, flags, JSON texts. `null` and an empty text
 * are NULL. The database parts the text; `pg` escapes each value of an array by itself, which takes ten times as long for JSON.
 */
export function columnOf(values: readonly (string | number | boolean | null)[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${values.join('\n')}::text, chr(10), '')`;
}
