/** Opening hours of a zone, in the shape that callers store, and spans of time. */

/** A range of local clock times. The date of its begin counts. */
export interface HourRange {
  /** Start, `HH:mm`, from `00:00` to `23:59`. */
  readonly from: string;
  /** End, `HH:mm` up to `24:00`. A time before `from` is on the next day. A time equal to `from` means 24 hours. */
  readonly to: string;
}

/** A range on some days of the week. */
export interface WeeklyRange extends HourRange {
  /** Days of the week by ISO 8601, 1 = Monday to 7 = Sunday; at least one. */
  readonly days: readonly number[];
}

/** The ranges of one date. */
export interface DateHours {
  /** The date, `yyyy-MM-dd`. */
  readonly date: string;
  /** Ranges of this date, in place of the day of the week or holiday. `[]`: closed. */
  readonly hours: readonly HourRange[];
}

/** Opening hours of a zone, as local clock times. */
export interface Hours {
  /** Ranges by day of the week. Absent: 00:00 to 24:00 every day. `[]`: never open. */
  readonly weekly?: readonly WeeklyRange[] | undefined;
  /** Ranges on the company's holidays. Absent: as on other days. `[]`: closed. */
  readonly holidayHours?: readonly HourRange[] | undefined;
  /** Ranges on single dates, one entry per date. */
  readonly dates?: readonly DateHours[] | undefined;
  /** First local date, `yyyy-MM-dd`; closed before it. */
  readonly validFrom?: string | undefined;
  /** Last local date, `yyyy-MM-dd`; closed after the end of that day. */
  readonly validTo?: string | undefined;
}

/** The holidays of one year. */
export interface YearHolidays {
  /** Year, 1 to 9999. */
  readonly year: number;
  /** Holidays as `MM.dd`. */
  readonly days: readonly string[];
}
