/** Validates a list of geozones: each by itself, and all of them together. */

import type { Issue } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { guarded, readPosition } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import type { Geozone, GeozoneInput, Pair } from '../core/wire.js';
import { seemsSwapped, swappedAmong } from '../zones/seemsSwapped.js';
import { list } from './parts.js';
import { hooksAt } from './reader.js';
import { GEOZONE_HOOKS, GeozoneInputSchema } from './validateGeozone.js';
import { VALIDATE_OPTIONS, type Validated, type ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

export interface ValidateGeozonesOptions extends ValidateOptions {
  /**
   * `[lon, lat]` of a place near all zones, such as the company's town. A zone gets a warning if it is near this place only with its
   * numbers swapped.
   */
  readonly near?: Position | undefined;
}

const OPTIONS: OptionTable<ValidateGeozonesOptions, 'defaultWidthMeters'> = {
  ...VALIDATE_OPTIONS,
  near: OWN,
};

/** Valid zones, and warnings about the set. */
export interface ValidatedGeozones<Zone> {
  /** Typed copies, in the order of the list. */
  readonly value: Zone[];
  /** Warnings `axis-order-suspect`, at the geometry of the zones. */
  readonly issues: readonly Issue[];
}

const read = validatorOf('list of geozones', list(GeozoneInputSchema), hooksAt('[]', GEOZONE_HOOKS));

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
  const value = read(zones, rest) as GeozoneInput[];
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
