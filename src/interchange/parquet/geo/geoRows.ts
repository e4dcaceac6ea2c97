/** Reads the geometries of a Parquet file row by row, each in its coordinate system. */

import { isArray, WayzoneError } from '../../../core/errors.js';
import type { Bbox, Position } from '../../../core/geometry.js';
import type { ForeignBuilder } from '../../common/foreignBuilder.js';
import { isRecord } from '../../common/foreignFields.js';
import type { Crs } from '../../crs/crs.js';
import { isWgs84Name } from '../../crs/crs.js';
import { loadCrs } from '../../crs/loadCrs.js';
import type { ParquetFile, ParquetValues } from '../parquetFile.js';
import { areaOfUse, crsOf, type GeoColumn, nativeGeometry, projJsonName } from './geoColumn.js';
import { type PlainGeometry, readWkb } from './readWkb.js';

/** The geometry of one row, or the reason why it is not read. */
export type RowGeometry =
  | { readonly geometry: PlainGeometry | null; readonly crs: Crs | null }
  | { readonly error: WayzoneError };

export class GeoRows {
  readonly column: GeoColumn;
  readonly #builder: ForeignBuilder;
  /** Coordinate system of the column; null for WGS84. */
  readonly #crs: Crs | null;
  /** Whether the option `crs` was given; it overrides the systems stated by rows and file. */
  readonly #isChosen: boolean;
  readonly #bySrid = new Map<number, Crs | null | WayzoneError>();
  #measures = 0;
  /** Area of use of the column's system, degrees; null if the file states none, or if the option `crs` was given. */
  readonly #area: Bbox | null;
  /** By box, number of geometries that begin outside it, and of all. */
  readonly #places = new Map<string, { outside: number; all: number }>();

  private constructor(column: GeoColumn, builder: ForeignBuilder, crs: Crs | null, isChosen: boolean) {
    this.column = column;
    this.#builder = builder;
    this.#crs = crs;
    this.#isChosen = isChosen;
    this.#area = isChosen ? null : areaOfUse(column.crs);
  }

  /** `isChosen`: the option `crs` was given. Throws `crs-unsupported`. */
  static async open(column: GeoColumn, builder: ForeignBuilder, isChosen: boolean): Promise<GeoRows> {
    const { issues } = builder;
    if (column.isSpherical) {
      const message =
        'expected edges straight in longitude and latitude, received geodesics; they are read straight';
      issues.warning('edges-straight', column.name, message);
    }
    if (!isChosen) return new GeoRows(column, builder, await crsOf(column.crs), false);
    const stated = nameOf(column.crs);
    const chosen = builder.crs?.name ?? 'EPSG:4326';
    if (stated !== null && stated !== chosen && !(isWgs84Name(stated) && isWgs84Name(chosen))) {
      issues.warning('crs-overridden', 'crs', `expected ${chosen} by the option, received ${stated}`);
    }
    return new GeoRows(column, builder, builder.crs, true);
  }

  /** The geometries of a row group, in order. */
  async read(file: ParquetFile, group: number): Promise<RowGeometry[]> {
    const { name, encoding } = this.column;
    const isWkb = encoding === 'wkb';
    const values = (await file.read(group, [name], isWkb ? [name] : [])).get(name)!;
    const rows: RowGeometry[] = [];
    for (let i = 0; i < values.length; i++) rows.push(await this.#row(values, i, isWkb));
    return rows;
  }

  finish(): void {
    const { issues } = this.#builder;
    if (this.#measures > 0) {
      const message = `${this.#measures} geometries had a measure (M); zones have none`;
      issues.warning('measure-dropped', '', message);
    }
    for (const [where, { outside, all }] of this.#places) {
      if (outside === 0) continue;
      const message = `expected positions in ${where}, received ${outside} of ${all} geometries outside: the system or the order of its axes may be another`;
      issues.warning('crs-area', this.column.name, message);
    }
  }

  /** Counts whether a geometry begins inside the boxes stated by the file. */
  #watch(geometry: PlainGeometry | null, crs: Crs | null): void {
    const first = geometry === null ? null : firstPosition(geometry);
    if (first === null) return;
    const { box } = this.column;
    if (box !== null) this.#count('the bbox of the column', isInside(box, ...first, 1e-6));
    if (this.#area === null || crs !== this.#crs) return;
    const [lon, lat] = crs === null ? first : crs.toWgs84(...first);
    this.#count(`the area of use of ${crs?.name ?? 'WGS84'}`, isInside(this.#area, lon, lat, AREA_MARGIN));
  }

  #count(where: string, isInside: boolean): void {
    const counted = this.#places.get(where) ?? { outside: 0, all: 0 };
    counted.all++;
    if (!isInside) counted.outside++;
    this.#places.set(where, counted);
  }

  async #row(values: ParquetValues, i: number, isWkb: boolean): Promise<RowGeometry> {
    const value = values[i];
    try {
      if (value === null || value === undefined) return { geometry: null, crs: this.#crs };
      if (!isWkb) {
        const geometry = nativeGeometry(value, this.column.encoding);
        this.#watch(geometry, this.#crs);
        return { geometry, crs: this.#crs };
      }
      if (!(value instanceof Uint8Array)) {
        throw new WayzoneError(
          'wkb-invalid',
          '',
          'expected well-known binary, received another value; not read',
        );
      }
      const { geometry, srid, hasMeasure } = readWkb(value);
      if (hasMeasure) this.#measures++;
      const crs = srid === null || srid === 0 || this.#isChosen ? this.#crs : await this.#systemOf(srid);
      if (crs instanceof WayzoneError) return { error: crs };
      this.#watch(geometry, crs);
      return { geometry, crs };
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      return { error };
    }
  }

  async #systemOf(srid: number): Promise<Crs | null | WayzoneError> {
    const known = this.#bySrid.get(srid);
    if (known !== undefined) return known;
    const system = await this.#load(`EPSG:${srid}`);
    // Only the first SRIDs are cached, in case a file has another one in each row.
    if (this.#bySrid.size < 1000) this.#bySrid.set(srid, system);
    return system;
  }

  async #load(name: string): Promise<Crs | null | WayzoneError> {
    const own = isWgs84Name(name)
      ? null
      : await loadCrs(name).catch((error: unknown) => error as WayzoneError);
    if (own instanceof WayzoneError || this.column.crs === undefined) return own;
    if (own === null ? this.#crs === null : own.name === this.#crs?.name) return own;
    const message = `expected ${this.#crs?.name ?? 'WGS84'} as the file states, received SRID ${name}; not read`;
    return new WayzoneError('crs-unsupported', '', message);
  }
}

/** Margin of an area of use, degrees, because its borders are rounded. */
const AREA_MARGIN = 1;

function isInside([west, south, east, north]: Bbox, x: number, y: number, margin: number): boolean {
  const lies =
    west <= east ? x >= west - margin && x <= east + margin : x >= west - margin || x <= east + margin;
  return lies && y >= south - margin && y <= north + margin;
}

/** First pair of numbers of a geometry; null for an empty one. */
function firstPosition(geometry: PlainGeometry): Position | null {
  if ('geometries' in geometry) {
    const [first] = geometry.geometries;
    return first === undefined ? null : firstPosition(first);
  }
  let value: readonly unknown[] = geometry.coordinates;
  while (isArray(value[0])) value = value[0];
  const [x, y] = value;
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : null;
}

function nameOf(stated: unknown): string | null {
  if (typeof stated === 'string') return stated;
  return isRecord(stated) ? projJsonName(stated) : null;
}
