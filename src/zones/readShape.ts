/** Checks a caller's `ZoneShape` and copies it to a normal shape, or reports its errors. */

import { inputError } from '../core/errors.js';
import { geoJsonHint, guarded, readNumber } from '../core/input.js';
import { readOption } from '../core/options.js';
import { shapeFields, type ZoneOptions, type ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { isZoneTypeKey, ZONE_TYPE_KEYS } from '../core/zoneTypes.js';
import { type ErrorSink, reportError } from './errorList.js';
import { MAX_RADIUS_METERS, type NormalShape, readKind, type ShapeRules } from './kinds/index.js';

/**
 * Checks and copies a shape. `field` is the path put before every field of an error (`zones[3].`).
 *
 * Errors: `zone-type`, `geometry-count`, `line-too-short`, `ring-too-short`, `ring-zero-area`, `edge-ambiguous`, `radius-range`,
 * `width-range`, `width-missing`, `limit-vertices`, `limit-rings`, `option-value` and those of a position (`lat-range`, …).
 */
export function readShape(shape: ZoneShape, options: ZoneOptions = {}, field: string = ''): NormalShape {
  return readShapeInto(shape, readZoneOptions(options), field, null)!;
}

/** `readShape` with its errors in `sink`. Returns null for a shape with an error. */
export function readShapeInto(
  shape: ZoneShape,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): NormalShape | null {
  const { given, key, hint, name } = guarded(`${field}type`, () => {
    if (typeof shape !== 'object' || shape === null) {
      throw inputError('zone-type', `${field}type`, 'a zone shape', shape);
    }
    const given = shapeFields(shape);
    const type: unknown = given.type;
    const name = typeof type === 'string' && isZoneTypeKey(type) ? type : null;
    return { given, key: given.type?.key, hint: geoJsonHint(type), name };
  });
  if (isZoneTypeKey(key)) return readKind(key, given, rules, field, sink);
  if (name !== null) return reportError(sink, 'zone-type', `${field}type`, `{key: '${name}'}`, name);
  const what = `one of ${ZONE_TYPE_KEYS.join(', ')}${hint}`;
  return reportError(sink, 'zone-type', `${field}type.key`, what, key);
}

/** Reads the options of a shape; other options are ignored. Errors: `option-value`, `width-range`. */
export function readZoneOptions(options: ZoneOptions): ShapeRules {
  const axisOrder = readOption(ZONE_OPTIONS.axisOrder, options.axisOrder, 'options.axisOrder');
  const lineWidth = readOption(ZONE_OPTIONS.lineWidth, options.lineWidth, 'options.lineWidth');
  const width = options.defaultWidthMeters;
  return {
    axisOrder,
    lonIndex: axisOrder === 'latlon' ? 1 : 0,
    lineSides: lineWidth === 'each-side' ? 2 : 1,
    defaultWidth:
      width === undefined
        ? null
        : readNumber(width, 'options.defaultWidthMeters', 'width-range', 0, MAX_RADIUS_METERS),
  };
}

/** Least radius of a circle, metres. Degrees have a resolution of some nanometres, in which a smaller outline has no area. */
export const LEAST_CIRCLE_METERS = 1e-3;

/** Reports a circle of almost no radius (`radius-range`) and a line of one position (`line-too-short`). */
export function refuseWithoutExtent(shape: NormalShape, field: string, sink: ErrorSink): void {
  if (shape.key === 'circle' && shape.radius < LEAST_CIRCLE_METERS) {
    const what = `a radius of at least ${LEAST_CIRCLE_METERS} m for a circle`;
    reportError(sink, 'radius-range', `${field}width`, what, shape.radius);
  }
  if (shape.key === 'line' && shape.coords.length === 2) {
    const what = 'at least 2 different positions for a line';
    reportError(sink, 'line-too-short', `${field}geometry`, what, 'one position');
  }
}
