/** Finds zones by the texts of plans: their id, else their name. */

import type { Geozone } from '../../../core/wire.js';

/** Zones by id and name. */
export class PlanZones {
  readonly #byId: ReadonlyMap<string, Geozone>;
  /** Zones by name in lower case; null if several zones have the name. */
  readonly #byName = new Map<string, Geozone | null>();

  constructor(zones: readonly Geozone[]) {
    this.#byId = new Map(zones.map((zone) => [zone.id, zone]));
    for (const zone of zones) {
      const name = plainName(zone.name);
      this.#byName.set(name, this.#byName.has(name) ? null : zone);
    }
  }

  /** The zone; an error code if no zone has the id or name, or if several have the name. */
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

/** Fields of a trip point taken from a zone. */
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

/** Message for a zone that is not found or ambiguous. */
export function zoneProblem(code: 'zone-unknown' | 'zone-ambiguous', text: string): string {
  return code === 'zone-unknown'
    ? `expected the id or name of a zone, received ${JSON.stringify(text)}, which no zone has`
    : `expected the name of one zone, received ${JSON.stringify(text)}, which several have; use its id`;
}
