/** What is known about a table: the result of `describeTable`, and what readers of tables take. Plain data. */

/** What a column of a table holds. */
export type TableRole =
  // Fixes
  | 'unit'
  | 'time'
  | 'date'
  | 'clock'
  | 'lat'
  | 'lon'
  | 'position'
  | 'latHemisphere'
  | 'lonHemisphere'
  | 'speed'
  | 'course'
  | 'altitude'
  | 'accuracy'
  | 'satellites'
  | 'ignition'
  | 'mileage'
  | 'mileageDelta'
  | 'valid'
  // Zones
  | 'wkt'
  | 'vertices'
  | 'id'
  | 'name'
  | 'radius'
  | 'radiusUnit'
  | 'width'
  | 'vertexOrder'
  // Plans
  | 'trip'
  | 'stopOrder'
  | 'stop'
  | 'arrival'
  | 'departure'
  | 'tolerance';

/** What the rows of a table are. */
export type TableKind = 'fixes' | 'zones' | 'unknown';

/** How a file holds its rows. */
export type TableForm = 'delimited' | 'xlsx' | 'json' | 'nmea' | 'wln' | 'plt' | 'osmand';

/** A column of a table. */
export interface TableColumn {
  /** The header, as it is written; `column 3` in a table without one. */
  readonly name: string;
  /** Null: the column is not read. */
  readonly role: TableRole | null;
  /** `kph`, `mps`, `mph`, `knots`, `m`, `km`, `ft`, `mi`, `nmi`; null: without a unit, or unknown. */
  readonly unit: string | null;
  /**
   * Times: `iso`, `ymd`, `dmy`, `mdy`, `seconds`, `milliseconds`, `microseconds`, `nanoseconds`, `days`. Positions: `degrees`, `dms`, `ddmm`, `1e-5`, `1e-6`,
   * `1e-7`, `semicircles`, `latlon`, `wkt`. Null: plain text or numbers, or unknown.
   */
  readonly format: string | null;
  /** 0: unknown, 1: certain. */
  readonly confidence: number;
  /** The first values, at most three. */
  readonly examples: readonly string[];
}

/** What a reader assumed about a table, or asks about it. */
export interface TableNote {
  /** Code of the issue: `docs/errors.md`. */
  readonly code: TableNoteCode;
  /** What was understood, on which evidence. */
  readonly message: string;
  /** The flag of the command line that changes it, with the best value; empty without one. */
  readonly flag: string;
}

/** Codes of assumptions and questions. */
export type TableNoteCode =
  | 'table-assumed'
  | 'encoding-unknown'
  | 'columns-unknown'
  | 'table-kind'
  | 'digits-lost'
  | 'cells-more-than-header'
  | 'time-zone-missing'
  | 'date-order-unknown'
  | 'date-missing'
  | 'time-format-unknown'
  | 'coordinate-form-unknown'
  | 'axis-order-suspect'
  | 'speed-unit'
  | 'mileage-unit'
  | 'radius-unit-unknown'
  | 'unit-column-unknown'
  | 'unit-missing'
  | 'profile-mismatch';

/** What a caller knows about a table. Each field that is absent is found in the file. */
export interface TableHints {
  /** A label of the WHATWG Encoding Standard (`windows-1251`, `koi8-r`, `ibm866`); null: found in the file. */
  readonly encoding?: string | null | undefined;
  /** One character; null: found in the file. */
  readonly delimiter?: string | null | undefined;
  /** The decimal mark. */
  readonly decimal?: '.' | ',' | undefined;
  /** Columns by name: those that are named get what is given. A list of texts names the roles of all columns of a table without a header. */
  readonly columns?: readonly (Partial<TableColumn> | string)[] | undefined;
  /** IANA zone of times without a zone. */
  readonly timeZone?: string | null | undefined;
  /** Order of the numbers of a date. */
  readonly dateOrder?: 'dmy' | 'mdy' | 'ymd' | undefined;
  /** The day of times without a date, `yyyy-MM-dd`. */
  readonly date?: string | undefined;
  /** Unit of speeds without a unit. */
  readonly speedUnit?: 'kph' | 'mps' | 'mph' | 'knots' | undefined;
  /** Unit of odometers without a unit. */
  readonly mileageUnit?: 'm' | 'km' | 'mi' | undefined;
  /** Form of positions. */
  readonly coordinates?: 'degrees' | 'dms' | 'ddmm' | '1e-5' | '1e-6' | '1e-7' | 'semicircles' | undefined;
  /** Unit of radii without a unit. */
  readonly radiusUnit?: 'm' | 'km' | 'ft' | 'mi' | 'nmi' | undefined;
  /** Order of pairs in one cell and in well-known text. */
  readonly axisOrder?: 'lonlat' | 'latlon' | undefined;
  /** Units whose latitudes and longitudes are exchanged. `[]`: none, however it looks. */
  readonly swappedUnits?: readonly string[] | undefined;
  /** The unit of rows without one. */
  readonly unitId?: string | undefined;
  /** Name of the file, which names the unit of a table without units. */
  readonly fileName?: string | undefined;
  /** What the rows are. */
  readonly kind?: TableKind | undefined;
  /** Name of a known program, or a profile. */
  readonly profile?: string | TableProfile | null | undefined;
  /** Name of the sheet. Default: the first with rows. */
  readonly sheet?: string | null | undefined;
}

/** What is known about the tables of one program or customer: the fields of a description, and the headers by which it is recognised. */
export interface TableProfile extends Omit<TableHints, 'profile'> {
  /** The name, for `profile`. */
  readonly name: string;
  /** Headers that all must be there, as written. Without them the profile is used only when it is named. */
  readonly headers?: readonly string[] | undefined;
}

/**
 * A table as it is understood. May be changed and given to a reader of tables. What a question is about is null, so that a description which is given
 * back unchanged asks the same. The hints of the caller are repeated, so that a reader needs nothing else.
 */
export interface TableDescription
  extends Pick<
    TableHints,
    | 'date'
    | 'dateOrder'
    | 'speedUnit'
    | 'mileageUnit'
    | 'radiusUnit'
    | 'coordinates'
    | 'axisOrder'
    | 'swappedUnits'
    | 'unitId'
    | 'fileName'
  > {
  /** What kind of file it is. */
  readonly form: TableForm;
  /** What its rows are. */
  readonly kind: TableKind;
  /** The recognised program or the given profile; null: none. */
  readonly profile: string | null;
  /** Name of the encoding, as `TextDecoder` takes it; null: unknown. */
  readonly encoding: string | null;
  /** Null for forms without one. */
  readonly delimiter: string | null;
  /** Mark before the decimals of numbers. */
  readonly decimal: '.' | ',';
  /** Mark around quoted cells; null: none. */
  readonly quote: '"' | null;
  /** Null for forms without sheets. */
  readonly sheet: string | null;
  /** Line of the header; 0: there is none. */
  readonly headerLine: number;
  /** The columns in order. */
  readonly columns: readonly TableColumn[];
  /** Zone of the times without one; null: every time has its zone, or it is unknown. */
  readonly timeZone: string | null;
  /** What was assumed, and is not certain. */
  readonly assumptions: readonly TableNote[];
  /** What the file does not say. What a question is about is not read until it is answered. */
  readonly questions: readonly TableNote[];
}
