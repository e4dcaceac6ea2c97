/** A row of a table of the report; null for an empty cell. */
export type ReportRow<Column extends string> = Readonly<Record<Column, string | number | boolean | null>>;
