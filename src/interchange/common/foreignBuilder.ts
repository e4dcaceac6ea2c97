/** Collects the content that a reader finds: zones with unique ids, groups, routes and tracks. */

import { isArray } from '../../core/errors.js';
import type { Fix, FixBatch, ForeignData, ForeignDocument } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { type PositionProblem, readPosition } from '../../core/input.js';
import { readOption } from '../../core/options.js';
import {
  type DictionaryEntry,
  FlatPairs,
  type Geozone,
  type GeozoneGroup,
  type Pair,
} from '../../core/wire.js';
import type { ZoneTypeKey } from '../../core/zoneTypes.js';
import { seemsSwapped, swappedAmong } from '../../zones/seemsSwapped.js';
import { type Crs, readyCrs, wgs84PlaceOf } from '../crs/crs.js';
import { FixBatches, fixOfBatch } from './fixBatches.js';
import { IssueList } from './issueList.js';
import { type LonLatShape, shapeError, toWirePairs } from './lonLatShape.js';
import {
  type ForeignRoute,
  type ForeignTrack,
  type ForeignZone,
  LimitCounter,
  READ_OPTIONS,
  type ReadOptions,
} from './readOptions.js';
import { EncodedTwice, Sentinels } from './sentinels.js';
import { suspectUnits } from './suspectUnits.js';

/** Fields of a zone besides its shape. Absent fields do not appear on the zone. */
export interface ForeignZoneFields {
  readonly width?: number;
  readonly color?: DictionaryEntry;
  readonly icon?: DictionaryEntry;
  readonly is_show_on_map?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Span of longitude, degrees, above which an edge crosses ±180 near both of its ends, as in a file that does not cut lines there. */
const MOST_SHORT_DEGREES = 350;

/** Degrees of longitude of the first edge of over 180° whose short way is long too; null for none. */
function longEdge(ring: LonLatShape['geometry']): number | null {
  const isFlat = ring instanceof FlatPairs;
  const lonAt = (i: number): number => (isFlat ? ring.lonLat[ring.from + 2 * i]! : ring[i]![0]);
  for (let i = 1; i < ring.length; i++) {
    const span = Math.abs(lonAt(i) - lonAt(i - 1));
    if (span > 180 && span < MOST_SHORT_DEGREES) return span;
  }
  return null;
}

export class ForeignBuilder {
  readonly zones: ForeignZone[] = [];
  readonly groups: GeozoneGroup[] = [];
  readonly routes: ForeignRoute[] = [];
  readonly tracks: ForeignTrack[] = [];
  /** Name and properties of the file as a whole; null if it has none. */
  document: ForeignDocument | null = null;
  readonly issues: IssueList;
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly limits: LimitCounter;
  #crs: Crs | null = null;
  /** Name of the coordinate system whose warning was reported last. */
  #warnedOf: string | null = null;
  readonly #zoneIds = new Set<string>();
  readonly #groupIds = new Set<string>();
  readonly #routeIds = new Set<string>();
  /** Fixes not yet passed to the caller or to the tracks. */
  readonly batches: FixBatches;
  readonly #sentinels = new Sentinels();
  readonly #encodedTwice = new EncodedTwice();
  readonly #onFix: ReadOptions['onFix'];
  readonly #onFixes: ReadOptions['onFixes'];
  /** Fixes of each unit of `batches`, unless the caller takes them. */
  readonly #fixes: Fix[][] = [];
  /** The first fix of each unit of `batches`. */
  readonly #firsts: {
    readonly unit: string;
    readonly time: number;
    readonly lon: number;
    readonly lat: number;
  }[] = [];
  /** Whether units of a table may be far from each other (an option of the caller). */
  acceptsFarUnits = false;
  readonly #onZone: ReadOptions['onZone'];
  readonly #near: Position | null;
  /** Without `near`: lon and lat of each kept zone, followed by its field and line. */
  readonly #places: number[] = [];
  readonly #fields: ZoneField[] = [];
  readonly #lines: (number | undefined)[] = [];
  /** Next suffix to try, by repeated id, so that a file with one id for all takes linear time. */
  readonly #repeats = new Map<string, number>();

