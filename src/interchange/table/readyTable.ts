/** Describes a table: what `describeTable` returns, and what readers of its rows need. */

import { describe } from '../../core/errors.js';
import { isTorn, likelySpeedUnit, type Point, partsWell, speedRatio } from '../common/isTorn.js';
import { suspectUnits } from '../common/suspectUnits.js';
import { cellPlace, cellTime, type PlaceForm, type RoleColumns, type TimeForm } from './cellTime.js';
import { type ColumnFact, candidates, columnFacts, hasHeaders, profileOf } from './columnFacts.js';
import { plainWord } from './headerFacts.js';
import { judgeTimes, type TimeFinding } from './judgeTimes.js';
import { likelyZone } from './likelyZone.js';
import { monthNames } from './monthNames.js';
import { nameOfFile } from './nameOfFile.js';
import type { OpenTable } from './openTable.js';
import type { PositionForm } from './positionForm.js';
import { isPointText, pairTexts } from './positionForm.js';
import { PositionJudge } from './positionJudge.js';
import type { TableRow } from './splitRows.js';
import type {
  TableColumn,
  TableDescription,
  TableHints,
  TableKind,
  TableNote,
  TableProfile,
  TableRole,
} from './tableDescription.js';
import { numberAndWord, tableNumber } from './tableNumber.js';
import { type TableParts, tableParts } from './tableParts.js';
import { factorOf, unitIn } from './unitWords.js';

/** A described table with what its rows are read by. */
export interface ReadyTable {
  readonly description: TableDescription;
  readonly parts: TableParts;
  readonly open: OpenTable;
  readonly header: readonly string[];
  readonly at: RoleColumns;
  readonly decimal: '.' | ',';
  readonly time: TimeForm;
  /** Minutes east of UTC of times without a zone that the header names; null: none. */
  readonly offset: number | null;
  readonly place: PlaceForm;
  /** Factors to km/h and metres by role; null: the quantity is not read. */
  readonly factors: Readonly<Partial<Record<TableRole, number | null>>>;
  /** Units of the cells themselves are read too. */
  readonly hasSpeedWords: boolean;
  /** An empty unit cell means the unit of the row before. */
  readonly fillsUnits: boolean;
  /** Cells from this one on are not read in rows with more cells than the header; null: such rows are left out. */
  readonly freeText: number | null;
  /** Unit of rows without one. */
  readonly unitId: string;
  readonly suspects: ReadonlySet<string>;
  readonly swapped: ReadonlySet<string>;
  readonly leavesOutInvalid: boolean;
  /** Whether rows can be read: no question is about all of them. */
  readonly isReadable: boolean;
}

/** Below this the encoding is asked. */
const LEAST_CONFIDENCE = 0.2;
/** Fixes that are looked at for the continuity of units. */
const SAMPLE = 20_000;
const FREE_TEXT =
  /address|адрес|annotation|comment|коммент|описание|описанье|adresse|direccion|dirección|indirizzo|adres/i;
/** Questions that concern one quantity or some units, not all rows. */
const PARTIAL: ReadonlySet<TableNote['code']> = new Set<TableNote['code']>(['speed-unit', 'mileage-unit']);

interface Notes {
  readonly assumptions: TableNote[];
  readonly questions: TableNote[];
  readonly say: (message: string, flag?: string) => void;
  readonly ask: (code: TableNote['code'], message: string, flag: string) => void;
}

function makeNotes(): Notes {
  const assumptions: TableNote[] = [];
  const questions: TableNote[] = [];
  return {
    assumptions,
    questions,
    say: (message, flag = '') => void assumptions.push({ code: 'table-assumed', message, flag }),
    ask: (code, message, flag) => void questions.push({ code, message, flag }),
  };
}

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
  const table = { open, parts, header, rows, columns, decimal, known, profile, time, notes };
  if (parts.titleLines > 0)
    notes.say(`${parts.titleLines} ${parts.titleLines === 1 ? 'row' : 'rows'} before the header`);
  if (parts.totals > 0)
    notes.say(`${parts.totals} total ${parts.totals === 1 ? 'row is' : 'rows are'} left out`);
  if (parts.isHeaderless && parts.header !== null)
    notes.say('the table has no header; its columns are those of the caller');
  return finished(table);
}

