/** Makes zones from the parts of a GeoJSON feature: its id, name, properties and shapes. */

import { describe, expected } from '../../core/errors.js';
import { checkOptions } from '../../core/options.js';
import { FlatPairs } from '../../core/wire.js';
import type { ForeignBuilder, ForeignZoneFields, ZoneField } from '../common/foreignBuilder.js';
import {
  foreignFields,
  isWireZone,
  own,
  type PlainRecord,
  wireZone,
  without,
} from '../common/foreignFields.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { plainNumber } from '../common/parseTime.js';
import type { ForeignZone } from '../common/readOptions.js';
import { reservedFields } from '../common/reservedFields.js';
import { freeName } from '../common/textProperties.js';
import { factorOf, unitIn } from '../table/unitWords.js';
import { type GeoJsonOptions, MAPPED_FIELDS } from './geoJsonOptions.js';

/** Radius below which a value without a unit can be kilometres. */
const LEAST_METERS = 5;

export class FeatureZones {
  readonly #builder: ForeignBuilder;
  readonly #options: GeoJsonOptions;
  readonly #mapping: readonly (readonly [field: string, property: string])[];
  readonly #keepsRest: boolean;

  /** Names of uncommon properties that were used as names of zones. */
  readonly otherNames: Set<string> = new Set();

  /** `keepsRest`: zones have `properties`. If false, flat polygons have only the fields that an index needs. */
  constructor(builder: ForeignBuilder, options: GeoJsonOptions, keepsRest: boolean) {
    this.#builder = builder;
    this.#keepsRest = keepsRest;
    this.#options = options;
    checkOptions(options.fieldProperties ?? {}, MAPPED_FIELDS, 'fieldProperties');
    this.#mapping = Object.entries(options.fieldProperties ?? {});
  }

  /** Adds the zones of a feature. `number`: its running number from 1. `at` returns the path of a member, `idField` is the path of the id. */
  add(
    number: number,
    givenId: unknown,
    given: PlainRecord,
    shapes: readonly LonLatShape[],
    at: (path: string) => string,
    idField: ZoneField,
  ): void {
    const { issues, axisOrder } = this.#builder;
    const properties = reservedFields(given) ?? given;
    const used: string[] = [];
    const id = this.#idOf(givenId, properties, number, used, at);
    const [first] = shapes;
    const isWire = isWireZone(properties);
    if (!this.#keepsRest && !isWire && first?.key === 'polygon' && first.geometry instanceof FlatPairs) {
      this.addRing(id, this.#nameOf(properties, used), first.geometry, idField);
      return;
    }
    if (isWire) {
      const [only] = shapes;
      // In KML a line comes together with its corridor.
      const lines = shapes.filter(({ key }) => key === 'line');
      const shape = (shapes.length === 1 ? only : lines.length === 1 ? lines[0] : null) ?? null;
      const zone = wireZone(properties, shape, axisOrder);
      if (zone !== null) {
        const second = own(properties, 'id');
        const isSame = second === id || (typeof second === 'number' && String(second) === id);
        if (second !== undefined && !isSame) {
          const message = `expected the Feature's id, received ${describe(second)}; left out`;
          issues.warning('type-mismatch', at('properties.id'), message);
        }
        this.#builder.addZone(id, zone, idField);
        return;
      }
      const message =
        'expected the fields of a zone that fit its type and geometry, received others; read by its geometry';
      issues.warning('type-mismatch', at('properties.type'), message);
    }
    if (shapes.length === 0) {
      issues.warning(
        'geometry-missing',
        at('geometry'),
        'expected a geometry with coordinates, received none; not read',
      );
      return;
    }
    const known = this.#inMeters(properties, shapes, at);
    if (known === null) return;
    const name = this.#nameOf(known, used);
    const fields = (shape: LonLatShape): ForeignZoneFields =>
      foreignFields(known, shape, used, this.#keepsRest);
    this.#builder.addShapes(id, name, shapes, fields, idField);
  }

  /** Whether the options name no other properties for the id, the name or fields. */
  get isPlain(): boolean {
    const { idProperty, nameProperty } = this.#options;
    return idProperty === undefined && nameProperty === undefined && this.#mapping.length === 0;
  }

  /** Adds a polygon with the fields that an index needs. */
  addRing(id: string, name: string, ring: FlatPairs, idField: ZoneField): void {
    if (!this.#builder.accepts({ key: 'polygon', geometry: ring, parts: null }, null, idField)) return;
    const zone = { name, type: POLYGON_KIND, geometry: ring };
    this.#builder.addZone(id, zone as unknown as Omit<ForeignZone, 'id'>, idField);
  }

  /** Renames properties by the option `fieldProperties`. A property that already has the new name gets the suffix `~2`. */
  mapped(properties: PlainRecord): PlainRecord {
    if (this.#mapping.length === 0) return properties;
    const mapping = this.#mapping.filter(([, property]) => Object.hasOwn(properties, property));
    if (mapping.length === 0) return properties;
    const fields = new Set(mapping.map(([field]) => field));
    const mapped = new Set(mapping.map(([, property]) => property));
    const taken = { has: (name: string): boolean => Object.hasOwn(properties, name) };
    const entries = Object.entries(properties)
      .filter(([key]) => !mapped.has(key))
      .map(([key, value]): [string, unknown] => [fields.has(key) ? freeName(key, taken) : key, value]);
    for (const [field, property] of mapping) entries.push([field, own(properties, property)]);
    return Object.fromEntries(entries);
  }

  /** The properties with a point's `radius` in metres; null, with an issue, if the radius cannot be read. */
  #inMeters(
    properties: PlainRecord,
    shapes: readonly LonLatShape[],
    at: (path: string) => string,
  ): PlainRecord | null {
    if (shapes.every(({ key }) => key !== 'point')) return properties;
    const meters = radiusMeters(properties, this.#options.radiusUnit);
    if (meters === null) return properties;
    if (typeof meters === 'number') {
      const { unitKey, radiusKey } = radiusKeys(properties);
      const rest = without(properties, [unitKey ?? '', radiusKey ?? '']);
      return { ...rest, radius: meters };
    }
    this.#builder.issues.error(meters.code, at('properties.radius'), meters.message);
    return null;
  }

  #idOf(
    given: unknown,
    properties: PlainRecord,
    number: number,
    used: string[],
    at: (path: string) => string,
  ): string {
    const { idProperty, idPrefix = 'zone-' } = this.#options;
    if (idProperty === undefined && typeof given === 'string') return given;
    const candidates: [string, unknown][] = [['id', given]];
    if (idProperty !== undefined)
      candidates.unshift([`properties.${idProperty}`, own(properties, idProperty)]);
    candidates.push(['properties.id', own(properties, 'id')]);
    for (const [path, id] of candidates) {
      if (id === undefined || id === null) continue;
      if (typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))) {
        if (path === 'properties.id') used.push('id');
        return String(id);
      }
      this.#builder.issues.warning('id-type', at(path), expected('text or a number', id));
    }
    return `${idPrefix}${number}`;
  }

  #nameOf(properties: PlainRecord, used: string[]): string {
    const { nameProperty } = this.#options;
    for (const key of nameProperty === undefined ? nameKeys(properties) : [nameProperty]) {
      const name = own(properties, key);
      if (typeof name === 'string') {
        used.push(key);
        if (nameProperty === undefined && key !== 'name' && !NAMES.includes(key)) this.otherNames.add(key);
        return name;
      }
      if (typeof name === 'number' && nameProperty !== undefined) return String(name);
    }
    return '';
  }
}

