/** The properties of a zone's features. */

import type { Insides, ZoneRow } from '../zones/index/index.js';
import type { Properties, PropertyValue } from './tileWriter.js';

/** The properties of every zone, unless they are missing. */
export const ZONE_PROPERTIES = ['id', 'name', 'type', 'color', 'icon'] as const;

/**
 * The properties of the zone of an ordinal: `ZONE_PROPERTIES`, then `more`. Texts, finite numbers and flags as they are; of an entry of a dictionary
 * its key. Other values, and absent ones, have no property.
 */
export function propertiesOf(insides: Insides, ordinal: number, more: readonly string[]): Properties {
  const row = insides.keptRow(ordinal);
  return row === null ? [] : rowProperties(row, more);
}

export function rowProperties(row: ZoneRow, more: readonly string[]): Properties {
  const properties: [string, PropertyValue][] = [];
  const add = (name: string): void => {
    const value = propertyOf((row as unknown as Record<string, unknown>)[name]);
    if (value !== null) properties.push([name, value]);
  };
  for (const name of ZONE_PROPERTIES) add(name);
  for (const name of more) add(name);
  return properties;
}

function propertyOf(value: unknown): PropertyValue | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? (value === 0 ? 0 : value) : null;
  if (typeof value !== 'object' || value === null) return null;
  const key: unknown = (value as { readonly key?: unknown }).key;
  return typeof key === 'string' ? key : null;
}
