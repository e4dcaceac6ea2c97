/** Judges open questions about the zones of a table: names, order of pairs, unit of radii. */

import type { RoleColumns } from './cellTime.js';
import type { ColumnFact } from './columnFacts.js';
import { headerOrder, plainWord } from './headerFacts.js';
import { isPairList, type NumberPair, pairList, pairOrder } from './positionForm.js';
import type { TableRow } from './splitRows.js';
import type { TableHints } from './tableDescription.js';
import type { TableDraft } from './tableDraft.js';
import { tableNumber } from './tableNumber.js';

/** Number of cells examined. */
const SAMPLE = 200;

/** Share of cells that must be lists. */
const SHARE = 0.9;

/** Asks for the order of areas and the unit of radii. */
export function judgeZones(
  { columns, rows, known, notes, decimal, header }: TableDraft,
  at: RoleColumns,
): void {
  const name = at.name === undefined ? undefined : columns[at.name];
  if (name !== undefined && name.given === undefined && name.name.trim() !== 'name')
    notes.say(`names are of ${name.name}`, '--name-column');
  const texts = at.wkt === undefined ? [] : rows.map(({ cells }) => cells[at.wkt!] ?? '');
  // Traccar's column of areas is latitude first. Circles show it, because only Traccar writes them.
  const isArea = at.wkt !== undefined && plainWord(header[at.wkt] ?? '') === 'area';
  if (isArea && known.axisOrder === undefined && !texts.some((text) => /^\s*CIRCLE/i.test(text))) {
    notes.ask(
      'axis-order-suspect',
      `the column ${JSON.stringify(header[at.wkt!])} is latitude first as Traccar writes it, and longitude first as other programs do`,
      '--axis-order latlon',
    );
  }
  if (at.radius === undefined || at.radiusUnit !== undefined || at.wkt !== undefined) return;
  const unit = columns[at.radius]?.unit ?? known.radiusUnit ?? null;
  if (unit !== null) return;
  const values = rows.map(({ cells }) => tableNumber(cells[at.radius!] ?? '', decimal, true) ?? 0);
  const likely = values.every((value) => value < 20) ? 'km' : 'm';
  notes.ask(
    'radius-unit-unknown',
    `the unit of the column ${JSON.stringify(header[at.radius])} is unknown`,
    `--radius-unit ${likely}`,
  );
}

/** The column named by the caller, else the first whose cells are lists of positions; null for none. */
export function verticesColumn(columns: readonly ColumnFact[], rows: readonly TableRow[]): number | null {
  const named = columns.find(({ given }) => given === 'vertices');
  if (named !== undefined) return named.index;
  for (const { index, given, isEmpty } of columns) {
    if (isEmpty || (given !== undefined && given !== 'wkt' && given !== 'position')) continue;
    const cells: string[] = [];
    for (const row of rows) {
      const cell = (row.cells[index] ?? '').trim();
      if (cell !== '' && cells.push(cell) >= SAMPLE) break;
    }
    if (cells.length > 0 && cells.filter(isPairList).length >= SHARE * cells.length) return index;
  }
  return null;
}

/** Order of the pairs: by the caller, by their ranges, or null with a question. */
export function orderOfVertices(
  { rows, decimal, columns, known, notes }: TableDraft,
  column: number,
): NonNullable<TableHints['axisOrder']> | null {
  const named = columns[column]?.givenFormat;
  const answer = known.axisOrder ?? (named === 'latlon' || named === 'lonlat' ? named : undefined);
  if (answer !== undefined) return answer;
  const lists = rows.flatMap(({ cells }) => {
    const list = pairList(cells[column] ?? '', decimal);
    return list === null ? [] : [list];
  });
  const order = pairOrder(lists);
  const name = JSON.stringify(columns[column]?.name ?? '');
  if (order === 'latlon' || order === 'lonlat') {
    const words = order === 'latlon' ? 'latitude, longitude' : 'longitude, latitude';
    notes.say(
      `positions of ${name} are ${words}: a latitude is at most 90`,
      `--axis-order ${order === 'latlon' ? 'lonlat' : 'latlon'}`,
    );
    return order;
  }
  const stated = headerOrder(columns[column]?.name ?? '');
  if (stated !== null && order !== 'contradiction') return stated;
  const [a, b]: NumberPair = lists[0]?.[0] ?? [0, 0];
  const why =
    order === 'contradiction'
      ? `some pairs of ${name} are latitude first and some longitude first`
      : `the pairs of ${name} can be latitude first (latitude ${a}, longitude ${b}) or longitude first (latitude ${b}, longitude ${a})`;
  notes.ask('axis-order-suspect', why, '--axis-order latlon');
  return null;
}
