/** Pairs of zones that repeat, contain or overlap each other. */

import { inputError, WayzoneError } from '../core/errors.js';
import type { Bbox, MultiPolygon, Polygon, Position } from '../core/geometry.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { evenOddOutline } from '../zones/evenOddOutline.js';
import { measureZone } from '../zones/measureZone.js';
import { readShape } from '../zones/readShape.js';
import type { Ring } from '../zones/ring.js';
import { zoneOutline } from '../zones/zoneOutline.js';

/** The members of an index that an audit uses; a `ZoneIndex` has them. */
export interface AuditedIndex {
  /** All ids, in order of insertion. */
  ids(): string[];
  /** The zone's row. */
  get(id: string): ZoneShape | null;
  /** Ids of the zones that meet a box, in order of insertion. */
  intersecting(bbox: Bbox): string[];
}

/** Options of `auditZones`. Options of shapes must equal the options of the index. */
export interface AuditOptions extends Pick<ZoneOptions, 'axisOrder' | 'lineWidth' | 'defaultWidthMeters'> {
  /** Mean width below which an overlap is a `sliver`, metres. The mean width is twice the area divided by the perimeter. Default 5. */
  readonly sliverMeters?: number | undefined;
}

/** Two zones that share an area. */
export interface AuditFinding {
  /**
   * `duplicate`: both zones cover the same area. `contains`: the first zone contains the second. `sliver`: the zones overlap in a narrow strip,
   * such as a border drawn twice. `overlap`: any other shared area.
   */
  readonly kind: 'duplicate' | 'contains' | 'overlap' | 'sliver';
  /** The two ids, in the index's order; for `contains` the container first. */
  readonly ids: readonly [string, string];
  /** The shared area, m². */
  readonly areaSquareMeters: number;
}

const OPTIONS: OptionTable<AuditOptions, 'defaultWidthMeters'> = {
  sliverMeters: { default: 5 },
  axisOrder: ZONE_OPTIONS.axisOrder,
  lineWidth: ZONE_OPTIONS.lineWidth,
  defaultWidthMeters: OWN,
};

/** Shared areas below both limits, m² and share of both areas, count as rounding of a common border. */
const NOISE_SQUARE_METERS = 0.01;
const NOISE_SHARE = 1e-11;
/** Largest share of a zone's area outside another zone that still counts as containing it. */
const REST_SHARE = 1e-6;

interface Audited {
  readonly id: string;
  readonly parts: readonly (readonly Ring[])[];
  readonly area: number;
  readonly perimeter: number;
}

/**
 * The pairs of zones of an index that share an area. The pairs are sorted by the first zone, then by the second, in the order of the index.
 *
 * Common borders and points are not shared areas. Circles and lines count by their outline (0.1 % of the radius or half-width). Zones without an
 * area are left out. Areas are exact apart from the rounding of crossing points (a nanometre).
 *
 * Errors: `index-type`, `option-type`, `option-unknown`, `option-value`, and the errors of a shape if the options differ from the index. Cost:
 * O(n log n) for each pair of n vertices whose boxes meet.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { auditZones } from 'wayzone/algebra';
 * const circle = (id, lon, width) => ({ id, type: { key: 'circle' }, geometry: [[lon, 55.7]], width });
 * const index = new ZoneIndex([circle('site', 37.6, 500), circle('gate', 37.601, 20), circle('yard', 37.61, 300)]);
 * auditZones(index).map(({ kind, ids }) => [kind, ids]); // [['contains', ['site', 'gate']], ['overlap', ['site', 'yard']]]
 * ```
 */
