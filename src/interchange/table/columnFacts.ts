/**
 * Chooses the column of each role by the headers, the profile and the caller's names. A profile has facts that headers do not show: a new
 * program is a row here.
 */

import { type HeaderFact, headerFacts, plainWord } from './headerFacts.js';
import type { TableColumn, TableHints, TableProfile, TableRole } from './tableDescription.js';
import { unitIn, zoneOffset } from './unitWords.js';

/** A column, with the facts from its header, the row of units, the profile and the caller. */
export interface ColumnFact {
  readonly name: string;
  readonly index: number;
  /** Meanings of the header, the likeliest first. */
  readonly facts: readonly HeaderFact[];
  /** Role given by the caller or the profile; undefined if neither gives one. */
  readonly given: TableRole | null | undefined;
  readonly givenFormat: string | null;
  readonly isByCaller: boolean;
  readonly unit: string | null;
  readonly offset: number | null;
  readonly isEmpty: boolean;
}

/** The profile given by the caller, or of the program whose headers are all present; null for none. */
export function profileOf(header: readonly string[], { profile }: TableHints): TableProfile | null {
  if (profile === null) return null;
  if (typeof profile === 'object') return profile;
  if (typeof profile === 'string') return PROFILES.find(({ name }) => name === profile) ?? null;
  return PROFILES.find((row) => row.headers !== undefined && hasHeaders(header, row.headers)) ?? null;
}

/** Whether the header has all names of the profile, in any case. */
export function hasHeaders(header: readonly string[], names: readonly string[]): boolean {
  const own = new Set(header.map((name) => name.trim().toLowerCase()));
  return names.every((name) => own.has(name.toLowerCase()));
}

export function columnFacts(
  header: readonly string[],
  units: readonly string[],
  hints: TableHints,
  profile: TableProfile | null,
  isEmpty: (column: number) => boolean,
): ColumnFact[] {
  const callers = objects(hints.columns);
  const own = objects(profile?.columns);
  const isWhole = callers.length === header.length && callers.every((column, i) => column.name === header[i]);
  return header.map((name, index) => {
    const facts = headerFacts(name);
    const caller = isWhole ? callers[index] : givenFor(name, header, callers);
    const given = caller ?? givenFor(name, header, own);
    const fact =
      given?.role === undefined || given.role === null
        ? facts[0]
        : (facts.find(({ role }) => role === given.role) ?? facts[0]);
    const under = units[index] ?? '';
    const unit = given?.unit ?? fact?.unit ?? (under === '' ? null : unitOf(under));
    const offset = fact?.offset ?? (under === '' ? null : zoneOffset(under));
    return {
      name,
      index,
      facts,
      given: given?.role,
      givenFormat: given?.format ?? null,
      isByCaller: caller !== undefined && caller.role !== undefined,
      unit,
      offset,
      isEmpty: isEmpty(index),
    };
  });
}

function objects(columns: TableHints['columns']): readonly Partial<TableColumn>[] {
  return (columns ?? []).filter((column): column is Partial<TableColumn> => typeof column !== 'string');
}

/** The given row for a header: by its exact name, else by the same letters and digits if no header has the exact name. */
function givenFor(
  name: string,
  header: readonly string[],
  rows: readonly Partial<TableColumn>[],
): Partial<TableColumn> | undefined {
  const exact = rows.find((row) => row.name?.trim() === name.trim());
  if (exact !== undefined) return exact;
  return rows.find(
    (row) =>
      row.name !== undefined &&
      plainWord(row.name) === plainWord(name) &&
      !header.some((other) => other.trim() === row.name?.trim()),
  );
}

function unitOf(text: string): string | null {
  for (const measure of ['speed', 'length', 'angle', 'time'] as const) {
    const found = unitIn(text, measure);
    if (found !== null) return found.unit;
  }
  return null;
}

/** Columns that can have the role, the best first: those named by the caller, else those of the lowest rank that are not empty. */
export function candidates(
  columns: readonly ColumnFact[],
  role: TableRole,
): (ColumnFact & { readonly rank: number })[] {
  const named = columns.filter((column) => column.given === role);
  if (named.length > 0) return named.map((column) => ({ ...column, rank: -1 }));
  const found = columns.flatMap((column) => {
    if (column.given !== undefined) return [];
    const fact = column.facts.find((own) => own.role === role);
    return fact === undefined ? [] : [{ ...column, rank: fact.rank }];
  });
  const filled = found.filter(({ isEmpty }) => !isEmpty);
  return (filled.length > 0 ? filled : found).sort((a, b) => a.rank - b.rank || a.index - b.index);
}

