/** Reads planned trips from a table with a row per stop. */

import { DAY_MS } from '../../../core/durations.js';
import { describe, inputError, isArray, WayzoneError } from '../../../core/errors.js';
import type { Issue } from '../../../core/fix.js';
import { clockText } from '../../../core/localClock.js';
import { checkOptions, type OptionTable, OWN } from '../../../core/options.js';
import type { Trip, TripPoint, TripPointTime } from '../../../core/trip.js';
import type { Geozone } from '../../../core/wire.js';
import { IssueList } from '../../common/issueList.js';
import { LimitCounter, type ReadLimits } from '../../common/readOptions.js';
import type { TimeForm } from '../cellTime.js';
import { checkHints } from '../describeTable.js';
import { headerFacts } from '../headerFacts.js';
import { openTable } from '../openTable.js';
import type { TableRow } from '../splitRows.js';
import type { TableHints, TableRole } from '../tableDescription.js';
import { numberAndWord, tableNumber } from '../tableNumber.js';
import { tableParts } from '../tableParts.js';
import { TimeJudge } from '../timeJudge.js';
import { clockParts, dayOf, dayParts, hasZeroDay, timeParts } from '../timeParts.js';
import { monthNames } from '../unitWords.js';
import { PlanZones, pointOf, zoneProblem } from './planZones.js';

/** Options of `fromPlan`. */
export interface PlanOptions {
  /** The zones that the rows name by id or name. */
  readonly zones: readonly Geozone[];
  /** Facts about the table, as for `fromCsv`. */
  readonly table?: TableHints | undefined;
  /** Unit id of a plan without a column of units. */
  readonly unitId?: string | undefined;
  /** Limits on the size of the file. */
  readonly limits?: ReadLimits | undefined;
}

const PLAN_OPTIONS: OptionTable<PlanOptions> = { zones: OWN, table: OWN, unitId: OWN, limits: OWN };

/** Trips of a plan, with the problems found. */
export interface PlannedTrips {
  /** Trips, one for each name, in order of their first rows. */
  readonly trips: readonly Trip[];
  /** Rows and cells that could not be read, with their lines. */
  readonly issues: readonly Issue[];
}

const ROLES = [
  'trip',
  'unit',
  'date',
  'stopOrder',
  'stop',
  'arrival',
  'departure',
  'tolerance',
] as const satisfies readonly TableRole[];
type PlanRole = (typeof ROLES)[number];

interface Stop {
  readonly order: number;
  readonly point: TripPoint;
}

interface DraftTrip {
  readonly name: string;
  readonly unit: string;
  readonly day: number;
  readonly stops: Stop[];
  isBroken: boolean;
}

/**
 * Trips of a table (CSV, TSV or XLSX in any dialect) with a row for each stop. The columns are trip, unit, date, number of the stop, zone (id or
 * name), planned arrival and departure (local times of the company), and tolerance in minutes. They are found by common words in several
 * languages (`trip`, `рейс`; `stop`, `zone`, `геозона`; `arrival`, `прибытие`…).
 *
 * Rows of one trip, unit and date are one run. Runs with equal stops become one trip with several dates. Stops are passed in the order of their
 * numbers, else in the order of the rows (`strict`). If a time is before the time of the stop above it, it is on the next day. A trip with an
 * unreadable row is left out with an error.
 *
 * Issues: `columns-unknown`, `csv-columns`, `date-order-unknown`, `time-invalid`, `number-invalid`, `zone-unknown`, `zone-ambiguous`,
 * `unit-missing`, `limit-bytes`, `xlsx-corrupt`, `xlsx-unsupported`, `limit-inflated`. Throws `input-type`, `option-type`, `option-unknown`,
 * `option-value`. Cost: O(bytes).
 *
 * @example
 * ```ts
 * import { fromPlan } from 'wayzone/interchange';
 * const zones = [{ id: 'd', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] }];
 * const plan = 'trip,unit,date,stop,arrival,tolerance\nA,van,2026-01-15,Depot,08:30,10';
 * fromPlan(plan, { zones }).trips[0].points[0].arrival; // { time: '08:30', after_days: 0, deviation_minutes: 10 }
 * ```
 */
