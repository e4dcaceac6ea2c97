/** Finds the column whose cells contain the positions of a whole zone, and the order of their pairs. */

import type { ColumnFact } from './columnFacts.js';
import { headerOrder } from './headerFacts.js';
import { isPairList, type NumberPair, pairList, pairOrder } from './pairList.js';
import type { TableRow } from './splitRows.js';
import type { TableHints } from './tableDescription.js';
import type { TableDraft } from './tableDraft.js';

/** Number of cells examined. */
const SAMPLE = 200;
/** Share of cells that must be lists. */
const SHARE = 0.9;

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
