/** Rows of JSON and newline-delimited JSON that programs write: a list of objects becomes a table whose columns are the paths of its members. */

import { isRecord, own, type PlainRecord } from '../common/foreignFields.js';
import { nanAsNull } from '../json/parseJson.js';
import { programZones } from './programZones.js';
import type { TableRow } from './splitRows.js';

const MAX_DEPTH = 6;
const MAX_COLUMNS = 400;

/** Rows of a JSON text, with a header. `left`: lists that were found but are not read. */
export interface JsonTable {
  readonly rows: readonly TableRow[];
  readonly left: readonly string[];
}

/** Reads JSON, or one object per line. Returns null for other texts, and for JSON without a list of records. */
export function jsonTable(text: string): JsonTable | null {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) return null;
  const whole = parsed(text);
  if (whole !== undefined) return tableOf(whole);
  const lines = text.replaceAll('\u001e', '\n').split(/\r\n|\n|\r/);
  const records: PlainRecord[] = [];
  const numbers: number[] = [];
  const left: string[] = [];
  let bad = 0;
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (isRecord(value)) {
      records.push(value);
      numbers.push(i + 1);
    } else if (++bad > Math.max(3, lines.length / 10)) return null;
    else left.push(`line ${i + 1} is not a JSON object`);
  }
  return records.length === 0 ? null : { rows: flatRows(records, numbers), left };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const plain = nanAsNull(text);
    return plain === null ? undefined : parsed(plain);
  }
}

function tableOf(root: unknown): JsonTable | null {
  if (
    isRecord(root) &&
    typeof own(root, 'type') === 'string' &&
    (own(root, 'features') !== undefined || own(root, 'coordinates') !== undefined)
  )
    return null;
  const known = timeline(root) ?? samsara(root);
  if (known !== null) return known;
  const zones = programZones(root);
  if (zones !== null) return { rows: flatRows(zones), left: limitNote(zones) };
  const list = Array.isArray(root) ? root : isRecord(root) ? listOf(root) : null;
  if (list === null) return null;
  const records = list.filter(isRecord);
  if (records.length === 0 || records.length < list.length / 2) return null;
  const left =
    records.length < list.length ? [`${list.length - records.length} entries are not objects`] : [];
  return {
    rows: flatRows(records),
    left,
  };
}

/** Says that limits of Traccar's geofences stay properties: a zone has no limit. */
function limitNote(zones: readonly PlainRecord[]): string[] {
  const limits = zones.filter(
    ({ attributes }) => isRecord(attributes) && own(attributes, 'speedLimit') !== undefined,
  );
  if (limits.length === 0) return [];
  return [
    `attributes.speedLimit of ${limits.length} ${limits.length === 1 ? 'zone' : 'zones'}, in knots, is no limit here; give limits in km/h by --zone-limits`,
  ];
}

/** The longest list of objects among the members. */
function listOf(root: PlainRecord): readonly unknown[] | null {
  const lists = Object.keys(root)
    .map((key) => own(root, key))
    .filter((value): value is unknown[] => Array.isArray(value) && value.some(isRecord))
    .sort((a, b) => b.length - a.length);
  return lists[0] ?? null;
}

/** Reads Google's timeline of a phone: segments with paths; also the bare list of iOS. */
function timeline(root: unknown): JsonTable | null {
  const segments = isRecord(root) ? own(root, 'semanticSegments') : root;
  if (!Array.isArray(segments)) return null;
  const records: PlainRecord[] = [];
  let visits = 0;
  let moves = 0;
  let isFound = isRecord(root);
  for (const segment of segments) {
    if (!isRecord(segment)) continue;
    if (own(segment, 'visit') !== undefined) visits++;
    if (own(segment, 'activity') !== undefined) moves++;
    const path = own(segment, 'timelinePath');
    if (!Array.isArray(path)) continue;
    isFound = true;
    for (const point of path) {
      if (!isRecord(point)) continue;
      const minutes = Number(own(point, 'durationMinutesOffsetFromStartTime') ?? Number.NaN);
      const start = Date.parse(String(own(segment, 'startTime')));
      const time =
        own(point, 'time') ??
        (Number.isFinite(start + minutes * 60_000) ? new Date(start + minutes * 60_000).toISOString() : '');
      const text = own(point, 'point');
      records.push({ time, position: typeof text === 'string' ? text.replaceAll('°', '') : '' });
    }
  }
  const isTimeline = segments.every(
    (segment) =>
      isRecord(segment) &&
      own(segment, 'startTime') !== undefined &&
      (own(segment, 'visit') !== undefined || own(segment, 'activity') !== undefined),
  );
  if (!isFound && !(isTimeline && segments.length > 0)) return null;
  const left: string[] = [];
  if (visits > 0)
    left.push(`${visits} ${visits === 1 ? 'visit of a place is' : 'visits of places are'} not read`);
  if (moves > 0)
    left.push(
      `${moves} ${moves === 1 ? 'activity' : 'activities'} without a path ${moves === 1 ? 'is' : 'are'} not read`,
    );
  return {
    rows: flatRows(records),
    left,
  };
}

/** Reads vehicles of Samsara with a list of positions each. */
function samsara(root: unknown): JsonTable | null {
  const data = isRecord(root) ? own(root, 'data') : undefined;
  if (!Array.isArray(data)) return null;
  const records: PlainRecord[] = [];
  for (const vehicle of data) {
    const list = isRecord(vehicle) ? own(vehicle, 'gps') : undefined;
    if (!isRecord(vehicle)) continue;
    for (const point of Array.isArray(list) ? list : isRecord(list) ? [list] : []) {
      if (isRecord(point))
        records.push({ ...point, 'vehicle.id': own(vehicle, 'id') ?? own(vehicle, 'name') ?? '' });
    }
  }
  return records.length === 0
    ? null
    : {
        rows: flatRows(records),
        left: [],
      };
}

/** A header of paths, then the cells of each record. `lines`: line of each record. Default: the number of the record. */
export function flatRows(
  records: readonly PlainRecord[],
  lines: readonly number[] = records.map((_, i) => i + 1),
): TableRow[] {
  const columns = new Map<string, number>();
  const flat = records.map((record) => {
    const cells = new Map<number, string>();
    flatten(record, '', 0, (path, text) => {
      let column = columns.get(path);
      if (column === undefined) {
        if (columns.size >= MAX_COLUMNS) return;
        column = columns.size;
        columns.set(path, column);
      }
      cells.set(column, text);
    });
    return cells;
  });
  const width = columns.size;
  const header: TableRow = { cells: [...columns.keys()], line: 0, quoted: 0 };
  const rows = flat.map((cells, i) => ({
    cells: Array.from({ length: width }, (_, k) => cells.get(k) ?? ''),
    line: lines[i]!,
    quoted: 0,
  }));
  return [header, ...rows];
}

function flatten(
  value: PlainRecord,
  path: string,
  depth: number,
  put: (path: string, text: string) => void,
): void {
  for (const key of Object.keys(value)) {
    const member = own(value, key);
    const own_ = path === '' ? key : `${path}.${key}`;
    if (member === null || member === undefined) continue;
    if (isRecord(member)) {
      if (depth < MAX_DEPTH) flatten(member, own_, depth + 1, put);
    } else if (!Array.isArray(member)) put(own_, String(member as string | number | boolean));
  }
}