/** Profiles of programs, the most specific headers first. */
export const PROFILES: readonly TableProfile[] = [
  {
    name: 'traccar',
    headers: ['deviceId', 'fixTime', 'protocol'],
    speedUnit: 'knots',
    columns: [
      { name: 'deviceId', role: 'unit' },
      { name: 'fixTime', role: 'time' },
      { name: 'totalDistance', role: 'mileage', unit: 'm' },
      { name: 'attributes.totalDistance', role: 'mileage', unit: 'm' },
      { name: 'attributes.ignition', role: 'ignition' },
      { name: 'attributes.sat', role: 'satellites' },
    ],
  },
  {
    name: 'gpslogger',
    headers: ['ageofdgpsdata', 'provider', 'elevation'],
    speedUnit: 'mps',
  },
  {
    name: 'gpslogger',
    headers: ['time', 'lat', 'lon', 'elevation', 'accuracy', 'bearing', 'speed'],
    speedUnit: 'mps',
  },
  {
    name: 'basicairdata',
    headers: ['type', 'date time', 'geoid_height(m)', 'sat_inview'],
    timeZone: 'UTC',
    columns: [{ name: 'name', role: 'unit', format: 'fill-down' }],
  },
  {
    name: 'google-records',
    headers: ['latitudeE7', 'longitudeE7', 'timestamp'],
    speedUnit: 'mps',
    columns: [{ name: 'deviceTag', role: 'unit' }],
  },
  {
    name: 'owntracks',
    headers: ['tst', 'lat', 'lon', 'acc', 'tid'],
    speedUnit: 'kph',
    columns: [
      { name: 'tid', role: 'unit' },
      { name: 'tst', role: 'time' },
      { name: 'acc', role: 'accuracy' },
      { name: 'vel', role: 'speed' },
    ],
  },
  {
    name: 'samsara',
    headers: ['vehicle.id', 'time', 'speedMilesPerHour'],
    columns: [{ name: 'vehicle.id', role: 'unit' }],
  },
  {
    name: 'wialon',
    headers: ['t', 'pos.y', 'pos.x'],
    speedUnit: 'kph',
    columns: [
      { name: 't', role: 'time' },
      { name: 'pos.y', role: 'lat' },
      { name: 'pos.x', role: 'lon' },
      { name: 'pos.z', role: 'altitude' },
      { name: 'pos.s', role: 'speed' },
      { name: 'pos.c', role: 'course' },
      { name: 'pos.sc', role: 'satellites' },
    ],
  },
  {
    name: 'navixy',
    headers: ['msg_time', 'gps_fix_type'],
    columns: [
      { name: 'msg_time', role: 'time' },
      { name: 'gps_fix_type', role: 'valid' },
    ],
  },
  {
    name: 'movebank',
    headers: ['timestamp', 'location-long', 'location-lat'],
    timeZone: 'UTC',
    speedUnit: 'mps',
    columns: [
      { name: 'location-long', role: 'lon' },
      { name: 'location-lat', role: 'lat' },
    ],
  },
  {
    name: 'ais',
    headers: ['MMSI', 'BaseDateTime'],
    timeZone: 'UTC',
  },
  {
    name: 'ais',
    headers: ['# Timestamp', 'MMSI', 'SOG'],
    timeZone: 'UTC',
  },
  {
    name: 'flespi',
    headers: ['ident', 'position.latitude', 'position.longitude'],
    speedUnit: 'kph',
    columns: [
      { name: 'timestamp', role: 'time' },
      { name: 'position.direction', role: 'course' },
    ],
  },
  {
    name: 'gtfs-shapes',
    headers: ['shape_id', 'shape_pt_lat', 'shape_pt_lon', 'shape_pt_sequence'],
  },
  {
    name: 'osmand',
    headers: ['deviceid', 'timestamp', 'bearing', 'batt'],
    columns: [{ name: 'deviceid', role: 'unit' }],
  },
  {
    name: 'geotab',
    headers: ['device_id', 'vehicleLicensePlate', 'dateTime'],
    columns: [{ name: 'device_id', role: 'unit' }],
  },
];
