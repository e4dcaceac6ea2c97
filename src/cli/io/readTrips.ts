/**
 * Reads trips from JSON files (a list, a platform's answer `{list}`, one trip, NDJSON), whose points may name zones, and from tables with a
 * row per stop.
 */

import { readFile, stat } from 'node:fs/promises';
import type { IssueCode } from '../../core/errorCode.js';
import { WayzoneError } from '../../core/errors.js';
import type { Trip } from '../../core/trip.js';
import { type Geozone, isDeleted } from '../../core/wire.js';
import type { TableHints } from '../../interchange/index.js';
import { parseJson } from '../../interchange/json/parseJson.js';
import { PlanZones, pointOf, zoneProblem } from '../../interchange/table/plan/planZones.js';
import type { FileIssue, ReportSource } from '../../report/index.js';
import { MAX_FILE_BYTES } from './fileBytes.js';
import { formatOf } from './fileFormat.js';
import { shownPath } from './standardInput.js';
import { systemErrorText } from './terminal.js';

export interface CollectedTrips {
  readonly trips: readonly Trip[];
  readonly sources: readonly ReportSource[];
}

/** Reads the trips of the files in turn. A value that is not a trip, or is deleted, becomes an issue. */
export async function readTrips(
  files: readonly string[],
  issues: FileIssue[],
  zones: readonly Geozone[] = [],
  table: TableHints = {},
): Promise<CollectedTrips> {
  const names = new PlanZones(zones);
  const trips: Trip[] = [];
  const sources: ReportSource[] = [];
  for (const file of files) {
    const own: FileIssue[] = [];
    const note = (code: IssueCode, severity: 'error' | 'warning', field: string, message: string): void => {
      own.push({ code, severity, field, message, file: shownPath(file) });
    };
    const before = trips.length;
    const isTable = formatOf(file) === 'csv';
    const items = isTable ? await readPlan(file, zones, table, note) : await readItems(file, note);
    items.forEach((given, i) => {
      const item = isTable ? given : withZones(given, names, `trips[${i}]`, note);
      if (item === undefined) return;
      const field = `trips[${i}]`;
      if (!isTrip(item)) note('trip-type', 'error', field, 'expected a trip with unit.id, points and dates');
      else if (isDeleted(item))
        note('trip-deleted', 'warning', field, 'the trip is marked deleted and left out');
      else trips.push(item);
    });
    if (trips.length === before && own.length === 0)
      note('no-trips', 'warning', '', 'expected trips, received none');
    const count = (severity: string): number => own.filter((issue) => issue.severity === severity).length;
    sources.push({
      file: shownPath(file),
      role: 'trips',
      zones: 0,
      tracks: 0,
      fixes: 0,
      trips: trips.length - before,
      errors: count('error'),
      warnings: count('warning'),
    });
    for (const issue of own) issues.push(issue);
  }
  return { trips, sources };
}

type Note = (code: IssueCode, severity: 'error' | 'warning', field: string, message: string) => void;

/** The bytes of a file; null, with an issue, if it is too long or cannot be read. */
async function bytesOf(file: string, note: Note): Promise<Buffer | null> {
  try {
    const { size } = await stat(file);
    if (size <= MAX_FILE_BYTES) return await readFile(file);
    note('limit-bytes', 'error', '', `expected at most ${MAX_FILE_BYTES} bytes, received ${size}`);
  } catch (error) {
    note('file-unreadable', 'error', '', systemErrorText(error));
  }
  return null;
}

async function readPlan(
  file: string,
  zones: readonly Geozone[],
  table: TableHints,
  note: Note,
): Promise<readonly unknown[]> {
  const { fromPlan } = await import('../../interchange/table/plan/fromPlan.js');
  const bytes = await bytesOf(file, note);
  if (bytes === null) return [];
  const { trips, issues } = fromPlan(bytes, { zones, table });
  for (const { code, severity, field, message, line } of issues) {
    note(code, severity, field, line === undefined ? message : `line ${line}: ${message}`);
  }
  return trips;
}

/** A trip with the shapes of the zones that its points name (`zone: 'Depot'`). Undefined, with an issue, if a zone is not found. */
function withZones(given: unknown, names: PlanZones, field: string, note: Note): unknown {
  const points: unknown = (given as Partial<Trip> | null)?.points;
  if (!Array.isArray(points)) return given;
  const whole: unknown[] = [];
  for (const [k, point] of (points as readonly unknown[]).entries()) {
    const { zone: text, ...rest } = (point ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof text !== 'string' || rest['geometry'] !== undefined || rest['coordinates'] !== undefined) {
      whole.push(point);
      continue;
    }
    const zone = names.find(text);
    if (typeof zone === 'string') {
      note(zone, 'error', `${field}.points[${k}].zone`, `${zoneProblem(zone, text)}; the trip is left out`);
      return undefined;
    }
    whole.push({ ...pointOf(zone), ...rest });
  }
  return { ...(given as object), points: whole };
}

async function readItems(file: string, note: Note): Promise<readonly unknown[]> {
  const bytes = await bytesOf(file, note);
  if (bytes === null) return [];
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const parse = (json: string, offset: number, line: number): readonly unknown[] => {
    try {
      return [parseJson(json, undefined, () => ({ offset, line }))];
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      note(error.code, 'error', error.field, error.message);
      return [];
    }
  };
  if (/\.(?:ndjson|jsonl)$/i.test(file)) {
    let offset = 0;
    return text.split('\n').flatMap((row, i) => {
      const start = offset;
      offset += row.length + 1;
      return row.trim() === '' ? [] : parse(row, start, i + 1);
    });
  }
  return parse(text, 0, 1).flatMap((value) => {
    const list: unknown = Array.isArray(value)
      ? value
      : ((value as { list?: unknown } | null)?.list ?? value);
    return Array.isArray(list) ? (list as unknown[]) : [list];
  });
}

function isTrip(value: unknown): value is Trip {
  const trip = value as Partial<Trip> | null;
  return (
    typeof trip === 'object' &&
    typeof trip?.unit?.id === 'string' &&
    Array.isArray(trip.points) &&
    Array.isArray(trip.dates)
  );
}

/** The hints for tables of tracks that also apply to a plan. */
export function planHints(table: TableHints | undefined): TableHints {
  const dateOrder = table?.dateOrder;
  return dateOrder === undefined ? {} : { dateOrder };
}