export function fromPlan(input: string | Uint8Array, options: PlanOptions): PlannedTrips {
  checkOptions(options, PLAN_OPTIONS);
  const given: unknown = input;
  if (typeof given !== 'string' && !(given instanceof Uint8Array))
    throw inputError('input-type', 'input', 'text or a Uint8Array', given);
  const zones: unknown = options.zones;
  if (!isArray(zones)) throw inputError('option-type', 'zones', 'an array of zones', zones);
  const hints = checkHints(options.table ?? {}, 'table');
  const limits = new LimitCounter(options.limits);
  const issues = new IssueList(limits.maxIssues);
  let trips: Trip[] = [];
  try {
    limits.countBytes(input.length);
    trips = readPlan(input, options, hints, limits.maxBytes, issues);
  } catch (error) {
    if (error instanceof WayzoneError && error.code === 'option-value') throw error;
    issues.caught(error);
  }
  return { trips, issues: issues.toArray() };
}

function readPlan(
  input: string | Uint8Array,
  { zones, unitId }: PlanOptions,
  hints: TableHints,
  maxBytes: number,
  issues: IssueList,
): Trip[] {
  const open = openTable(input, hints, maxBytes);
  const { header, sections } = tableParts(open, hints);
  const at = header === null ? null : columnsOf(header, hints, unitId !== undefined, issues);
  if (header === null)
    issues.error(
      'columns-unknown',
      '',
      'expected a header with columns of a trip, a date and a stop, received none',
    );
  if (at === null) return [];
  const rows = sections.flatMap((section) => section.rows);
  if (!reportOthers(header!, rows, at, issues)) return [];
  const plan = new PlanRows(
    at,
    orderOf(rows, at, hints, issues),
    new PlanZones(zones),
    unitId ?? '',
    issues,
    hints.decimal ?? '.',
  );
  for (const row of rows) plan.read(row);
  return plan.trips();
}

function columnsOf(
  header: TableRow,
  hints: TableHints,
  hasUnit: boolean,
  issues: IssueList,
): Partial<Record<PlanRole, number>> | null {
  const at: Partial<Record<PlanRole, number>> = {};
  for (const [index, name] of header.cells.entries()) {
    const given = (hints.columns ?? []).find((column) => typeof column !== 'string' && column.name === name);
    const named = typeof given === 'object' ? given.role : undefined;
    const facts =
      named === undefined || named === null ? headerFacts(name, true).map(({ role }) => role) : [named];
    // A column of times without other words is read as arrivals.
    const roles = facts.map((role) => (role === 'time' || role === 'clock' ? 'arrival' : role));
    const own = roles.find(
      (role): role is PlanRole =>
        (ROLES as readonly string[]).includes(role) && at[role as PlanRole] === undefined,
    );
    if (own !== undefined) at[own] = index;
  }
  const missing = (['trip', 'date', 'stop'] as const).filter((role) => at[role] === undefined);
  if (at.unit === undefined && !hasUnit) missing.push('unit' as never);
  if (missing.length === 0) return at;
  const received = header.cells.slice(0, 30).join(', ');
  issues.error(
    'columns-unknown',
    '',
    `expected columns of ${missing.join(', ')}, received ${received}`,
    header.line,
  );
  return null;
}

/** Reports unread columns. Returns false, with an error, if no planned time would be read although an unread column has times. */
function reportOthers(
  { cells: names, line }: TableRow,
  rows: readonly TableRow[],
  at: Partial<Record<PlanRole, number>>,
  issues: IssueList,
): boolean {
  const used = new Set(Object.values(at));
  const others = names.flatMap((name, i) => (used.has(i) || name.trim() === '' ? [] : [i]));
  const list = (columns: readonly number[]): string =>
    columns
      .slice(0, 20)
      .map((i) => JSON.stringify(names[i]))
      .join(', ');
  const timed = others.filter(
    (i) =>
      rows.filter(({ cells }) => /^\s*\d{1,2}:\d\d(?::\d\d)?\s*$/.test(cells[i] ?? '')).length >
      rows.length / 2,
  );
  if (timed.length > 0 && at.arrival === undefined && at.departure === undefined) {
    const message = `expected a column of planned arrivals, received times in ${list(timed)}; call it arrival or departure`;
    issues.error('columns-unknown', '', message, line);
    return false;
  }
  if (others.length > 0)
    issues.warning(
      'csv-columns',
      '',
      `expected columns of a plan, received also ${list(others)}; left out`,
      line,
    );
  return true;
}

