/** Describes a table, for `describeTable` and for the readers of its rows. */

import { candidates, columnFacts, hasHeaders, profileOf } from './columnFacts.js';
import { decimalOf, factorsOf, isSpeedWithUnit } from './decimalOf.js';
import { judgeFixes } from './judgeFixes.js';
import { judgeTimes } from './judgeTimes.js';
import { judgeZones, orderOfVertices, verticesColumn } from './judgeZones.js';
import {
  askColumns,
  askKind,
  askMissing,
  describedColumn,
  extraCells,
  kindOf,
  sayForm,
  sayRival,
} from './kindOf.js';
import { zoneOfTimes } from './localTimes.js';
import type { OpenTable } from './openTable.js';
import { placeOf } from './placeOf.js';
import {
  asks,
  makeNotes,
  type TableDescription,
  type TableHints,
  type TableKind,
  type TableNote,
  type TableProfile,
  type TableRole,
} from './tableDescription.js';
import type { ReadyTable, TableDraft } from './tableDraft.js';
import { tableNumber } from './tableNumber.js';
import { tableParts } from './tableParts.js';
import { monthNames } from './unitWords.js';

/** Codes of questions about one quantity or some units, not all rows. */
const PARTIAL: ReadonlySet<TableNote['code']> = new Set<TableNote['code']>(['speed-unit', 'mileage-unit']);

/** Facts for reading the rows of a table, before they are judged. */
type TableBase = Omit<
  ReadyTable,
  'description' | 'isReadable' | 'unitId' | 'suspects' | 'swapped' | 'fillsUnits'
>;

/** Describes an opened table. Cost: O(cells). */
export function readyTable(open: OpenTable, given: TableHints): ReadyTable {
  const notes = makeNotes();
  const hints = withProfileFields(given);
  sayForm(open, hints, notes);
  const parts = tableParts(open, hints);
  const header = parts.header?.cells ?? [];
  const rows = parts.sections.flatMap((section) => section.rows);
  const profile = profileOf(header, hints);
  const known = profile === null ? hints : { ...profileHints(profile), ...defined(hints) };
  if (profile !== null) {
    if (profile.headers !== undefined && !hasHeaders(header, profile.headers)) {
      notes.ask(
        'profile-mismatch',
        `expected the columns ${profile.headers.join(', ')} of the profile ${profile.name}, received ${header.slice(0, 20).join(', ')}`,
        '',
      );
    }
  }
  const columns = columnFacts(header, parts.units, known, profile, (index) =>
    rows.every(({ cells }) => (cells[index] ?? '').trim() === ''),
  );
  askMissing(header, hints, notes);
  const decimal = known.decimal ?? decimalOf(columns, rows, open, notes);
  const time = judgeTimes(columns, rows, known, monthNames(), decimal);
  const vertices = time.isFound ? null : verticesColumn(columns, rows);
  const table = { vertices, open, parts, header, rows, columns, decimal, known, profile, time, notes };
  if (parts.titleLines > 0)
    notes.say(`${parts.titleLines} ${parts.titleLines === 1 ? 'row' : 'rows'} before the header`);
  if (parts.totals > 0)
    notes.say(`${parts.totals} total ${parts.totals === 1 ? 'row is' : 'rows are'} left out`);
  if (parts.isHeaderless && parts.header !== null)
    notes.say('the table has no header; its columns are those of the caller');
  return finished(table);
}

