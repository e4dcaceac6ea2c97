/** Validates geozones (one, or a list with its ids), groups of geozones, and a company's own types. */

import { isArray } from '../core/errors.js';
import type { Issue } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { guarded, MAX_VERTICES, readPosition } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import type {
  CustomGeozoneType,
  Geozone,
  GeozoneGroup,
  GeozoneGroupInput,
  GeozoneInput,
  Pair,
  Photo,
} from '../core/wire.js';
import { seemsSwapped, swappedAmong } from '../zones/seemsSwapped.js';
import { checkShape, readOutline, readPairs } from './checkShape.js';
import { type Hooks, hooksAt, type ObjectCheck } from './reader.js';
import {
  entryChecks,
  VALIDATE_OPTIONS,
  type Validated,
  type ValidateOptions,
  type ValidationContext,
  validatorOf,
} from './validateOptions.js';
import {
  Amount,
  array,
  boolean,
  ColorEntry,
  DeleteMark,
  IconEntry,
  Id,
  integer,
  list,
  Name,
  nullable,
  object,
  optional,
  PairSchema,
  Pairs,
  Reference,
  sizeFields,
  string,
  type WireSchema,
  wireSchema,
  ZoneTypeEntry,
} from './wireSchema.js';

const OPTIONS: OptionTable<ValidateGeozonesOptions, 'defaultWidthMeters'> = {
  ...VALIDATE_OPTIONS,
  near: OWN,
};

const fields = {
  name: Name,
  type: ZoneTypeEntry,
  geometry: Pairs,
  ...sizeFields,
  polygon_geometry: optional(array(PairSchema, { maxItems: MAX_VERTICES })),
  color: optional(nullable(ColorEntry)),
  icon: optional(nullable(IconEntry)),
  area: optional(nullable(Amount)),
  perimeter: optional(nullable(Amount)),
  is_show_on_map: optional(boolean()),
  companies: optional(list(Reference)),
  is_delete: optional(DeleteMark),
  created: optional(string()),
};

/** A stored geozone. */
export const GeozoneSchema: WireSchema<Geozone> = wireSchema<Geozone>()(object({ id: Id, ...fields }));

/** A geozone as `validateGeozone` accepts it. */
export const GeozoneInputSchema: WireSchema<GeozoneInput> = wireSchema<GeozoneInput>()(
  object({ id: optional(Id), ...fields }),
);

const GEOZONE_HOOKS: Hooks<ValidationContext> = {
  readers: { geometry: readPairs, polygon_geometry: readOutline },
  checks: { '': checkShape, ...entryChecks('geozone') },
};

const read = validatorOf('geozone', GeozoneInputSchema, GEOZONE_HOOKS);

/**
 * Returns the geozone as a typed copy with its dictionary entries filled in. Throws `validation` with every field error.
 *
 * Only own enumerable fields are read, as in JSON, and undefined means absent. Unknown fields are kept (shared, not copied). The `id` is
 * optional and must be a UUID, in lower or upper case. The geometry is neither wrapped nor closed. `coordinates` may repeat it and are left out.
 * Only the `key` of the entries `type`, `color` and `icon` is read. Their `type` and `value` come from the dictionary, in `options.language`. A
 * self-intersecting ring is an error here, although other functions accept it. Cost: O(n log n) in the vertices.
 *
 * Errors: `validation` with at most 1,000 `errors` in document order (absent fields last), each with `field` and `reason`. Reasons: `required`,
 * `type`, `empty`, `not-finite`, `range`, `uuid`, `dictionary-key`, `limit-items`, `input-unreadable`, `too-many-errors`, and the reasons of a
 * shape (`coord-type`, `lat-range`, `geometry-conflict`, `width-missing`, `ring-self-intersects`, …). Wrong options throw `option-type`,
 * `option-value`, `width-range`.
 *
 * @example
 * import { validateGeozone } from 'wayzone/schemas';
 * const sent = { name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 };
 * validateGeozone(sent, { language: 'ru' }).type; // { key: 'circle', type: 'geozone_type', value: 'Круг' }
 */
export function validateGeozone<Input>(
  input: Input,
  options: ValidateOptions = {},
): Validated<Input, Geozone, GeozoneInput> {
  return read(input, options) as Validated<Input, Geozone, GeozoneInput>;
}

export interface ValidateGeozonesOptions extends ValidateOptions {
  /**
   * `[lon, lat]` of a place near all zones, such as the company's town. A zone gets a warning if it is near this place only with its
   * numbers swapped.
   */
  readonly near?: Position | undefined;
}

/** Valid zones, and warnings about the set. */
export interface ValidatedGeozones<Zone> {
  /** Typed copies, in the order of the list. */
  readonly value: Zone[];
  /** Warnings `axis-order-suspect`, at the geometry of the zones. */
  readonly issues: readonly Issue[];
}

const readGeozones = validatorOf('list of geozones', list(GeozoneInputSchema), hooksAt('[]', GEOZONE_HOOKS));

