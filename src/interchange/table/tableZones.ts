/** Reads the rows of a described table as zones: centres with radii, vertices, or well-known text. */

import { describe } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { pushTo } from '../../core/pushTo.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { foreignFields } from '../common/foreignFields.js';
import { closedRing, lineShape, pointShape, polygonShape } from '../common/lonLatShape.js';
import { isProblem, LAT_FIRST } from '../crs/crs.js';
import { ZoneRows } from '../csv/zoneRows.js';
import { cellPlace } from './cellTime.js';
import { pairList } from './positionForm.js';
import type { TableRow } from './splitRows.js';
import type { TableHints } from './tableDescription.js';
import type { ReadyTable } from './tableDraft.js';
import { tableNumber } from './tableNumber.js';
import { factorOf, unitIn } from './unitWords.js';

/** Traccar's own form of a circle: `CIRCLE (lat lon, metres)`. */
const CIRCLE = /^\s*CIRCLE\s*\(\s*([+-]?[\d.]+)\s+([+-]?[\d.]+)\s*,\s*([+-]?[\d.]+)\s*\)\s*$/i;

interface Vertex {
  readonly position: Position;
  readonly order: number;
  readonly row: TableRow;
}

export class TableZones {
  readonly #table: ReadyTable;
  readonly #builder: ForeignBuilder;
  readonly #hints: TableHints;
  readonly #idPrefix: string;
  #number = 0;

  constructor(table: ReadyTable, builder: ForeignBuilder, hints: TableHints, idPrefix: string) {
    this.#table = table;
    this.#builder = builder;
    this.#hints = hints;
    this.#idPrefix = idPrefix;
  }