function finished(draft: TableDraft): ReadyTable {
  const { open, parts, header, rows, columns, decimal, known, profile, time, notes } = draft;
  const kind = kindOf(draft);
  const isFixes = kind === 'fixes';
  const { at, contested } = columnsByRole(draft, isFixes);
  const vertexOrder = at.vertices === undefined ? null : orderOfVertices(draft, at.vertices);
  const place =
    at.vertices === undefined
      ? placeOf(draft, at, isFixes)
      : ({ form: 'degrees', axisOrder: 'latlon' } as const);
  if (at.position !== undefined && at.lat !== undefined && at.lon !== undefined) delete at.position;
  if (kind === 'unknown') askColumns(draft);
  askKind(draft);
  if (isFixes && !asks(notes, 'table-kind')) {
    for (const note of time.assumptions) notes.assumptions.push(note);
    for (const note of time.questions) notes.questions.push(note);
    if (at.lat === undefined && at.position === undefined && place.form !== 'wkt') askColumns(draft);
  }
  const isFit = place.form === 'semicircles' && isFixes && hasFitTimes(draft);
  if (isFit) notes.say('seconds count from 1989-12-31, as in the FIT files that have semicircles');
  const freeText = extraCells(draft, at);
  const timeZone = zoneOfTimes(draft, isFixes);
  const factors = factorsOf(draft, at, isFixes);
  const hasSpeedWords =
    at.speed !== undefined &&
    factors.speed === undefined &&
    rows.some(({ cells }) => isSpeedWithUnit(cells[at.speed!] ?? ''));
  const base: TableBase = {
    parts,
    open,
    header,
    at,
    decimal,
    time: isFit ? { ...time.form, zero: FIT_ZERO } : time.form,
    offset: time.offset ?? (open.timeZone === 'UTC' ? 0 : null),
    place,
    vertexOrder,
    factors,
    hasSpeedWords,
    freeText,
    leavesOutInvalid: profile?.name === 'traccar',
  };
  const fillsUnits = columns.some((column) => column.index === at.unit && column.givenFormat === 'fill-down');
  const { unitId, suspects } = isFixes
    ? judgeFixes(draft, base, fillsUnits, timeZone)
    : { unitId: '', suspects: new Set<string>() };
  if (kind === 'zones') judgeZones(draft, at);
  return {
    ...base,
    fillsUnits,
    unitId,
    suspects: known.swappedUnits === undefined ? suspects : new Set(),
    swapped: new Set(known.swappedUnits ?? []),
    description: descriptionOf(draft, base, kind, timeZone, contested),
    isReadable:
      kind !== 'unknown' &&
      notes.questions.every(({ code, flag }) => PARTIAL.has(code) || flag.startsWith('--swapped-units')),
  };
}

/** Columns of a table by role, and the roles that two columns claim with equal right. */
function columnsByRole(
  draft: TableDraft,
  isFixes: boolean,
): { readonly at: Partial<Record<TableRole, number>>; readonly contested: ReadonlySet<TableRole> } {
  const { rows, columns, time, notes } = draft;
  const at: Partial<Record<TableRole, number>> = {};
  const contested = new Set<TableRole>();
  if (isFixes) Object.assign(at, time.at);
  for (const role of isFixes ? FIX_ROLES : ZONE_ROLES) {
    const [first, second] = candidates(columns, role);
    if (first === undefined) continue;
    if (Object.values(at).includes(first.index)) continue;
    at[role] = first.index;
    if (second !== undefined && second.rank === first.rank) {
      if (sayRival(role, first, second, rows, notes)) contested.add(role);
    } else if (role === 'unit' && second !== undefined)
      notes.say(`unit is ${JSON.stringify(first.name)}, not ${JSON.stringify(second.name)}`, '--unit-column');
  }
  if (!isFixes && draft.vertices !== null) {
    for (const role of ['wkt', 'position', 'lat', 'lon'] as const) delete at[role];
    at.vertices = draft.vertices;
  } else delete at.vertices;
  if (at.latHemisphere === undefined && at.lonHemisphere === undefined && at.position === undefined)
    addHemispheres(draft, at);
  return { at, contested };
}

