/** Facts about a table: the result of `describeTable`, and input of the table readers. Plain data. */

type WordHint =
  | 'decimal'
  | 'dateOrder'
  | 'speedUnit'
  | 'mileageUnit'
  | 'coordinates'
  | 'radiusUnit'
  | 'axisOrder'
  | 'kind';

type Words<Word> = readonly [Word, ...Word[]];

export const HINT_WORDS: { readonly [Hint in WordHint]: Words<NonNullable<TableHints[Hint]>> } = {
  decimal: ['.', ','],
  dateOrder: ['dmy', 'mdy', 'ymd'],
  speedUnit: ['kph', 'mps', 'mph', 'knots'],
  mileageUnit: ['m', 'km', 'mi'],
  coordinates: ['degrees', 'dms', 'ddmm', '1e-5', '1e-6', '1e-7', 'semicircles'],
  radiusUnit: ['m', 'km', 'ft', 'mi', 'nmi'],
  axisOrder: ['lonlat', 'latlon'],
  kind: ['fixes', 'zones', 'unknown'],
};

/** Role of a column. */
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

/** Kind of the rows of a table. */
export type TableKind = 'fixes' | 'zones' | 'unknown';

/** Form of a file with rows. */
export type TableForm = 'delimited' | 'xlsx' | 'json' | 'nmea' | 'wln' | 'plt' | 'osmand';

/** A column of a table. */
export interface TableColumn {
  /** The header as written; `column 3` in a table without headers. */
  readonly name: string;
  /** Role; null if the column is not read. */
  readonly role: TableRole | null;
  /** Unit: `kph`, `mps`, `mph`, `knots`, `cmps`, `dmps`, `ftps`, `m`, `km`, `ft`, `mi`, `nmi`. Null: no unit, or an unknown unit. */
  readonly unit: string | null;
  /**
   * Format of the values. Times: `iso`, `ymd`, `dmy`, `mdy`, `seconds`, `milliseconds`, `microseconds`, `nanoseconds`, `days`. Positions:
   * `degrees`, `dms`, `ddmm`, `1e-5`, `1e-6`, `1e-7`, `semicircles`, `latlon`, `wkt`. Null: plain text or numbers, or unknown.
   */
  readonly format: string | null;
  /** Confidence from 0 (unknown) to 1 (certain). */
  readonly confidence: number;
  /** The first values, at most three. */
  readonly examples: readonly string[];
}

/** An assumption or a question about a table. */
export interface TableNote {
  /** Code of the issue: `docs/errors.md`. */
  readonly code: TableNoteCode;
  /** Message with the finding and its evidence. */
  readonly message: string;
  /** Command-line flag that changes the assumption, with the best value. Empty if no flag does. */
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

/** Facts about a table known to the caller. Absent fields are found from the file. */
export interface TableHints {
  /** Label of the encoding in the WHATWG Encoding Standard (`windows-1251`, `koi8-r`, `ibm866`); null: found from the file. */
  readonly encoding?: string | null | undefined;
  /** Delimiter, one character; null: found from the file. */
  readonly delimiter?: string | null | undefined;
  /** Decimal mark. */
  readonly decimal?: '.' | ',' | undefined;
  /** Columns by name, with the given facts. A list of texts gives the roles of all columns of a table without a header. */
  readonly columns?: readonly (Partial<TableColumn> | string)[] | undefined;
  /** IANA zone of times without a zone. */
  readonly timeZone?: string | null | undefined;
  /** Order of the numbers of a date. */
  readonly dateOrder?: 'dmy' | 'mdy' | 'ymd' | undefined;
  /** Day of times without a date, `yyyy-MM-dd`. */
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
  /** Units whose latitudes and longitudes are exchanged. `[]`: no unit, also if the positions look exchanged. */
  readonly swappedUnits?: readonly string[] | undefined;
  /** Unit id of rows without a unit id. */
  readonly unitId?: string | undefined;
  /** Name of the file, used as unit id if the table has none. */
  readonly fileName?: string | undefined;
  /** Kind of the rows. */
  readonly kind?: TableKind | undefined;
  /** Name of a known program, or a profile. */
  readonly profile?: string | TableProfile | null | undefined;
  /** Name of the sheet. Default: the first sheet with rows. */
  readonly sheet?: string | null | undefined;
}

/** Facts about the tables of one program or customer: fields of a description, and the headers by which the tables are recognised. */
export interface TableProfile extends Omit<TableHints, 'profile'> {
  /** Name, for the hint `profile`. */
  readonly name: string;
  /** Headers that must all be present, as written. Without this field the profile is used only if it is named. */
  readonly headers?: readonly string[] | undefined;
}

/**
 * Description of a table. Pass it to a table reader, also after changes. A field with an open question is null, so an unchanged description
 * raises the same questions. The description contains the caller's hints, so a reader needs no other hints.
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
  /** Form of the file. */
  readonly form: TableForm;
  /** Kind of its rows. */
  readonly kind: TableKind;
  /** Recognised program or given profile; null for none. */
  readonly profile: string | null;
  /** Name of the encoding, for `TextDecoder`; null: unknown. */
  readonly encoding: string | null;
  /** Delimiter; null for forms without one. */
  readonly delimiter: string | null;
  /** Decimal mark. */
  readonly decimal: '.' | ',';
  /** Mark around quoted cells; null for none. */
  readonly quote: '"' | null;
  /** Name of the sheet; null for forms without sheets. */
  readonly sheet: string | null;
  /** Line of the header; 0 if there is none. */
  readonly headerLine: number;
  /** The columns in order. */
  readonly columns: readonly TableColumn[];
  /** Time zone of the times without a zone. Null: every time has a zone, or the zone is unknown. */
  readonly timeZone: string | null;
  /** Assumptions that are not certain. */
  readonly assumptions: readonly TableNote[];
  /** Open questions. A field with an open question is not read until it is answered. */
  readonly questions: readonly TableNote[];
}

export interface Notes {
  readonly assumptions: TableNote[];
  readonly questions: TableNote[];
  readonly say: (message: string, flag?: string) => void;
  readonly ask: (code: TableNote['code'], message: string, flag: string) => void;
}

export function makeNotes(): Notes {
  const assumptions: TableNote[] = [];
  const questions: TableNote[] = [];
  return {
    assumptions,
    questions,
    say: (message, flag = '') => void assumptions.push({ code: 'table-assumed', message, flag }),
    ask: (code, message, flag) => void questions.push({ code, message, flag }),
  };
}

/** Whether a question of this code is open. */
export function asks({ questions }: Notes, code: TableNote['code']): boolean {
  return questions.some((question) => question.code === code);
}
