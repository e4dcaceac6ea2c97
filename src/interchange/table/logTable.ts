/** Reads logs without a header (NMEA 0183, Wialon's WLN, OziExplorer's PLT) as tables with known columns. */

import type { TableRow } from './splitRows.js';

/** A table of a log, with a header. */
export interface LogTable {
  readonly rows: readonly TableRow[];
  /** Number of lines left out, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Set if the log has times without dates. */
  readonly lacksDates?: true;
  /** Zone of its times. */
  readonly timeZone?: string;
  /** The datum of its positions, if that is not WGS84. */
  readonly datum?: string;
}

interface NmeaFix {
  line: number;
  time: string;
  cells: Map<string, string>;
}

const NMEA_COLUMNS = [
  'date',
  'clock',
  'lat',
  'ns',
  'lon',
  'ew',
  'knots',
  'course',
  'altitude (m)',
  'sats',
  'valid',
];

/** Reads the sentences RMC and GGA. Sentences with the same time form one fix. */
export function nmeaTable(text: string): LogTable {
  const leftOut = new Map<string, number>();
  const drop = (reason: string): void => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  const fixes: NmeaFix[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  let hasRmc = false;
  for (const [i, raw] of lines.entries()) {
    const start = raw.search(/[$!][A-Z]{2}/);
    if (start < 0) continue;
    const sentence = raw.slice(start).trim();
    const kind = /^\$[A-Z]{2}(RMC|GGA),/.exec(sentence)?.[1];
    if (kind === undefined) continue;
    if (!checksumFits(sentence)) {
      drop('checksum');
      continue;
    }
    const f = sentence.replace(/\*[0-9A-Fa-f]{2}$/, '').split(',');
    const clock = clockText(f[1] ?? '');
    if (clock === null) {
      drop('time');
      continue;
    }
    const last = fixes.at(-1);
    const isSame = last !== undefined && last.time === clock && !last.cells.has(kind);
    const fix: NmeaFix = isSame ? last : { line: i + 1, time: clock, cells: new Map([['clock', clock]]) };
    if (!isSame) fixes.push(fix);
    fix.cells.set(kind, '1');
    const put = (name: string, value: string | undefined): void => {
      if (value !== undefined && value !== '' && !fix.cells.has(name)) fix.cells.set(name, value);
    };
    if (kind === 'RMC') {
      hasRmc = true;
      if (f[2] === 'V') put('void', '1');
      fix.line = i + 1;
      put('lat', f[3]);
      put('ns', f[4]);
      put('lon', f[5]);
      put('ew', f[6]);
      put('knots', f[7]);
      put('course', f[8]);
      put('date', dateText(f[9] ?? ''));
    } else {
      if (f[6] === '0') put('void', '1');
      put('lat', f[2]);
      put('ns', f[3]);
      put('lon', f[4]);
      put('ew', f[5]);
      put('sats', f[7]);
      put('altitude (m)', f[9]);
    }
  }
  const rows: TableRow[] = [{ cells: NMEA_COLUMNS, line: 0, quoted: 0 }];
  for (const { cells, line } of fixes) {
    if (cells.has('void')) {
      drop('void');
      continue;
    }
    // A GGA beside a broken or missing RMC has no date.
    if (hasRmc && !cells.has('RMC')) {
      drop('no date');
      continue;
    }
    rows.push({ cells: NMEA_COLUMNS.map((name) => cells.get(name) ?? ''), line, quoted: 0 });
  }
  return { rows, leftOut, timeZone: 'UTC', ...(hasRmc ? {} : { lacksDates: true as const }) };
}

function checksumFits(sentence: string): boolean {
  const match = /^\$([^*]*)\*([0-9A-Fa-f]{2})$/.exec(sentence);
  if (match === null) return !sentence.includes('*');
  let sum = 0;
  for (const character of match[1]!) sum ^= character.charCodeAt(0);
  return sum === Number.parseInt(match[2]!, 16);
}

function clockText(text: string): string | null {
  const match = /^(\d\d)(\d\d)(\d\d)(\.\d+)?$/.exec(text);
  return match === null ? null : `${match[1]}:${match[2]}:${match[3]}${match[4] ?? ''}`;
}

/** Date from `ddmmyy`. GPS began in 1980. */
function dateText(text: string): string {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (match === null) return '';
  return `${Number(match[3]) >= 80 ? '19' : '20'}${match[3]}-${match[2]}-${match[1]}`;
}

/** Columns of OsmAnd's requests, by the parameters of their address. */
const OSMAND_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['id', 'deviceid'],
  ['deviceid', 'deviceid'],
  ['timestamp', 'timestamp'],
  ['lat', 'lat'],
  ['lon', 'lon'],
  ['speed', 'speed (knots)'],
  ['bearing', 'bearing'],
  ['heading', 'bearing'],
  ['altitude', 'altitude (m)'],
  ['accuracy', 'accuracy (m)'],
]);
const REQUEST = /[?&](?:id|deviceid)=/;

