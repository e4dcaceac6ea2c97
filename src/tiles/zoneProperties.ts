/** The properties of a zone's features. */

import type { IndexInternals } from '../zones/index/index.js';
import { Properties, type PropertyValue } from './tileWriter.js';

/** Properties of every zone; missing ones are left out. */
export const ZONE_PROPERTIES = ['id', 'name', 'type', 'color', 'icon'] as const;

/**
 * Properties of the zone of an ordinal: `ZONE_PROPERTIES`, then `more`. Texts, finite numbers and flags are taken unchanged, of an entry of
 * a dictionary its key. Other values, and absent ones, are left out.
 */
export function propertiesOf(
  internals: IndexInternals,
  ordinal: number,
  more: readonly string[],
): Properties {
  const properties = new Properties();
  const row = internals.keptRow(ordinal);
  if (row !== null) addProperties(row as unknown as Readonly<Record<string, unknown>>, more, properties);
  return properties;
}

function addProperties(
  row: Readonly<Record<string, unknown>>,
  more: readonly string[],
  properties: Properties,
): void {
  for (const names of [ZONE_PROPERTIES, more]) {
    for (const name of names) {
      const value = propertyOf(row[name]);
      if (value !== null) properties.add(name, value);
    }
  }
}

function propertyOf(value: unknown): PropertyValue | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? (value === 0 ? 0 : value) : null;
  if (typeof value !== 'object' || value === null) return null;
  const key: unknown = (value as { readonly key?: unknown }).key;
  return typeof key === 'string' ? key : null;
}