/** The order of the dates of the column. */
function orderOf(
  rows: readonly TableRow[],
  at: Partial<Record<PlanRole, number>>,
  hints: TableHints,
  issues: IssueList,
): TimeForm['order'] {
  if (hints.dateOrder !== undefined) return hints.dateOrder;
  const judge = new TimeJudge(monthNames(), '.', 'date');
  for (const { cells } of rows) judge.add(cells[at.date ?? -1] ?? '');
  const { order } = judge;
  if (order !== 'unknown' && order !== 'contradiction') return order;
  issues.error(
    'date-order-unknown',
    'date',
    'day and month of the dates cannot be told apart; say it: --date-order dmy',
  );
  return null;
}

class PlanRows {
  readonly #at: Partial<Record<PlanRole, number>>;
  readonly #order: TimeForm['order'];
  readonly #zones: PlanZones;
  readonly #unitId: string;
  readonly #issues: IssueList;
  readonly #decimal: '.' | ',';
  readonly #months = monthNames();
  /** Runs by trip, unit and day. */
  readonly #drafts = new Map<string, DraftTrip>();
  #last = { trip: '', unit: '', date: '' };

  constructor(
    at: Partial<Record<PlanRole, number>>,
    order: TimeForm['order'],
    zones: PlanZones,
    unitId: string,
    issues: IssueList,
    decimal: '.' | ',',
  ) {
    this.#at = at;
    this.#order = order;
    this.#zones = zones;
    this.#unitId = unitId;
    this.#issues = issues;
    this.#decimal = decimal;
  }