  read(): void {
    const { at, parts } = this.#table;
    const rows = parts.sections.flatMap((section) => section.rows);
    if (at.vertices !== undefined) for (const row of rows) this.#outline(row, at.vertices);
    else if (at.wkt !== undefined) this.#texts(rows, at.wkt);
    else if (this.#areVertices(rows)) this.#vertices(rows);
    else for (const row of rows) this.#centre(row);
  }

  #texts(rows: readonly TableRow[], column: number): void {
    const { issues } = this.#builder;
    const isTraccar = rows.some(({ cells }) => CIRCLE.test(cells[column] ?? ''));
    const isLatFirst =
      this.#hints.axisOrder === 'latlon' || (isTraccar && this.#hints.axisOrder === undefined);
    if (isTraccar && this.#hints.axisOrder === undefined) {
      issues.warning(
        'table-assumed',
        '',
        'assumed: latitude comes first, as Traccar writes CIRCLE (change it: --axis-order lonlat)',
      );
    }
    const header = this.#table.header.map((name, i) => (i === column ? name : this.#fieldName(name, i)));
    const plain = this.#builder.crs;
    const zones = new ZoneRows(this.#builder, header, column, this.#idPrefix);
    for (const { cells, line } of rows) {
      const circle = CIRCLE.exec(cells[column] ?? '');
      if (circle === null) {
        if (isLatFirst) this.#builder.crs = LAT_FIRST;
        zones.read(cells, line);
        this.#builder.crs = plain;
      } else {
        const [a, b, radius] = circle.slice(1).map(Number) as [number, number, number];
        this.#add(cells, line, isLatFirst ? [b, a] : [a, b], radius);
      }
    }
    zones.finish();
  }

  /** Adds a zone whose positions are in one cell: a ring, or a line of two positions. */
  #outline(row: TableRow, column: number): void {
    const { decimal, vertexOrder } = this.#table;
    const text = row.cells[column] ?? '';
    const pairs = pairList(text, decimal);
    const vertices: Vertex[] = [];
    for (const [a, b] of pairs ?? []) {
      const place = this.#builder.place(
        ...(vertexOrder === 'latlon' ? ([b, a] as const) : ([a, b] as const)),
      );
      if (isProblem(place)) {
        this.#builder.issues.error(
          place.code,
          'vertices',
          `${place.message}; the zone is left out`,
          row.line,
        );
        return;
      }
      vertices.push({ position: place, order: 0, row });
    }
    if (vertices.length > 0) this.#polygon(vertices);
    else {
      const message = `expected positions as 56.3, 44.0; 56.4, 44.1; …, received ${describe(text.slice(0, 100))}; the zone is left out`;
      this.#builder.issues.error('coord-type', 'vertices', message, row.line);
    }
  }

  /** Name of the field of a zone for a column. */
  #fieldName(name: string, index: number): string {
    const { at } = this.#table;
    return index === at.name ? 'name' : index === at.id ? 'id' : name;
  }

  #centre({ cells, line }: TableRow): void {
    const xy = cellPlace(cells, this.#table.at, this.#table.place, this.#table.decimal);
    if (xy === null) {
      this.#builder.issues.error(
        'coord-type',
        'lat',
        `expected a position (${this.#table.place.form}), received ${describe(cells.slice(0, 8).join(', '))}`,
        line,
      );
      return;
    }
    const radius = this.#radius(cells, line);
    if (radius !== undefined) this.#add(cells, line, xy, radius);
  }

  /** Radius, metres; null if there is none; undefined, with an issue, if it is invalid. */
  #radius(cells: readonly string[], line: number): number | null | undefined {
    const { at, decimal, description } = this.#table;
    if (at.radius === undefined) return null;
    const text = (cells[at.radius] ?? '').trim();
    if (text === '') return null;
    const value = tableNumber(text, decimal, true);
    const unitText = at.radiusUnit === undefined ? '' : (cells[at.radiusUnit] ?? '').trim();
    const unit =
      unitText === ''
        ? (description.columns[at.radius]?.unit ?? this.#hints.radiusUnit ?? 'm')
        : (unitIn(unitText, 'length')?.unit ?? null);
    const factor = unit === null ? null : factorOf(unit, 'length');
    if (value !== null && value > 0 && factor !== null) return value * factor;
    const what =
      factor === null
        ? `a unit of the radius, received ${describe(unitText)}`
        : `a radius above 0, received ${describe(text)}`;
    this.#builder.issues.error('number-invalid', 'radius', `expected ${what}; the zone is left out`, line);
    return undefined;
  }

  #add(
    cells: readonly string[],
    line: number,
    [x, y]: readonly [number, number],
    radius: number | null,
  ): void {
    const place = this.#builder.place(x, y);
    if (isProblem(place)) {
      this.#builder.issues.error(place.code, place.code === 'lat-range' ? 'lat' : 'lon', place.message, line);
      return;
    }
    const { id, name, rest } = this.#fields(cells);
    const properties = radius === null ? rest : { ...rest, type: 'circle', radius };
    this.#builder.addShapes(
      id,
      name,
      [pointShape(place)],
      (shape) => foreignFields(properties, shape, []),
      'id',
      line,
    );
  }

  /** Id, name and other columns of a row. */
  #fields(cells: readonly string[]): { id: string; name: string; rest: Record<string, unknown> } {
    const { at, header } = this.#table;
    const number = ++this.#number;
    const used = new Set([
      at.lat,
      at.lon,
      at.position,
      at.latHemisphere,
      at.lonHemisphere,
      at.id,
      at.name,
      at.radius,
      at.radiusUnit,
      at.wkt,
      at.vertices,
    ]);
    const rest: [string, unknown][] = [];
    for (const [i, cell] of cells.entries()) {
      if (used.has(i) || cell === '' || header[i] === undefined || header[i].trim() === '') continue;
      rest.push([header[i].trim(), cell]);
    }
    const id = at.id === undefined ? '' : (cells[at.id] ?? '').trim();
    const name = at.name === undefined ? '' : (cells[at.name] ?? '').trim();
    return { id: id === '' ? `${this.#idPrefix}${number}` : id, name, rest: Object.fromEntries(rest) };
  }

  /** Whether the rows with one id or name are the vertices of one zone. */
  #areVertices(rows: readonly TableRow[]): boolean {
    const { at } = this.#table;
    if (at.radius !== undefined) return false;
    if (at.vertexOrder !== undefined) return true;
    const key = at.id ?? at.name;
    if (key === undefined) return false;
    const counts = new Map<string, number>();
    for (const { cells } of rows) counts.set(cells[key] ?? '', (counts.get(cells[key] ?? '') ?? 0) + 1);
    return rows.length > 0 && [...counts.values()].every((count) => count >= 3);
  }

  #vertices(rows: readonly TableRow[]): void {
    const { at, decimal } = this.#table;
    const groups = new Map<string, Vertex[]>();
    for (const row of rows) {
      const key = (row.cells[at.id ?? at.name ?? -1] ?? '').trim();
      const xy = cellPlace(row.cells, at, this.#table.place, decimal);
      const place = xy === null ? null : this.#builder.place(xy[0], xy[1]);
      const order = at.vertexOrder === undefined ? 0 : tableNumber(row.cells[at.vertexOrder] ?? '', decimal);
      if (place === null || isProblem(place) || order === null) {
        this.#builder.issues.error(
          'coord-type',
          'lat',
          `expected a vertex with a position, received ${describe(row.cells.slice(0, 8).join(', '))}; its zone is left out`,
          row.line,
        );
        pushTo(groups, key, { position: [Number.NaN, 0], order: 0, row });
      } else pushTo(groups, key, { position: place, order, row });
    }
    this.#builder.issues.warning('table-assumed', '', `assumed: each row is a vertex, ${groups.size} zones`);
    for (const vertices of groups.values()) this.#polygon(vertices);
  }

  #polygon(vertices: readonly Vertex[]): void {
    if (vertices.some(({ position }) => Number.isNaN(position[0]))) return;
    const sorted = [...vertices].sort((a, b) => a.order - b.order);
    const positions = sorted.map(({ position }) => position);
    const isLine = this.#table.description.profile === 'gtfs-shapes';
    const { row } = sorted[0]!;
    const { id, name, rest } = this.#fields(row.cells);
    try {
      const shape =
        positions.length === 1
          ? pointShape(positions[0]!)
          : isLine || positions.length === 2
            ? lineShape(positions, 'geometry')
            : polygonShape([[closedRing(positions)]], 'geometry');
      this.#builder.addShapes(id, name, [shape], (own) => foreignFields(rest, own, []), 'id', row.line);
    } catch (error) {
      this.#builder.issues.caught(error, row.line);
    }
  }
}