/**
 * Returns the geozones of a list as typed copies. Throws `validation` with the field errors of all zones (`[3].geometry[0][1]`). Rules: as
 * `validateGeozone`.
 *
 * A swapped pair of degrees is often valid, but a list can show it. A zone gets the warning `axis-order-suspect` if it is far from `near`, but
 * near it with its numbers swapped (within 1,000 km and 4 times closer). Without `near`, a zone is compared with the other zones, so a list of
 * only swapped zones gets no warning. The warning rejects no zone. If all zones get it, pass `axisOrder`.
 *
 * Errors: as `validateGeozone`; `limit-items` beyond 100,000 zones; `coord-type`, `lat-range`, `lon-range` (`options.near`).
 *
 * @example
 * import { validateGeozones } from 'wayzone/schemas';
 * const zone = { name: 'Depot', type: { key: 'circle' }, geometry: [[55.7, 37.6]], width: 100 };
 * validateGeozones([zone], { near: [37.6, 55.75] }).issues[0].code; // 'axis-order-suspect'
 */
export function validateGeozones<Input>(
  zones: readonly Input[],
  options: ValidateGeozonesOptions = {},
): ValidatedGeozones<Validated<Input, Geozone, GeozoneInput>> {
  checkOptions(options, OPTIONS);
  const { near, ...rest } = guarded('options', () => ({ ...options }));
  const place = near === undefined ? null : readPosition(near, 'options.near');
  const value = readGeozones(zones, rest) as GeozoneInput[];
  const positions = value.map(({ geometry }) => firstOf(geometry, rest.axisOrder));
  const found =
    place === null
      ? swappedAmong(positions)
      : positions.flatMap((position, i) => (seemsSwapped(position, place) ? [i] : []));
  const others = place === null ? 'the other zones' : 'the position `near`';
  const issues = found.map((i): Issue => {
    const message = `expected a zone near ${others}, received ${pairText(value[i]!.geometry[0]!)}, which is near only with its numbers swapped`;
    return { code: 'axis-order-suspect', severity: 'warning', field: `[${i}].geometry`, message };
  });
  return { value: value as Validated<Input, Geozone, GeozoneInput>[], issues };
}

function firstOf(geometry: readonly Pair[], axisOrder: 'lonlat' | 'latlon' | undefined): Position {
  return readPosition(geometry[0], 'geometry[0]', axisOrder);
}

function pairText([x, y]: Pair): string {
  return `[${x}, ${y}]`;
}

const groupFields = { name: Name, geozones: list(Reference) };

/** A stored group. */
export const GeozoneGroupSchema: WireSchema<GeozoneGroup> = wireSchema<GeozoneGroup>()(
  object({ id: Id, ...groupFields }),
);

/** A group as `validateGeozoneGroup` accepts it. */
export const GeozoneGroupInputSchema: WireSchema<GeozoneGroupInput> = wireSchema<GeozoneGroupInput>()(
  object({ id: optional(Id), ...groupFields }),
);

/** Keeps the first of equal zones: a group is a set. */
const listOnce: ObjectCheck<ValidationContext> = (copy) => {
  const { geozones } = copy;
  if (!isArray(geozones)) return;
  const seen = new Set<unknown>();
  copy['geozones'] = geozones.filter((zone: unknown) => {
    const { id } = Object(zone) as { readonly id?: unknown };
    return !seen.has(id) && seen.add(id);
  });
};

const readGroup = validatorOf('geozone group', GeozoneGroupInputSchema, { checks: { '': listOnce } });

/**
 * Returns the group as a typed copy. Throws `validation` with every field error. Rules and reasons: as `validateGeozone`. A group may be empty.
 * A zone listed twice is kept once.
 *
 * @example
 * import { validateGeozoneGroup } from 'wayzone/schemas';
 * validateGeozoneGroup({ name: 'North', geozones: [] }); // { name: 'North', geozones: [] }
 */
export function validateGeozoneGroup<Input>(
  input: Input,
  options: ValidateOptions = {},
): Validated<Input, GeozoneGroup, GeozoneGroupInput> {
  return readGroup(input, options) as Validated<Input, GeozoneGroup, GeozoneGroupInput>;
}

const Pixels = integer({ minimum: 0 });

const PhotoSchema: WireSchema<Photo> = wireSchema<Photo>()(
  object({ url: Name, width: Pixels, height: Pixels, param_type: string() }),
);

/** A company's own geozone type, with its picture. */
export const CustomGeozoneTypeSchema: WireSchema<CustomGeozoneType> = wireSchema<CustomGeozoneType>()(
  object({
    company_id: Id,
    name: Name,
    photo: object({ original: PhotoSchema, small: PhotoSchema }),
  }),
);

const readType = validatorOf('custom geozone type', CustomGeozoneTypeSchema);

/**
 * Returns the custom geozone type as a typed copy. Throws `validation` with every field error. Rules and reasons: as `validateGeozone`.
 *
 * A `url` is any non-empty text. The library does not fetch it. Sizes are whole pixels. `param_type` is the kind of the picture's owner, any
 * text (the platform uses `users` and `geozones`).
 *
 * @example
 * import { validateCustomGeozoneType } from 'wayzone/schemas';
 * const photo = { url: 'https://example.org/a.png', width: 64, height: 64, param_type: 'geozones' };
 * const company_id = '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f';
 * validateCustomGeozoneType({ company_id, name: 'Yard', photo: { original: photo, small: photo } }).name; // 'Yard'
 */
export function validateCustomGeozoneType(input: unknown, options: ValidateOptions = {}): CustomGeozoneType {
  return readType(input, options);
}
