/** Finds zones by what plans call them: their id, else their name. */

import type { Geozone } from '../../../core/wire.js';

/** Zones by id and name. */
export class ZoneNames {
  readonly #byId: ReadonlyMap<string, Geozone>;
  /** By name in lower case; null if several zones have it. */
  readonly #byName = new Map<string, Geozone | null>();

  constructor(zones: readonly Geozone[]) {
    this.#byId = new Map(zones.map((zone) => [zone.id, zone]));
    for (const zone of zones) {
      const name = plainName(zone.name);
      this.#byName.set(name, this.#byName.has(name) ? null : zone);
    }
  }

  /** The zone; a code if none has the id or the name, or several have the name. */
  find(text: string): Geozone | 'zone-unknown' | 'zone-ambiguous' {
    const own = this.#byId.get(text) ?? this.#byId.get(text.trim());
    if (own !== undefined) return own;
    const named = this.#byName.get(plainName(text));
    return named === undefined ? 'zone-unknown' : (named ?? 'zone-ambiguous');
  }
}

function plainName(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/ё/g, 'е').replace(/\s+/g, ' ').trim();
}

/** Fields of a trip point that a zone gives. */
export function pointOf(
  zone: Geozone,
): Pick<Geozone, 'name' | 'type' | 'geometry'> & Partial<Pick<Geozone, 'width' | 'parts'>> {
  const { name, type, geometry, width, parts } = zone;
  return {
    name,
    type,
    geometry,
    ...(typeof width === 'number' ? { width } : {}),
    ...(parts === undefined || parts === null ? {} : { parts }),
  };
}

/** What a plan calls wrong, in words. */
export function zoneProblem(code: 'zone-unknown' | 'zone-ambiguous', text: string): string {
  return code === 'zone-unknown'
    ? `expected the id or name of a zone, received ${JSON.stringify(text)}, which no zone has`
    : `expected the name of one zone, received ${JSON.stringify(text)}, which several have; use its id`;
}