  constructor(options: ReadOptions) {
    this.axisOrder = readOption(READ_OPTIONS.axisOrder, options.axisOrder, 'axisOrder');
    this.limits = new LimitCounter(options.limits);
    this.issues = new IssueList(this.limits.maxIssues);
    this.crs = readyCrs(options.crs);
    this.#onFix = options.onFix;
    this.#onFixes = options.onFixes;
    this.batches = new FixBatches((batch) => this.#deliver(batch));
    this.#onZone = options.onZone;
    this.#near = options.near === undefined ? null : readPosition(options.near, 'near');
  }

  /** The coordinate system; null for WGS84. The `warning` of a system is reported once. */
  get crs(): Crs | null {
    return this.#crs;
  }

  set crs(crs: Crs | null) {
    const { warning } = crs ?? {};
    if (warning !== undefined && crs?.name !== this.#warnedOf) {
      this.#warnedOf = crs?.name ?? null;
      this.issues.warning('crs-datum', 'crs', warning);
    }
    this.#crs = crs;
  }

  /** Whether zones are collected and can still be changed. With `onZone` each zone goes to the caller at once. */
  get keepsZones(): boolean {
    return this.#onZone === undefined;
  }

  /** The WGS84 position of a pair of numbers in the file, or its error. */
  place(x: number, y: number): Position | PositionProblem {
    return wgs84PlaceOf(x, y, this.crs);
  }

  /** Adds the zone and returns its id. A repeated id gets the suffix `~2`, `~3`… and a `duplicate-id` warning. */
  addZone(id: string, zone: Omit<ForeignZone, 'id'>, field: ZoneField, line?: number): string {
    this.limits.countFeature();
    this.limits.countVertices(verticesOf(zone));
    const given: unknown = zone.geometry;
    if (given instanceof FlatPairs) {
      const { lonLat, from } = given;
      this.#watchPlace(lonLat[from]!, lonLat[from + 1]!, field, line);
    } else this.#watchAxes(zone.geometry[0], field, line);
    this.#watchText(zone);
    if (this.#onZone !== undefined) {
      this.#onZone({ ...zone, id });
      return id;
    }
    const own = this.#claim(this.#zoneIds, id, field, line);
    this.zones.push({ ...zone, id: own });
    return own;
  }

  #watchText({ name, properties }: { readonly name?: unknown; readonly properties?: unknown }): void {
    if (typeof name === 'string') this.#encodedTwice.add(name);
    if (typeof properties !== 'object' || properties === null) return;
    for (const value of Object.values(properties))
      if (typeof value === 'string') this.#encodedTwice.add(value);
  }