function descriptionOf(
  draft: TableDraft,
  base: TableBase,
  kind: TableKind,
  timeZone: string | null,
  contested: ReadonlySet<TableRole>,
): TableDescription {
  const { open, parts, columns, decimal, known, profile, notes } = draft;
  return {
    form: open.form,
    kind,
    profile: profile?.name ?? null,
    ...answersOf(known),
    encoding: asks(notes, 'encoding-unknown') ? null : open.encoding.encoding,
    delimiter: open.delimiter,
    decimal,
    quote: open.form === 'delimited' ? '"' : null,
    sheet: open.sheet,
    headerLine: parts.isHeaderless ? 0 : (parts.header?.line ?? 0),
    columns: columns.map((column) => describedColumn(column, draft, base, kind, contested)),
    timeZone,
    assumptions: notes.assumptions,
    questions: notes.questions,
  };
}

/** Adds columns of N or S, and of E or W, as the hemispheres of the positions, whatever their names. */
function addHemispheres({ rows, columns, notes }: TableDraft, at: Partial<Record<TableRole, number>>): void {
  const used = new Set(Object.values(at));
  const holds = (pattern: RegExp): number | undefined =>
    columns.find(
      ({ index, given }) =>
        given === undefined &&
        !used.has(index) &&
        rows.length > 0 &&
        rows.every(({ cells }) => pattern.test((cells[index] ?? '').trim())),
    )?.index;
  const [lat, lon] = [holds(/^[NS]$/i), holds(/^[EW]$/i)];
  if (lat === undefined || lon === undefined || at.lat === undefined) return;
  at.latHemisphere = lat;
  at.lonHemisphere = lon;
  notes.say(
    `${JSON.stringify(columns[lat]!.name)} and ${JSON.stringify(columns[lon]!.name)} are the sides of the positions`,
  );
}

const FIT_ZERO = Date.UTC(1989, 11, 31);
/** Number of seconds below which times are those of FIT files: up to 2031 there, but before 2012 as seconds since 1970. */
const MOST_FIT = 1_300_000_000;

/** Whether the times are numbers of seconds as in FIT files. */
function hasFitTimes({ rows, time, decimal }: TableDraft): boolean {
  if (time.form.numbers !== 'seconds' || time.at.time === undefined) return false;
  const column = time.at.time;
  return rows.every(({ cells }) => (tableNumber(cells[column] ?? '', decimal) ?? 0) < MOST_FIT);
}

const ANSWERS = [
  'date',
  'dateOrder',
  'speedUnit',
  'mileageUnit',
  'radiusUnit',
  'coordinates',
  'axisOrder',
  'swappedUnits',
  'unitId',
  'fileName',
] as const satisfies readonly (keyof TableDescription & keyof TableHints)[];

type TableAnswer = (typeof ANSWERS)[number];

function answersOf(known: TableHints): Pick<TableHints, TableAnswer> {
  return Object.fromEntries(
    ANSWERS.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])),
  ) as Pick<TableHints, TableAnswer>;
}

const FIX_ROLES: readonly TableRole[] = [
  'unit',
  'lat',
  'lon',
  'position',
  'latHemisphere',
  'lonHemisphere',
  'speed',
  'course',
  'altitude',
  'accuracy',
  'satellites',
  'ignition',
  'mileage',
  'mileageDelta',
  'valid',
];

const ZONE_ROLES: readonly TableRole[] = [
  'wkt',
  'lat',
  'lon',
  'position',
  'latHemisphere',
  'lonHemisphere',
  'id',
  'name',
  'radius',
  'radiusUnit',
  'width',
  'vertexOrder',
];

/** The hints without undefined ones. */
function defined<T extends object>(hints: T): T {
  return Object.fromEntries(
    Object.entries(hints).filter(([, value]) => value !== undefined && value !== null),
  ) as T;
}

/** The fields of a profile that are hints. */
function profileHints(profile: TableProfile): TableHints {
  const { name: _name, headers: _headers, columns: _columns, ...hints } = profile;
  return hints;
}

/** The hints with the fields of a profile given as an object; the caller's own hints take precedence. */
function withProfileFields(hints: TableHints): TableHints {
  const { profile } = hints;
  return typeof profile === 'object' && profile !== null
    ? { ...profileHints(profile), ...defined(hints) }
    : defined(hints);
}
