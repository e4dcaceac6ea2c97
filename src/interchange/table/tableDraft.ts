/** A table while it is described, and what its rows are read by. */

import type { PlaceForm, RoleColumns, TimeForm } from './cellTime.js';
import type { ColumnFact } from './columnFacts.js';
import type { TimeFinding } from './judgeTimes.js';
import type { Notes } from './notes.js';
import type { OpenTable } from './openTable.js';
import type { TableRow } from './splitRows.js';
import type { TableDescription, TableHints, TableProfile, TableRole } from './tableDescription.js';
import type { TableParts } from './tableParts.js';

/** A described table with what its rows are read by. */
export interface ReadyTable {
  readonly description: TableDescription;
  readonly parts: TableParts;
  readonly open: OpenTable;
  readonly header: readonly string[];
  readonly at: RoleColumns;
  readonly decimal: '.' | ',';
  readonly time: TimeForm;
  /** Minutes east of UTC of times without a zone that the header names; null: none. */
  readonly offset: number | null;
  readonly place: PlaceForm;
  /** Order of the pairs of lists of positions; null: unknown. */
  readonly vertexOrder: 'latlon' | 'lonlat' | null;
  /** Factors to km/h and metres by role; null: the quantity is not read. */
  readonly factors: Readonly<Partial<Record<TableRole, number | null>>>;
  /** Units of the cells themselves are read too. */
  readonly hasSpeedWords: boolean;
  /** An empty unit cell means the unit of the row before. */
  readonly fillsUnits: boolean;
  /** Cells from this one on are not read in rows with more cells than the header; null: such rows are left out. */
  readonly freeText: number | null;
  /** Unit of rows without one. */
  readonly unitId: string;
  readonly suspects: ReadonlySet<string>;
  readonly swapped: ReadonlySet<string>;
  readonly leavesOutInvalid: boolean;
  /** Whether rows can be read: no question is about all of them. */
  readonly isReadable: boolean;
}

/** A table of which the columns and times are known. */
export interface TableDraft {
  readonly open: OpenTable;
  readonly parts: TableParts;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  readonly columns: readonly ColumnFact[];
  readonly decimal: '.' | ',';
  readonly known: TableHints;
  readonly profile: TableProfile | null;
  readonly time: TimeFinding;
  /** The column with the positions of whole zones; null: none. */
  readonly vertices: number | null;
  readonly notes: Notes;
}