interface Draft {
  readonly open: OpenTable;
  readonly parts: TableParts;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  readonly columns: readonly ColumnFact[];
  readonly decimal: '.' | ',';
  readonly known: TableHints;
  readonly profile: TableProfile | null;
  readonly time: TimeFinding;
  readonly notes: Notes;
}

function defined<T extends object>(hints: T): T {
  return Object.fromEntries(
    Object.entries(hints).filter(([, value]) => value !== undefined && value !== null),
  ) as T;
}

function profileHints(profile: TableProfile): TableHints {
  const { name, headers, columns, ...rest } = profile;
  void name;
  void headers;
  void columns;
  return rest;
}

/** A profile given as an object: its fields are hints, below those of the caller. */
function withProfileFields(hints: TableHints): TableHints {
  const { profile } = hints;
  return typeof profile === 'object' && profile !== null
    ? { ...profileHints(profile), ...defined(hints) }
    : defined(hints);
}

function sayForm(open: OpenTable, hints: TableHints, notes: Notes): void {
  const { encoding } = open.encoding;
  if (encoding !== 'utf-8' && hints.encoding === undefined) {
    if (open.encoding.confidence < LEAST_CONFIDENCE) {
      notes.ask(
        'encoding-unknown',
        `the bytes are not UTF-8, and their letters do not show the encoding; the likeliest is ${encoding}`,
        `--encoding ${encoding}`,
      );
    } else notes.say(`encoding ${encoding}`, '--encoding');
  }
  if (open.sheet !== null) {
    const others =
      open.otherSheets.length === 0
        ? ''
        : `, not ${open.otherSheets
            .slice(0, 10)
            .map((name) => JSON.stringify(name))
            .join(', ')}`;
    notes.say(`sheet ${open.sheet}${others}`, '--sheet');
  }
  if (open.hasDateCells) notes.say('times are date cells');
  for (const note of open.notes) notes.say(note);
  for (const [reason, count] of open.leftOut)
    notes.say(`${count} ${count === 1 ? 'line is' : 'lines are'} left out: ${reason}`);
}

const NUMBER_ROLES: readonly TableRole[] = ['lat', 'lon', 'speed', 'radius', 'altitude', 'mileage'];

/** The decimal mark of the columns of numbers. */
function decimalOf(
  columns: readonly ColumnFact[],
  rows: readonly TableRow[],
  open: OpenTable,
  notes: Notes,
): '.' | ',' {
  let commas = 0;
  let points = 0;
  const own = columns.filter(({ facts, given }) =>
    NUMBER_ROLES.some((role) => given === role || facts.some((fact) => fact.role === role)),
  );
  const sure = own.filter(({ facts }) =>
    facts.some(({ role }) => role === 'lat' || role === 'lon' || role === 'radius'),
  );
  for (const { index } of sure.length > 0 ? sure : own) {
    for (const { cells } of rows) {
      const cell = cells[index] ?? '';
      if (/\d,\d/.test(cell) && !/\d\.\d/.test(cell)) commas++;
      else if (/\d\.\d/.test(cell)) points++;
    }
  }
  if (commas === 0 || commas <= points) {
    if (points > 0 || commas > 0) return '.';
    const others = own.some(({ index }) =>
      rows.some(({ cells }) => /^\s*[+-]?\d+,\d{1,2}\s*$/.test(cells[index] ?? '')),
    );
    return others ? ',' : '.';
  }
  if (open.form === 'delimited') notes.say('decimal comma', '--decimal');
  return ',';
}