/** Whether a line is a request of the OsmAnd protocol, as in logs of web servers. */
export function isOsmAndRequest(line: string): boolean {
  return REQUEST.test(line) && /[?&]lat=/.test(line) && /[?&]lon=/.test(line);
}

/** Reads the requests of a log: `GET /?id=7&timestamp=…&lat=…&lon=…`. Speeds are in knots. */
export function osmAndTable(text: string): LogTable {
  const names = [...new Set(OSMAND_COLUMNS.values())];
  const leftOut = new Map<string, number>();
  const rows: TableRow[] = [{ cells: names, line: 0, quoted: 0 }];
  for (const [i, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    if (!isOsmAndRequest(line)) {
      leftOut.set('no request', (leftOut.get('no request') ?? 0) + 1);
      continue;
    }
    const query = line.slice(line.indexOf('?') + 1).split(/[\s"]/, 1)[0]!;
    const cells = names.map(() => '');
    for (const [key, value] of new URLSearchParams(query)) {
      const column = OSMAND_COLUMNS.get(key);
      if (column !== undefined) cells[names.indexOf(column)] = value;
    }
    rows.push({ cells, line: i + 1, quoted: 0 });
  }
  return { rows, leftOut, timeZone: 'UTC' };
}

/** Reads `REG;epoch;lon;lat;speed;course;params;…`, with the longitude first. */
export function wlnTable(text: string): LogTable {
  const leftOut = new Map<string, number>();
  const rows: TableRow[] = [
    {
      cells: ['time (s)', 'lon', 'lat', 'speed (km/h)', 'course', 'altitude (m)', 'ignition', 'sats'],
      line: 0,
      quoted: 0,
    },
  ];
  for (const [i, line] of text.split(/\r\n|\n|\r/).entries()) {
    const cells = line.split(';');
    if (line.trim() === '') continue;
    if (cells[0] !== 'REG' || cells.length < 6) {
      leftOut.set('not REG', (leftOut.get('not REG') ?? 0) + 1);
      continue;
    }
    const params = new Map(
      cells
        .slice(6)
        .join(',')
        .split(',')
        .map((item): [string, string] => {
          const at = item.indexOf(':');
          return [item.slice(0, Math.max(at, 0)).trim().toLowerCase(), item.slice(at + 1).trim()];
        }),
    );
    rows.push({
      cells: [
        ...cells.slice(1, 6),
        params.get('alt') ?? '',
        params.get('ign') ?? '',
        params.get('sats') ?? '',
      ],
      line: i + 1,
      quoted: 0,
    });
  }
  return { rows, leftOut };
}

const PLT_HEADER_LINES = 6;
const NO_ALTITUDE = -777;
/** Names of WGS84, and of datums that are within about 2 m of it. */
const IS_WGS84 = /^(?:WGS\s?-?_?(?:19)?84|NAD\s?83|ETRS\s?(?:19)?89|European Terrestrial 1989|GDA\s?94)?$/i;

/**
 * Reads OziExplorer's PLT, or Geolife's with another first line: six lines, the second one the datum, then `lat,lon,code,altitude in
 * feet,days since 1899-12-30`.
 */
export function pltTable(text: string): LogTable {
  const leftOut = new Map<string, number>();
  const rows: TableRow[] = [{ cells: ['lat', 'lon', 'altitude (ft)', 'time'], line: 0, quoted: 0 }];
  for (const [i, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (i < PLT_HEADER_LINES || line.trim() === '') continue;
    const cells = line.split(',').map((cell) => cell.trim());
    if (cells.length < 5) {
      leftOut.set('short line', (leftOut.get('short line') ?? 0) + 1);
      continue;
    }
    const altitude = Number(cells[3]) === NO_ALTITUDE ? '' : cells[3]!;
    rows.push({ cells: [cells[0]!, cells[1]!, altitude, cells[4]!], line: i + 1, quoted: 0 });
  }
  const datum = text.split(/\r\n|\n|\r/, 2)[1]?.trim() ?? '';
  return { rows, leftOut, timeZone: 'UTC', ...(IS_WGS84.test(datum) ? {} : { datum }) };
}