export function auditZones(index: AuditedIndex, options?: AuditOptions): AuditFinding[] {
  const { sliverMeters, ...zoneOptions } = readOptions(options, OPTIONS);
  checkAudited(index);
  const ids = index.ids();
  const order = new Map(ids.map((id, i) => [id, i]));
  const known = new Map<string, Audited | null>();
  const zoneOf = (id: string): Audited | null => {
    let zone = known.get(id);
    if (zone === undefined) {
      zone = audited(id, index.get(id), zoneOptions as ZoneOptions);
      known.set(id, zone);
    }
    return zone;
  };
  const findings: AuditFinding[] = [];
  for (const [i, id] of ids.entries()) {
    const zone = zoneOf(id);
    if (zone === null) continue;
    const others = new Set(boxesOf(zone).flatMap((box) => index.intersecting(box)));
    const later = [...others].filter((other) => order.get(other)! > i);
    for (const other of later.sort((a, b) => order.get(a)! - order.get(b)!)) {
      const second = zoneOf(other);
      const finding = second && compare(zone, second, sliverMeters);
      if (finding) findings.push(finding);
    }
    known.set(id, null);
  }
  return findings;
}

function compare(a: Audited, b: Audited, sliverMeters: number): AuditFinding | null {
  const union = measured(evenOddOutline([...a.parts, ...b.parts]));
  const only = measured(evenOddOutline([[...a.parts.flat(), ...b.parts.flat()]]));
  // Both areas come from the same rounded crossings.
  const shared = union.area - only.area;
  if (shared <= NOISE_SQUARE_METERS + NOISE_SHARE * (a.area + b.area)) return null;
  const isWhole = (zone: Audited): boolean =>
    zone.area - shared <= REST_SHARE * zone.area + NOISE_SHARE * (a.area + b.area);
  const [coversA, coversB] = [isWhole(a), isWhole(b)];
  if (coversA && coversB) return { kind: 'duplicate', ids: [a.id, b.id], areaSquareMeters: shared };
  if (coversB) return { kind: 'contains', ids: [a.id, b.id], areaSquareMeters: shared };
  if (coversA) return { kind: 'contains', ids: [b.id, a.id], areaSquareMeters: shared };
  const perimeter = Math.max(0, a.perimeter + b.perimeter - union.perimeter);
  const kind = 2 * shared < sliverMeters * perimeter ? 'sliver' : 'overlap';
  return { kind, ids: [a.id, b.id], areaSquareMeters: shared };
}

function audited(id: string, shape: ZoneShape | null, options: ZoneOptions): Audited | null {
  const outline = shape === null ? null : outlineOrNull(shape, options);
  if (outline === null) return null;
  const polygons = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  if (polygons.length === 0) return null;
  const normal = readShape({ type: { key: 'polygon' }, geometry: [], parts: polygons });
  const parts = normal.key === 'polygon' ? normal.parts : [];
  return { id, parts, ...measured(polygons) };
}

/** The outline of a zone; `null` for one without an area. */
function outlineOrNull(shape: ZoneShape, options: ZoneOptions): Polygon | MultiPolygon | null {
  try {
    return zoneOutline(shape, options);
  } catch (error) {
    if (error instanceof WayzoneError && error.code === 'outline-empty') return null;
    throw error;
  }
}

function measured(polygons: Position[][][]): { area: number; perimeter: number } {
  if (polygons.length === 0) return { area: 0, perimeter: 0 };
  return measureZone({ type: { key: 'polygon' }, geometry: [], parts: polygons });
}

/** The box of each part. */
function boxesOf({ parts }: Audited): Bbox[] {
  const outline = evenOddOutline(parts);
  return outline.map(([shell]): Bbox => {
    const [lons, lats] = [shell!.map(([lon]) => lon), shell!.map(([, lat]) => lat)];
    return [least(lons), least(lats), -least(lons.map((lon) => -lon)), -least(lats.map((lat) => -lat))];
  });
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) + 0;
}

function checkAudited(index: unknown): void {
  const isIndex = guarded('index', () => {
    const given = index as Partial<AuditedIndex> | null | undefined;
    return [given?.ids, given?.get, given?.intersecting].every((method) => typeof method === 'function');
  });
  if (!isIndex) throw inputError('index-type', 'index', 'a ZoneIndex', index);
}