  /** Reads the next row. Always returns null; a row that cannot be read is reported. */
  read({ cells, line }: TableRow): null {
    const cell = (role: PlanRole): string => (cells[this.#at[role] ?? -1] ?? '').trim();
    if (cells.every((text) => text.trim() === '')) return null;
    // Merged cells of a workbook have a value only in their first row.
    const trip = cell('trip') || this.#last.trip;
    const isSame = trip === this.#last.trip;
    const date = cell('date') || (isSame ? this.#last.date : '');
    const unit = cell('unit') || (isSame ? this.#last.unit : '') || this.#unitId;
    this.#last = { trip, unit, date };
    const day = this.#day(date);
    const key = JSON.stringify([trip, unit, day]);
    const draft = this.#drafts.get(key) ?? { name: trip, unit, stops: [], isBroken: false, day: day ?? 0 };
    this.#drafts.set(key, draft);
    const fail = (code: Parameters<IssueList['error']>[0], field: string, message: string): null => {
      draft.isBroken = true;
      this.#issues.error(code, field, `${message}; the trip is left out`, line);
      return null;
    };
    if (day === null) return fail('time-invalid', 'date', `expected a date, received ${describe(date)}`);
    if (unit === '') return fail('unit-missing', 'unit', 'expected a unit, received an empty cell');
    const stop = cell('stop');
    const zone = this.#zones.find(stop);
    if (typeof zone === 'string') return fail(zone, 'stop', zoneProblem(zone, stop));
    const order =
      this.#at.stopOrder === undefined ? draft.stops.length : tableNumber(cell('stopOrder'), this.#decimal);
    if (order === null)
      return fail('number-invalid', 'order', `expected a number, received ${describe(cell('stopOrder'))}`);
    const tolerance = this.#tolerance(cell('tolerance'));
    if (tolerance === undefined)
      return fail(
        'number-invalid',
        'tolerance',
        `expected whole minutes, received ${describe(cell('tolerance'))}`,
      );
    const arrival = this.#time(cell('arrival'), day, tolerance, line);
    const departure = this.#time(cell('departure'), day, tolerance, line);
    if (arrival === undefined || departure === undefined) {
      return fail(
        'time-invalid',
        'arrival',
        `expected a time of day, received ${describe(cell('arrival') || cell('departure'))}`,
      );
    }
    const point: TripPoint = {
      ...pointOf(zone),
      ...(arrival === null ? {} : { arrival }),
      ...(departure === null ? {} : { departure }),
    };
    draft.stops.push({ order, point });
    return null;
  }

  #day(text: string): number | null {
    const parts = dayParts(text, this.#months);
    if (parts !== null) return dayOf(parts, this.#order);
    const serial = tableNumber(text, this.#decimal);
    return serial !== null && Number.isInteger(serial) && serial > 30_000 && serial < 80_000
      ? Date.UTC(1899, 11, 30) + serial * DAY_MS
      : null;
  }

  /** Tolerance of a cell, minutes; null if it is empty, undefined if it is invalid. */
  #tolerance(text: string): number | null | undefined {
    if (text === '') return null;
    const clock = /^(\d{1,2}):(\d\d)(?::00)?$/.exec(text);
    const found = numberAndWord(text);
    const isMinutes = found !== null && /^(?:|min|minutes?|minuten|мин|минут)\.?$/i.test(found.word);
    const value =
      clock !== null
        ? Number(clock[1]) * 60 + Number(clock[2])
        : isMinutes
          ? tableNumber(found.number, this.#decimal)
          : null;
    return value !== null && Number.isInteger(value) && value >= 0 ? value : undefined;
  }

  /** Time of a cell; null if it is empty, undefined if it is invalid. */
  #time(text: string, day: number, tolerance: number | null, line: number): TripPointTime | null | undefined {
    if (text === '') return null;
    let after = 0;
    let clock: number | null = null;
    const parts = (hasZeroDay(text) ? clockParts : timeParts)(text, this.#months);
    if (parts?.clock !== null && parts?.clock !== undefined) {
      clock = parts.clock;
      const own = parts.date === null ? day : dayOf(parts.date, this.#order);
      if (own === null) return undefined;
      after = (own - day) / DAY_MS;
    } else {
      const fraction = tableNumber(text, this.#decimal);
      if (fraction !== null && fraction >= 0 && fraction < 1) clock = Math.round(fraction * DAY_MS);
    }
    if (clock === null || after < 0) return undefined;
    after += Math.floor(clock / DAY_MS);
    const minutes = Math.floor((clock % DAY_MS) / 60_000);
    // Spreadsheet programs store times of day as rounded fractions of a day.
    const seconds = Math.round((clock % 60_000) / 1000);
    if (seconds > 0 && seconds < 60) {
      const message = `expected a time of day in whole minutes, received ${describe(text)}; read as ${clockText(minutes)}`;
      this.#issues.warning('plan-seconds', 'arrival', message, line);
    }
    return {
      time: clockText(minutes),
      after_days: after,
      ...(tolerance === null ? {} : { deviation_minutes: tolerance }),
    };
  }

  /** Trips with equal stops and all their dates, in the order of the file. */
  trips(): Trip[] {
    const merged = new Map<
      string,
      { readonly draft: DraftTrip; readonly points: TripPoint[]; readonly dates: string[] }
    >();
    for (const draft of this.#drafts.values()) {
      if (draft.isBroken) continue;
      const sorted = [...draft.stops].sort((a, b) => a.order - b.order);
      const points = overMidnight(sorted.map(({ point }) => point));
      const key = JSON.stringify([draft.name, draft.unit, points]);
      const date = new Date(draft.day).toISOString().slice(0, 10);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { draft, points, dates: [date] });
      else known.dates.push(date);
    }
    const ids = new Set<string>();
    return [...merged.values()].map(({ draft, points, dates }) => {
      let id = draft.name;
      if (ids.has(id)) id = `${draft.name} ${draft.unit} ${dates[0]}`;
      ids.add(id);
      return {
        id,
        name: draft.name,
        unit: { id: draft.unit },
        passage_order_type: { key: 'strict' },
        dates,
        points,
      };
    });
  }
}

/** Moves times that go back to the next day, unless the plan has dates of its own. */
function overMidnight(points: readonly TripPoint[]): TripPoint[] {
  let last = 0;
  let days = 0;
  const shifted = (own: TripPointTime | null | undefined): TripPointTime | null | undefined => {
    if (own === null || own === undefined) return own;
    const [hour = 0, minute = 0] = own.time.split(':').map(Number);
    const given = own.after_days ?? 0;
    const at = hour * 60 + minute + given * 1440;
    if (given === 0 && at + days * 1440 < last) days++;
    const after = given === 0 ? days : given;
    last = hour * 60 + minute + after * 1440;
    return { ...own, after_days: after };
  };
  return points.map((point) => {
    const arrival = shifted(point.arrival);
    const departure = shifted(point.departure);
    return {
      ...point,
      ...(arrival === undefined ? {} : { arrival }),
      ...(departure === undefined ? {} : { departure }),
    };
  });
}
