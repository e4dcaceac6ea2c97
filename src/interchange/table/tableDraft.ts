/** A table during its description, and the facts for reading its rows. */

import type { PlaceForm, RoleColumns, TimeForm } from './cellTime.js';
import type { ColumnFact } from './columnFacts.js';
import type { TimeFinding } from './judgeTimes.js';
import type { OpenTable } from './openTable.js';
import type { TableRow } from './splitRows.js';
import type { Notes, TableDescription, TableHints, TableProfile, TableRole } from './tableDescription.js';
import type { TableParts } from './tableParts.js';

/** A described table with the facts for reading its rows. */
export interface ReadyTable {
  readonly description: TableDescription;
  readonly parts: TableParts;
  readonly open: OpenTable;
  readonly header: readonly string[];
  readonly at: RoleColumns;
  readonly decimal: '.' | ',';
  readonly time: TimeForm;
  /** Offset, named by the header, of times without a zone, minutes east of UTC; null for none. */
  readonly offset: number | null;
  readonly place: PlaceForm;
  /** Order of the pairs of lists of positions; null: unknown. */
  readonly vertexOrder: 'latlon' | 'lonlat' | null;
  /** Factors to km/h and metres by role; null if the quantity is not read. */
  readonly factors: Readonly<Partial<Record<TableRole, number | null>>>;
  /** Whether units inside the cells are read too. */
  readonly hasSpeedWords: boolean;
  /** Whether an empty unit cell repeats the unit of the row before. */
  readonly fillsUnits: boolean;
  /** In rows with more cells than the header, the cell from which the rest is not read; null if such rows are left out. */
  readonly freeText: number | null;
  /** Unit id of rows without a unit id. */
  readonly unitId: string;
  readonly suspects: ReadonlySet<string>;
  readonly swapped: ReadonlySet<string>;
  readonly leavesOutInvalid: boolean;
  /** Whether rows can be read: no open question concerns all of them. */
  readonly isReadable: boolean;
}

/** A table whose columns and times are known. */
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
  /** The column with the positions of whole zones; null for none. */
  readonly vertices: number | null;
  readonly notes: Notes;
}