  /** Checks a zone's position for `axis-order-suspect`, or keeps it for a check over all zones. */
  #watchAxes(pair: Pair | undefined, field: ZoneField, line: number | undefined): void {
    if (pair === undefined) return;
    if (this.axisOrder === 'latlon') this.#watchPlace(pair[1], pair[0], field, line);
    else this.#watchPlace(pair[0], pair[1], field, line);
  }

  /** Whether an index can take the shape. A shape that it cannot take is reported, and must be left out. Warns of long edges. */
  accepts(shape: LonLatShape, width: unknown, field: ZoneField, line?: number): boolean {
    const error = shapeError(shape, width);
    if (error === null) this.#watchEdges(shape, field, line);
    else this.issues.error(error.code, fieldPath(field), `${error.message}; left out`, line);
    return error === null;
  }

  /** Warns of edges that are read over ±180 although their ends are far from it, as in a box round the world. */
  #watchEdges({ geometry, parts, isJoined }: LonLatShape, field: ZoneField, line?: number): void {
    if (isJoined === true) return;
    for (const ring of parts?.flat() ?? [geometry]) {
      const span = longEdge(ring);
      if (span === null) continue;
      const message = `expected edges of at most 180° of longitude, received one of ${span}°; read the short way, over ±180`;
      this.issues.warning('edge-short-way', fieldPath(field), message, line);
      return;
    }
  }

  #watchPlace(lon: number, lat: number, field: ZoneField, line: number | undefined): void {
    if (this.#near === null) {
      if (!this.keepsZones) return;
      this.#places.push(lon, lat);
      this.#fields.push(field);
      this.#lines.push(line);
    } else if (seemsSwapped([lon, lat], this.#near))
      this.#warnOfAxes([lon, lat], 'the position `near`', field, line);
  }

  #warnOfAxes([lon, lat]: Position, by: string, field: ZoneField, line: number | undefined): void {
    const message = `expected a zone near ${by}, received longitude ${lon}, latitude ${lat}, which is near only with its numbers swapped`;
    this.issues.warning('axis-order-suspect', fieldPath(field), message, line);
  }

  addGroup(id: string, group: Omit<GeozoneGroup, 'id'>, field: ZoneField, line?: number): void {
    this.groups.push({ ...group, id: this.#claim(this.#groupIds, id, field, line) });
  }

  addRoute(id: string, route: Omit<ForeignRoute, 'id'>, field: string, line?: number): void {
    this.limits.countFeature();
    this.routes.push({ ...route, id: this.#claim(this.#routeIds, id, field, line) });
  }

  /** Adds the next fix of a table with rows of many units. Each unit becomes one track; a new unit counts as a feature. */
  addFix(unitId: string, fix: Fix): void {
    const { units } = this.batches;
    let number = units.numberOf(unitId);
    if (number === undefined) {
      if (this.#keepsFixes) this.limits.countFeature();
      number = units.add(unitId);
    }
    this.batches.add(number, fix);
  }

  /** Passes the fix to the caller. Returns false if the caller takes no fixes; the reader then keeps it. */
  takesFix(unitId: string, fix: Fix): boolean {
    if (this.#onFixes !== undefined) this.addFix(unitId, fix);
    else this.#onFix?.(unitId, this.#sentinels.cleanFix(fix));
    return !this.#keepsFixes;
  }

  /** Adds a track whose fixes the reader has counted. */
  addTrack(track: ForeignTrack): void {
    this.limits.countFeature();
    if (this.#keepsFixes) this.tracks.push({ ...track, fixes: this.#sentinels.cleanTrack(track.fixes) });
    else for (const fix of track.fixes) this.takesFix(track.unitId, fix);
  }

  /** Whether fixes are kept, because the caller does not take them. */
  get #keepsFixes(): boolean {
    return this.#onFix === undefined && this.#onFixes === undefined;
  }

  #deliver(batch: FixBatch): void {
    this.#sentinels.clean(batch);
    if (batch.unitIds.length > this.#firsts.length) this.#noteFirsts(batch);
    if (this.#onFixes !== undefined) {
      this.#onFixes(batch);
      return;
    }
    const { length, unit, unitIds } = batch;
    for (let i = 0; i < length; i++) {
      const number = unit[i]!;
      const fix = fixOfBatch(batch, i);
      if (this.#onFix !== undefined) this.#onFix(unitIds[number]!, fix);
      else if (this.#fixes[number] === undefined) this.#fixes[number] = [fix];
      else this.#fixes[number].push(fix);
    }
  }

  #noteFirsts({ length, unit, unitIds, time, lon, lat }: FixBatch): void {
    for (let i = 0; i < length && this.#firsts.length < unitIds.length; i++) {
      const number = unit[i]!;
      // A unit gets its number with its first fix, so that first fixes come in order of the numbers.
      if (number === this.#firsts.length) {
        this.#firsts.push({ unit: unitIds[number]!, time: time[i]!, lon: lon[i]!, lat: lat[i]! });
      }
    }
  }

  /** Reports units of a table whose positions seem exchanged. Their fixes are left out of `tracks`. */
  #dropExchanged(): void {
    const suspects = this.acceptsFarUnits ? [] : suspectUnits(this.#firsts);
    if (suspects.length === 0) return;
    const names = suspects.slice(0, 20).map((id) => JSON.stringify(id));
    const message = `${names.join(', ')} far from all other units, and near them with latitude and longitude exchanged; not read; say it: --swapped-units ${suspects.slice(0, 20).join(' ')}`;
    this.issues.error('axis-order-suspect', 'unit', message);
    const left = this.tracks.filter(({ unitId }) => !suspects.includes(unitId));
    this.tracks.splice(0, this.tracks.length, ...left);
  }

  #claim(taken: Set<string>, id: string, field: ZoneField, line: number | undefined): string {
    let own = id;
    if (taken.has(id)) {
      for (let n = this.#repeats.get(id) ?? 2; taken.has(own); n++) {
        own = `${id}~${n}`;
        this.#repeats.set(id, n + 1);
      }
      const message = `expected a unique id, received ${JSON.stringify(id)} again; renamed to ${JSON.stringify(own)}`;
      this.issues.warning('duplicate-id', fieldPath(field), message, line);
    }
    taken.add(own);
    return own;
  }

  /** Adds one feature: one zone for each shape. Several zones form a group with the feature's id and name. Returns the zones' ids. */
  addShapes(
    id: string,
    name: string,
    given: readonly LonLatShape[],
    fields: (shape: LonLatShape) => ForeignZoneFields,
    field: ZoneField,
    line?: number,
  ): string[] {
    const zones = given.flatMap((shape) => {
      const zone = { name, ...wireShape(shape.key, shape, this.axisOrder), ...fields(shape) };
      return this.accepts(shape, zone.width, field, line) ? [zone] : [];
    });
    const [only] = zones;
    if (given.length === 1 && only !== undefined) return [this.addZone(id, only, field, line)];
    const ids = zones.map((zone, i) => this.addZone(`${id}~${i + 1}`, zone, field, line));
    if (ids.length > 0) {
      this.addGroup(id, { name, geozones: ids.map((zoneId) => ({ id: zoneId })) }, field, line);
    }
    return ids;
  }

  /** Removes everything that was added. The issues stay. */
  clear(): void {
    const lists = [
      this.zones,
      this.groups,
      this.routes,
      this.tracks,
      this.#places,
      this.#fields,
      this.#lines,
    ];
    for (const list of lists) list.length = 0;
    for (const ids of [this.#zoneIds, this.#groupIds, this.#routeIds, this.#repeats]) ids.clear();
    this.document = null;
  }

  toForeignData(): ForeignData {
    this.batches.flush();
    for (const [number, fixes] of this.#fixes.entries()) {
      const unitId = this.batches.unitIds[number]!;
      this.tracks.push({ name: unitId, unitId, fixes });
    }
    this.#sentinels.report(this.issues);
    if (!this.#keepsFixes) for (const id of this.batches.unitIds) this.#encodedTwice.add(id);
    const named = [this.groups, this.routes, this.routes.flatMap(({ points }) => points), this.tracks];
    for (const one of named.flat()) this.#watchText(one);
    this.#encodedTwice.report(this.issues);
    this.#dropExchanged();
    const places = this.#fields.map((_, i): Position => [this.#places[2 * i]!, this.#places[2 * i + 1]!]);
    for (const i of swappedAmong(places)) {
      this.#warnOfAxes(places[i]!, 'the other zones', this.#fields[i]!, this.#lines[i]);
    }
    const { zones, groups, routes, tracks, document } = this;
    const value = { zones, groups, routes, tracks, ...(document === null ? {} : { document }) };
    return { value, issues: this.issues.toArray() };
  }
}

/** Place of a zone's id in the file: a path, or the index of the feature in the collection. */
export type ZoneField = string | number;

function fieldPath(field: ZoneField): string {
  return typeof field === 'string' ? field : `features[${field}].id`;
}

function verticesOf(zone: Omit<ForeignZone, 'id'>): number {
  let count = zone.geometry.length;
  const { parts } = zone;
  if (!isArray(parts)) return count;
  for (const rings of parts)
    for (const ring of isArray(rings) ? rings : []) count += isArray(ring) ? ring.length : 0;
  return count;
}

/** The wire's `type`, `geometry` and `parts` of a shape. */
export function wireShape(
  key: ZoneTypeKey,
  shape: LonLatShape,
  axisOrder: 'lonlat' | 'latlon',
): Pick<Geozone, 'type' | 'parts'> & { readonly geometry: readonly Pair[] } {
  const geometry =
    shape.geometry instanceof FlatPairs
      ? (shape.geometry as unknown as readonly Pair[])
      : toWirePairs(shape.geometry, axisOrder);
  return shape.parts === null ? { type: { key }, geometry } : { type: { key }, geometry, parts: shape.parts };
}
