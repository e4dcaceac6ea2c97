/** Collects what a reader finds: zones with unique ids, groups, routes and tracks. */

import { isArray } from '../core/errors.js';
import type { Fix, ForeignData, RawTrack } from '../core/fix.js';
import { readChoice } from '../core/gate.js';
import type { Position } from '../core/geometry.js';
import type {
  DictionaryEntry,
  Geozone,
  GeozoneGroup,
  Pair,
  Route,
  RoutePoint,
  ZoneTypeKey,
} from '../core/wire.js';
import { type Crs, placeOf, readyCrs } from './crs.js';
import { IssueList } from './issueList.js';
import { LimitCounter, type ReadLimits } from './limits.js';
import { type LonLatShape, type PositionProblem, toWirePairs } from './readShape.js';

/** Options of every reader that gives zones. */
export interface ReadOptions {
  /** Order of the pairs in the wire objects that come out. Files themselves are always lon, lat. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon';
  /** Before the running number of a zone (route) that the file gives no id. Default `zone-` (`route-`). */
  readonly idPrefix?: string;
  /**
   * The system of the file's coordinates where it is not WGS84: one from `loadCrs`; functions that wait (`read…`) also take its name
   * or definition. All that comes out is WGS84.
   */
  readonly crs?: string | Crs;
  /** What is refused for its size. */
  readonly limits?: ReadLimits;
  /**
   * Takes each fix as it is read, in the order of the file; `value` then holds no tracks. With `onZone` a reader of chunks keeps nothing, and
   * its memory does not grow with the file.
   */
  readonly onFix?: (unitId: string, fix: Fix) => void;
  /**
   * Takes each zone likewise. An id that the file has twice comes twice, without an issue; zones of KML come without the colours of shared styles,
   * and a route that `toKml` wrote as a group of its points.
   */
  readonly onZone?: (zone: ForeignZone) => void;
}

/** A zone from foreign data: what the file says beyond the wire's fields is under `properties`. */
export interface ForeignZone extends Geozone {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route point from foreign data, likewise. */
export interface ForeignRoutePoint extends RoutePoint {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route from foreign data, likewise. */
export interface ForeignRoute extends Route {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A track from foreign data, likewise. */
export interface ForeignTrack extends RawTrack {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What a reader knows of a zone beside its shape. Absent fields do not appear on the zone. */
export interface ZoneFields {
  readonly width?: number;
  readonly color?: DictionaryEntry;
  readonly icon?: DictionaryEntry;
  readonly is_show_on_map?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export class ForeignBuilder {
  readonly zones: ForeignZone[] = [];
  readonly groups: GeozoneGroup[] = [];
  readonly routes: ForeignRoute[] = [];
  readonly tracks: ForeignTrack[] = [];
  readonly issues: IssueList;
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly limits: LimitCounter;
  /** The system of the coordinates; null for WGS84. */
  crs: Crs | null;
  readonly #zoneIds = new Set<string>();
  readonly #groupIds = new Set<string>();
  readonly #routeIds = new Set<string>();
  readonly #onFix: ReadOptions['onFix'];
  readonly #onZone: ReadOptions['onZone'];
  /** The next number to try for an id that was taken: a file of one id takes linear time. */
  readonly #repeats = new Map<string, number>();

  constructor(options: ReadOptions) {
    this.axisOrder = readChoice(options.axisOrder, 'axisOrder', ['lonlat', 'latlon'], 'lonlat');
    this.limits = new LimitCounter(options.limits);
    this.issues = new IssueList(this.limits.maxIssues);
    this.crs = readyCrs(options.crs);
    this.#onFix = options.onFix;
    this.#onZone = options.onZone;
  }

  /** Whether what was read can still be changed, since no caller has taken it. */
  get keepsZones(): boolean {
    return this.#onZone === undefined;
  }

  /** The pair of a file's numbers as a position in WGS84, or what is wrong with it. */
  place(x: number, y: number): Position | PositionProblem {
    return placeOf(x, y, this.crs);
  }

  /** Adds the zone and returns its id: the given one, or with `~2`, `~3`… and a `duplicate-id` warning when it is taken. */
  addZone(id: string, zone: Omit<ForeignZone, 'id'>, field: string, line?: number): string {
    this.limits.countFeature();
    this.limits.countVertices(verticesOf(zone));
    if (this.#onZone !== undefined) {
      this.#onZone({ ...zone, id });
      return id;
    }
    const own = this.#claim(this.#zoneIds, id, field, line);
    this.zones.push({ ...zone, id: own });
    return own;
  }

  addGroup(id: string, group: Omit<GeozoneGroup, 'id'>, field: string, line?: number): void {
    this.groups.push({ ...group, id: this.#claim(this.#groupIds, id, field, line) });
  }

  addRoute(id: string, route: Omit<ForeignRoute, 'id'>, field: string, line?: number): void {
    this.limits.countFeature();
    this.routes.push({ ...route, id: this.#claim(this.#routeIds, id, field, line) });
  }

  /** Whether the caller takes the fix, so that it is not kept. */
  takesFix(unitId: string, fix: Fix): boolean {
    this.#onFix?.(unitId, fix);
    return this.#onFix !== undefined;
  }

  /** Its fixes are counted where they are read. */
  addTrack(track: ForeignTrack): void {
    this.limits.countFeature();
    if (this.#onFix === undefined) this.tracks.push(track);
    else for (const fix of track.fixes) this.#onFix(track.unitId, fix);
  }

  #claim(taken: Set<string>, id: string, field: string, line: number | undefined): string {
    let own = id;
    for (let n = this.#repeats.get(id) ?? 2; taken.has(own); n++) {
      own = `${id}~${n}`;
      this.#repeats.set(id, n + 1);
    }
    taken.add(own);
    if (own !== id) {
      const message = `expected an id that no other row has, received ${JSON.stringify(id)} again; it is now ${JSON.stringify(own)}`;
      this.issues.warning('duplicate-id', field, message, line);
    }
    return own;
  }

  /**
   * Adds the shapes of one feature: one zone, or several in a group of the feature's id and name.
   *
   * Returns the ids of the zones.
   */
  addShapes(
    id: string,
    name: string,
    shapes: readonly LonLatShape[],
    fields: (shape: LonLatShape) => ZoneFields,
    field: string,
    line?: number,
  ): string[] {
    const zoneOf = (shape: LonLatShape): Omit<ForeignZone, 'id'> => ({
      name,
      ...wireShape(shape.key, shape, this.axisOrder),
      ...fields(shape),
    });
    const [only] = shapes;
    if (shapes.length === 1 && only !== undefined) return [this.addZone(id, zoneOf(only), field, line)];
    const ids = shapes.map((shape, i) => this.addZone(`${id}~${i + 1}`, zoneOf(shape), field, line));
    if (ids.length > 0) {
      this.addGroup(id, { name, geozones: ids.map((zoneId) => ({ id: zoneId })) }, field, line);
    }
    return ids;
  }

  /** Forgets all that was read; the issues stay. */
  clear(): void {
    for (const list of [this.zones, this.groups, this.routes, this.tracks]) list.length = 0;
  }

  toForeignData(): ForeignData {
    const { zones, groups, routes, tracks } = this;
    return { value: { zones, groups, routes, tracks }, issues: this.issues.toArray() };
  }
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
  const geometry = toWirePairs(shape.geometry, axisOrder);
  return shape.parts === null ? { type: { key }, geometry } : { type: { key }, geometry, parts: shape.parts };
}