const NAMES = ['name', 'zone', 'title'];
const FURTHER_NAMES = ['label', 'название', 'наименование', 'подпись'];

/** Properties with names: the common ones, then others by case and word. */
function nameKeys(properties: PlainRecord): readonly string[] {
  if (NAMES.some((name) => typeof own(properties, name) === 'string')) return NAMES;
  const all = Object.keys(properties);
  const found = [...NAMES, ...FURTHER_NAMES].flatMap((name) =>
    all.filter((key) => key.toLowerCase() === name),
  );
  return found.length === 0 ? NAMES : found;
}

const POLYGON_KIND = { key: 'polygon' } as const;

interface RadiusProblem {
  readonly code: 'radius-unit-unknown' | 'number-invalid';
  readonly message: string;
}

/** Names of the properties with the radius and its unit, as spelt in the file. */
function radiusKeys(properties: PlainRecord): {
  readonly radiusKey: string | undefined;
  readonly unitKey: string | undefined;
} {
  const keys = Object.keys(properties);
  const named = (names: readonly string[]): string | undefined =>
    keys.find((key) => names.includes(key.toLowerCase().replace(/_/g, '')));
  return { radiusKey: named(['radius']), unitKey: named(['radiusunits', 'radiusunit']) };
}

/** Radius, metres; null if the properties have none, or one in metres that can stay unchanged. */
function radiusMeters(properties: PlainRecord, unit: string | undefined): number | RadiusProblem | null {
  const { radiusKey, unitKey } = radiusKeys(properties);
  const given = radiusKey === undefined ? undefined : own(properties, radiusKey);
  if (given === undefined || given === null || given === '') return null;
  const value = typeof given === 'string' ? plainNumber(given) : typeof given === 'number' ? given : null;
  if (value === null || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    return {
      code: 'number-invalid',
      message: `expected a radius of at least 0, received ${describe(given)}; the zone is left out`,
    };
  }
  const unitText = unitKey === undefined ? undefined : own(properties, unitKey);
  if (typeof unitText === 'string' && unitText.trim() !== '') {
    const found = unitIn(unitText, 'length');
    if (found === null) {
      return {
        code: 'radius-unit-unknown',
        message: `expected a unit of length, received ${describe(unitText)}; the zone is left out`,
      };
    }
    return value * found.factor;
  }
  if (value === 0) return null;
  if (value >= LEAST_METERS) return radiusKey === 'radius' ? null : value;
  if (unit !== undefined) return value * (factorOf(unit, 'length') ?? 1);
  return {
    code: 'radius-unit-unknown',
    message: `expected a radius with radiusUnits, received ${value}, which can be metres or kilometres; the zone is left out; say it: --radius-unit km`,
  };
}