function finished(draft: Draft): ReadyTable {
  const { open, parts, header, rows, columns, decimal, known, profile, time, notes } = draft;
  const at: Partial<Record<TableRole, number>> = {};
  const kind = kindOf(draft);
  const isFixes = kind === 'fixes';
  if (isFixes) Object.assign(at, time.at);
  for (const role of isFixes ? FIX_ROLES : ZONE_COLUMNS) {
    const [first, second] = candidates(columns, role);
    if (first === undefined) continue;
    if (Object.values(at).includes(first.index)) continue;
    at[role] = first.index;
    if (second !== undefined && second.rank === first.rank) sayRival(role, first, second, rows, notes);
    else if (role === 'unit' && second !== undefined)
      notes.say(`unit is ${JSON.stringify(first.name)}, not ${JSON.stringify(second.name)}`, '--unit-column');
  }
  const place = placeOf(draft, at, isFixes);
  if (at.position !== undefined && at.lat !== undefined && at.lon !== undefined) delete at.position;
  if (kind === 'unknown') askColumns(draft);
  if (isFixes) {
    for (const note of time.assumptions) notes.assumptions.push(note);
    for (const note of time.questions) notes.questions.push(note);
    if (at.lat === undefined && at.position === undefined && place.form !== 'wkt') askColumns(draft);
  }
  const freeText = extraCells(draft, at);
  const timeZone = zoneOf(draft, isFixes);
  const factors = factorsOf(draft, at, isFixes);
  const hasSpeedWords =
    at.speed !== undefined &&
    factors.speed === undefined &&
    rows.some(({ cells }) => isSpeedWithUnit(cells[at.speed!] ?? ''));
  const base: Omit<
    ReadyTable,
    'description' | 'isReadable' | 'unitId' | 'suspects' | 'swapped' | 'fillsUnits'
  > = {
    parts,
    open,
    header,
    at,
    decimal,
    time: time.form,
    offset: time.offset ?? (open.timeZone === 'UTC' ? 0 : null),
    place,
    factors,
    hasSpeedWords,
    freeText,
    leavesOutInvalid: profile?.name === 'traccar',
  };
  const fillsUnits = columns.some((column) => column.index === at.unit && column.givenFormat === 'fill-down');
  const { unitId, suspects } = isFixes
    ? judgeFixes(draft, base, fillsUnits)
    : { unitId: '', suspects: new Set<string>() };
  if (kind === 'zones') judgeZones(draft, at);
  const swapped = new Set(known.swappedUnits ?? []);
  const description: TableDescription = {
    form: open.form,
    kind,
    profile: profile?.name ?? null,
    encoding: open.encoding.encoding,
    delimiter: open.delimiter,
    decimal,
    quote: open.form === 'delimited' ? '"' : null,
    sheet: open.sheet,
    headerLine: parts.isHeaderless ? 0 : (parts.header?.line ?? 0),
    columns: columns.map((column) => described(column, draft, base, kind)),
    timeZone,
    assumptions: notes.assumptions,
    questions: notes.questions,
  };
  return {
    ...base,
    fillsUnits,
    unitId,
    suspects: known.swappedUnits === undefined ? suspects : new Set(),
    swapped,
    description,
    isReadable:
      kind !== 'unknown' &&
      notes.questions.every(({ code, flag }) => PARTIAL.has(code) || flag.startsWith('--swapped-units')),
  };
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

const ZONE_COLUMNS: readonly TableRole[] = [
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

function kindOf({ known, columns, time, header, rows }: Draft): TableKind {
  if (known.kind !== undefined && known.kind !== 'unknown') return known.kind;
  if (header.length === 0 && known.kind === undefined) return 'unknown';
  const has = (role: TableRole): boolean => candidates(columns, role).length > 0;
  const hasPlace = (has('lat') && has('lon')) || has('position');
  const wkt = candidates(columns, 'wkt')[0];
  const isPoints =
    wkt !== undefined && rows.length > 0 && rows.every(({ cells }) => isPointText(cells[wkt.index] ?? ''));
  if (time.isFound && (hasPlace || isPoints)) return 'fixes';
  if (wkt !== undefined) return 'zones';
  if (!hasPlace) return 'unknown';
  return has('radius') || has('name') || has('id') || has('vertexOrder') ? 'zones' : 'unknown';
}

/** The caller names columns that the header lacks. */
function askMissing(header: readonly string[], hints: TableHints, notes: Notes): void {
  const own = new Set(header.map(plainWord));
  for (const column of hints.columns ?? []) {
    if (
      typeof column === 'string' ||
      column.name === undefined ||
      column.role === undefined ||
      column.role === null
    )
      continue;
    if (own.has(plainWord(column.name))) continue;
    notes.ask(
      'columns-unknown',
      `expected a column ${JSON.stringify(column.name)}, received ${header.slice(0, 30).join(', ')}`,
      '',
    );
  }
}

function askColumns({ parts, notes, known }: Draft): void {
  if (known.kind === 'zones') return;
  const shown = parts.firstRows.map(({ cells }) => cells.slice(0, 12).join(' | ')).join(' // ');
  notes.ask(
    'columns-unknown',
    `expected a header with columns of a time and a position, received ${describe(shown)}`,
    '--columns unit,time,lat,lon,speed',
  );
}

function sayRival(
  role: TableRole,
  first: ColumnFact,
  second: ColumnFact,
  rows: readonly TableRow[],
  notes: Notes,
): void {
  const same = rows.every(({ cells }) => cells[first.index] === cells[second.index]);
  if (same) return;
  const names = `${JSON.stringify(first.name)} and ${JSON.stringify(second.name)}`;
  if (role === 'lat' || role === 'lon' || role === 'unit') {
    notes.ask(
      'columns-unknown',
      `expected one column for ${role}, received ${names}`,
      `--${role}-column ${JSON.stringify(first.name)}`,
    );
  } else notes.say(`${role} is ${JSON.stringify(first.name)}, not ${JSON.stringify(second.name)}`);
}

function placeOf(draft: Draft, at: Partial<Record<TableRole, number>>, isFixes: boolean): PlaceForm {
  const { rows, columns, decimal, known, notes } = draft;
  const judge = new PositionJudge(decimal);
  const usesPair = at.lat === undefined || at.lon === undefined;
  const wkt = isFixes ? candidates(columns, 'wkt')[0]?.index : undefined;
  const pair = usesPair ? (at.position ?? wkt) : undefined;
  if (usesPair && at.position === undefined && wkt !== undefined) at.wkt = wkt;
  let firstBeyond = 0;
  let secondBeyond = 0;
  for (const { cells } of rows) {
    if (pair === undefined) judge.add(cells[at.lat ?? -1] ?? '', cells[at.lon ?? -1] ?? '');
    else {
      judge.addPair(cells[pair] ?? '');
      const [a, b] = (pairTexts(cells[pair] ?? '') ?? []).map((half) =>
        Math.abs(tableNumber(half, decimal) ?? 0),
      );
      if ((a ?? 0) > 90) firstBeyond++;
      if ((b ?? 0) > 90) secondBeyond++;
    }
  }
  const found = judge.form;
  const givenFormat = columns.find(({ index }) => index === (pair ?? at.lat))?.givenFormat ?? null;
  const unit = columns.find(({ index }) => index === at.lat)?.unit ?? null;
  const chosen = (known.coordinates ?? formName(givenFormat) ?? formName(unit)) as
    | PositionForm
    | null
    | undefined;
  const isWkt = found === 'wkt';
  const axisOrder =
    known.axisOrder ?? (isWkt ? 'lonlat' : firstBeyond > 0 && secondBeyond === 0 ? 'lonlat' : 'latlon');
  if (isWkt) return { form: 'wkt', axisOrder };
  if (pair !== undefined && rows.length > 0 && known.axisOrder === undefined && judge.cells > 0) {
    notes.say(
      `positions of one cell are ${axisOrder === 'latlon' ? 'latitude, longitude' : 'longitude, latitude'}`,
      `--axis-order ${axisOrder === 'latlon' ? 'lonlat' : 'latlon'}`,
    );
  }
  if (chosen !== null && chosen !== undefined && (chosen !== 'degrees' || known.coordinates === 'degrees')) {
    if (known.coordinates === undefined && formName(unit) === chosen)
      notes.say(
        `positions are ${chosen} ${chosen.startsWith('1e') ? 'degrees ' : ''}by the header`,
        '--coordinates',
      );
    return { form: chosen, axisOrder };
  }
  if (found === 'exchanged') {
    notes.ask(
      'axis-order-suspect',
      'latitudes are beyond 90° and longitudes are not: the columns seem exchanged',
      lonLatFlags(columns, at),
    );
    return { form: 'degrees', axisOrder };
  }
  if (Array.isArray(found)) {
    const forms = found as readonly PositionForm[];
    if (
      forms.length === 1 &&
      forms[0] === 'ddmm' &&
      at.latHemisphere !== undefined &&
      at.lonHemisphere !== undefined
    ) {
      notes.say('positions are degrees and minutes (ddmm.mmmm)', '--coordinates degrees');
      return { form: 'ddmm', axisOrder };
    }
    const best = forms.at(-1) ?? 'degrees';
    notes.ask(
      'coordinate-form-unknown',
      `positions are not degrees; they can be ${forms.map((form) => exampleOf(draft, at, form, axisOrder)).join(' or ')}`,
      `--coordinates ${best}`,
    );
    return { form: best, axisOrder };
  }
  if (found === null && judge.cells > 0 && rows.length > 0 && isFixes) {
    notes.ask(
      'coordinate-form-unknown',
      `positions are in no known form: ${describe(rows[0]!.cells[at.lat ?? pair ?? 0] ?? '')}`,
      '--coordinates',
    );
  }
  return {
    form: typeof found === 'string' && found !== null ? (found as PositionForm) : 'degrees',
    axisOrder,
  };
}

function formName(text: string | null): PositionForm | null {
  const names: readonly string[] = ['degrees', 'dms', 'ddmm', '1e-5', '1e-6', '1e-7'];
  return text !== null && names.includes(text) ? (text as PositionForm) : null;
}

function exampleOf(
  { rows, decimal }: Draft,
  at: RoleColumns,
  form: PositionForm,
  axisOrder: 'latlon' | 'lonlat',
): string {
  for (const { cells } of rows) {
    const place = cellPlace(cells, at, { form, axisOrder }, decimal);
    if (place !== null) return `${form} (latitude ${place[1].toFixed(4)}, longitude ${place[0].toFixed(4)})`;
  }
  return form;
}

function lonLatFlags(columns: readonly ColumnFact[], at: RoleColumns): string {
  const name = (index: number | undefined): string => JSON.stringify(columns[index ?? 0]?.name ?? '');
  return `--lat-column ${name(at.lon)} --lon-column ${name(at.lat)}`;
}

/** Rows with more cells than the header: free text without quotes, or numbers cut at a decimal comma. */
function extraCells({ rows, header, open, notes }: Draft, at: RoleColumns): number | null {
  if (open.form !== 'delimited' || header.length === 0) return null;
  const longer = rows.filter(({ cells }) => cells.slice(header.length).some((cell) => cell.trim() !== ''));
  if (longer.length === 0) return null;
  const needed = [at.time, at.date, at.clock, at.lat, at.lon, at.position].filter(
    (index) => index !== undefined,
  );
  const text = header.findIndex((name, i) => FREE_TEXT.test(name) && needed.every((index) => index < i));
  if (text >= 0) {
    const most = Math.max(...longer.map(({ cells }) => cells.length - header.length));
    notes.say(
      `${longer.length} rows have up to ${most} cells more than the header; only the cells before ${JSON.stringify(header[text])} are read in them`,
    );
    return text;
  }
  if (longer.length > rows.length / 2) {
    notes.ask(
      'cells-more-than-header',
      `${longer.length} rows have more cells than the ${header.length} of the header, as numbers cut at a decimal comma; save the table with another delimiter`,
      '',
    );
  }
  return null;
}

function zoneOf({ known, time, open, notes }: Draft, isFixes: boolean): string | null {
  if (!isFixes) return null;
  const given = known.timeZone ?? open.timeZone;
  if (given !== null && given !== undefined) {
    if (known.timeZone !== undefined && time.needsZone && time.offset === null && open.timeZone === null)
      return given;
    return given;
  }
  if (!time.needsZone || time.offset !== null) return null;
  const named = known.fileName === undefined ? null : zoneInName(known.fileName);
  if (named !== null) {
    notes.say(`times are of the zone ${named}, which the name of the file says`, `--time-zone ${named}`);
    return named;
  }
  notes.ask('time-zone-missing', 'the times have no zone', '--time-zone UTC');
  return null;
}

const ZONE_IN_NAME =
  /(?:^|[^A-Za-z])(Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)[-_ ]([A-Z][a-z]+(?:_[A-Z][a-z]+)?)/;

function zoneInName(name: string): string | null {
  const match = ZONE_IN_NAME.exec(name);
  if (match === null) return null;
  for (const city of [match[2]!, match[2]!.split('_')[0]!]) {
    const zone = `${match[1]}/${city}`;
    try {
      new Intl.DateTimeFormat('en-US', { timeZone: zone });
      return zone;
    } catch {
      // Another word of the name.
    }
  }
  return null;
}

function isSpeedWithUnit(text: string): boolean {
  const found = numberAndWord(text);
  return found !== null && found.word !== '' && unitIn(found.word, 'speed') !== null;
}

const LENGTH_ROLES: readonly TableRole[] = ['altitude', 'accuracy', 'mileage', 'mileageDelta'];

/** Factors by the units of the headers, the profile and the caller. */
function factorsOf(
  { columns, known }: Draft,
  at: RoleColumns,
  isFixes: boolean,
): Partial<Record<TableRole, number | null>> {
  if (!isFixes) return {};
  const factors: Partial<Record<TableRole, number | null>> = {};
  const unitOf = (role: TableRole): string | null =>
    columns.find(({ index }) => index === at[role])?.unit ?? null;
  const speedUnit = unitOf('speed') ?? known.speedUnit ?? null;
  if (at.speed !== undefined && speedUnit !== null) factors.speed = factorOf(speedUnit, 'speed');
  for (const role of LENGTH_ROLES) {
    if (at[role] === undefined) continue;
    const isMileage = role === 'mileage' || role === 'mileageDelta';
    const unit = unitOf(role) ?? (isMileage ? (known.mileageUnit ?? null) : 'm');
    factors[role] = unit === null ? null : factorOf(unit, 'length');
  }
  return factors;
}

/** What fixes show: whose they are, the unit of their speeds, exchanged positions. */
function judgeFixes(
  { rows, columns, known, notes, profile, parts, header }: Draft,
  base: Pick<ReadyTable, 'at' | 'time' | 'place' | 'decimal' | 'factors' | 'hasSpeedWords'>,
  fillsUnits: boolean,
): { readonly unitId: string; readonly suspects: ReadonlySet<string> } {
  const { at, decimal, factors } = base;
  const sample = sampleOf(rows, base);
  const points = sample.map(({ point }) => point);
  const zoneless = notes.questions.findIndex(({ code }) => code === 'time-zone-missing');
  if (zoneless >= 0) {
    notes.questions[zoneless] = { ...notes.questions[zoneless]!, flag: `--time-zone ${likelyZone(points)}` };
  }
  const named = known.unitId ?? parts.sections.find(({ unit }) => unit !== null)?.unit ?? null;
  const isParted = parts.sections.filter(({ unit }) => unit !== null).length > 1;
  const unitId = named ?? nameOfFile(known.fileName) ?? 'unit-1';
  if (at.unit === undefined && !isParted) {
    if (known.unitId === undefined && isTorn(points)) {
      const used = new Set(Object.values(at));
      const parting = columns.filter(
        ({ index, isEmpty }) =>
          !used.has(index) &&
          !isEmpty &&
          partsWell(
            points,
            sample.map(({ cells }) => (cells[index] ?? '').trim()),
          ),
      );
      const best =
        parting.find(({ index }) => sample.some(({ cells }) => /\p{L}/u.test(cells[index] ?? ''))) ??
        parting[0];
      if (best === undefined)
        notes.ask(
          'unit-missing',
          'the rows cannot be of one unit: it would be in two places at once; no column parts them',
          '--unit-column NAME',
        );
      else
        notes.ask(
          'unit-column-unknown',
          `the rows cannot be of one unit; the column ${JSON.stringify(best.name)} parts them into plausible tracks`,
          `--unit-column ${/\s/.test(best.name) ? JSON.stringify(best.name) : best.name}`,
        );
    } else if (named !== null && known.unitId === undefined)
      notes.say(`unit is ${JSON.stringify(named)}, of a row above the header`, '--unit-id');
    else if (known.unitId === undefined && known.fileName !== undefined)
      notes.say(`unit is ${JSON.stringify(unitId)}, the name of the file`, '--unit-id');
  } else if (at.unit !== undefined) {
    const column = columns[at.unit]!;
    const fact = column.facts.find(({ role }) => role === 'unit');
    if (column.given === undefined && fact !== undefined && !fact.isCommon)
      notes.say(`unit is the column ${JSON.stringify(column.name)}`, '--unit-column');
  }
  if (at.speed !== undefined && factors.speed === undefined && !base.hasSpeedWords)
    askSpeed(base, sample, header, notes);
  else if (
    profile?.speedUnit !== undefined &&
    at.speed !== undefined &&
    columns[at.speed]?.unit === null &&
    known.speedUnit === profile.speedUnit
  ) {
    notes.say(`speed is in ${SPEED_WORDS[profile.speedUnit]}, as ${profile.name} writes it`, '--speed-unit');
  }
  if (profile?.timeZone !== undefined && known.timeZone === profile.timeZone)
    notes.say(`times without a zone are ${profile.timeZone}, as ${profile.name} writes them`, '--time-zone');
  for (const role of ['mileage', 'mileageDelta'] as const) {
    if (factors[role] === null)
      notes.ask(
        'mileage-unit',
        `the unit of ${JSON.stringify(header[at[role] ?? 0])} is unknown; its values are left out`,
        '--mileage-unit km',
      );
  }
  const suspects =
    at.unit === undefined || fillsUnits
      ? []
      : suspectUnits(sample.map(({ point, cells }) => ({ ...point, unit: (cells[at.unit!] ?? '').trim() })));
  if (suspects.length > 0 && known.swappedUnits === undefined) {
    notes.ask(
      'axis-order-suspect',
      `${suspects.map((id) => JSON.stringify(id)).join(', ')} far from all other units, and near them with latitude and longitude exchanged; not read`,
      `--swapped-units ${suspects.join(' ')}`,
    );
  }
  void decimal;
  return { unitId, suspects: new Set(suspects) };
}

const SPEED_WORDS: Readonly<Record<string, string>> = { kph: 'km/h', mps: 'm/s', mph: 'mph', knots: 'knots' };

interface Sampled {
  readonly point: Point;
  readonly cells: readonly string[];
}

function sampleOf(
  rows: readonly TableRow[],
  { at, time, place, decimal }: Pick<ReadyTable, 'at' | 'time' | 'place' | 'decimal'>,
): Sampled[] {
  const form = { ...time, order: time.order ?? 'mdy' } as const;
  const day = form.day ?? 0;
  const sample: Sampled[] = [];
  for (const { cells } of rows) {
    const found = cellTime(cells, at, { ...form, day }, decimal);
    const xy = cellPlace(cells, at, place, decimal);
    if (found === null || xy === null || !(Math.abs(xy[1]) <= 90) || !(Math.abs(xy[0]) <= 180)) continue;
    sample.push({ point: { time: found.time, lon: xy[0], lat: xy[1] }, cells });
    if (sample.length >= SAMPLE) break;
  }
  return sample;
}

function askSpeed(
  { at, decimal }: Pick<ReadyTable, 'at' | 'decimal'>,
  sample: readonly Sampled[],
  header: readonly string[],
  notes: Notes,
): void {
  const ratio = speedRatio(
    sample.map(({ point, cells }) => ({
      ...point,
      unit: at.unit === undefined ? '' : (cells[at.unit] ?? ''),
      speed: tableNumber(cells[at.speed!] ?? '', decimal),
    })),
  );
  const name = JSON.stringify(header[at.speed!] ?? '');
  const evidence =
    ratio === null
      ? ''
      : `; against the movement it is ${ratio.toFixed(2)} (1.00 is m/s, 1.94 knots, 2.24 mph, 3.60 km/h)`;
  const unit = ratio === null ? 'kph' : likelySpeedUnit(ratio);
  notes.ask(
    'speed-unit',
    `expected speedUnit (kph, mps, mph or knots) for column ${name}, received none; speeds are left out${evidence}`,
    `--speed-unit ${unit}`,
  );
}

function judgeZones({ columns, rows, known, notes, decimal, header }: Draft, at: RoleColumns): void {
  const name = at.name === undefined ? undefined : columns[at.name];
  if (name !== undefined && name.given === undefined && plainName(name.name) !== 'name')
    notes.say(`names are of ${name.name}`, '--name-column');
  const texts = at.wkt === undefined ? [] : rows.map(({ cells }) => cells[at.wkt!] ?? '');
  // Traccar's column of areas is latitude first; its circles, which only Traccar writes, say so.
  const isArea = at.wkt !== undefined && plainWord(header[at.wkt] ?? '') === 'area';
  if (isArea && known.axisOrder === undefined && !texts.some((text) => /^\s*CIRCLE/i.test(text))) {
    notes.ask(
      'axis-order-suspect',
      `the column ${JSON.stringify(header[at.wkt!])} is latitude first as Traccar writes it, and longitude first as other programs do`,
      '--axis-order latlon',
    );
  }
  if (at.radius === undefined || at.radiusUnit !== undefined || at.wkt !== undefined) return;
  const unit = columns[at.radius]?.unit ?? known.radiusUnit ?? null;
  if (unit !== null) return;
  const values = rows.map(({ cells }) => tableNumber(cells[at.radius!] ?? '', decimal, true) ?? 0);
  const likely = values.every((value) => value < 20) ? 'km' : 'm';
  notes.ask(
    'radius-unit-unknown',
    `the unit of the column ${JSON.stringify(header[at.radius])} is unknown`,
    `--radius-unit ${likely}`,
  );
}

function plainName(name: string): string {
  return name.trim();
}

function described(
  column: ColumnFact,
  { rows, time }: Draft,
  base: Pick<ReadyTable, 'at' | 'place'>,
  kind: TableKind,
): TableColumn {
  const role =
    (Object.entries(base.at) as [TableRole, number][]).find(([, index]) => index === column.index)?.[0] ??
    null;
  const isTime = role === 'time' || role === 'date' || role === 'clock';
  const isPlace =
    role === 'lat' || role === 'lon' || role === 'position' || (role === 'wkt' && kind === 'fixes');
  const examples: string[] = [];
  for (const { cells } of rows) {
    const cell = (cells[column.index] ?? '').trim();
    if (cell !== '' && examples.push(cell.slice(0, 60)) >= 3) break;
  }
  const fact = column.facts.find((own) => own.role === role);
  const confidence =
    role === null
      ? 0
      : column.isByCaller || column.given === role
        ? 1
        : fact === undefined
          ? 0.5
          : fact.isCommon
            ? 0.95
            : 0.8;
  return {
    name: column.name,
    role,
    unit: role === null ? null : isTime || isPlace ? null : column.unit,
    format: isTime
      ? time.format
      : isPlace
        ? role === 'position'
          ? base.place.axisOrder
          : base.place.form
        : column.givenFormat,
    confidence,
    examples,
  };
}
