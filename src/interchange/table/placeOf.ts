/** Finds the form of positions. */

import { describe } from '../../core/errors.js';
import { cellPlace, type PlaceForm, type RoleColumns } from './cellTime.js';
import { type ColumnFact, candidates } from './columnFacts.js';
import { headerOrder } from './headerFacts.js';
import { dmsDegrees, letterOrder, type PositionForm, pairTexts, wktPoint } from './positionForm.js';
import { HINT_WORDS, type TableRole } from './tableDescription.js';
import type { TableDraft } from './tableDraft.js';
import { tableNumber } from './tableNumber.js';

/** Form of the positions of all rows: by the caller, the header or the cells. Asks if several forms fit. */
export function placeOf(
  draft: TableDraft,
  at: Partial<Record<TableRole, number>>,
  isFixes: boolean,
): PlaceForm {
  const { columns, known, notes } = draft;
  const usesPair = at.lat === undefined || at.lon === undefined;
  const wkt = isFixes ? candidates(columns, 'wkt')[0]?.index : undefined;
  const pair = usesPair ? (at.position ?? wkt) : undefined;
  if (usesPair && at.position === undefined && wkt !== undefined) at.wkt = wkt;
  const seen = seenPositions(draft, at, pair);
  const givenFormat = columns.find(({ index }) => index === (pair ?? at.lat))?.givenFormat ?? null;
  const unit = columns.find(({ index }) => index === at.lat)?.unit ?? null;
  const isWkt = seen.form === 'wkt';
  const given = givenFormat === 'latlon' || givenFormat === 'lonlat' ? givenFormat : undefined;
  const named = given ?? headerOrder(draft.header[pair ?? -1] ?? '') ?? undefined;
  const axisOrder = known.axisOrder ?? named ?? (isWkt || seen.isLonFirst ? 'lonlat' : 'latlon');
  if (isWkt) return { form: 'wkt', axisOrder };
  const isOpen = known.axisOrder === undefined && named === undefined && seen.lettered < seen.cells;
  if (pair !== undefined && isOpen) {
    notes.say(
      `positions of one cell are ${axisOrder === 'latlon' ? 'latitude, longitude' : 'longitude, latitude'}`,
      `--axis-order ${axisOrder === 'latlon' ? 'lonlat' : 'latlon'}`,
    );
  }
  const chosen = known.coordinates ?? formName(givenFormat) ?? formName(unit);
  if (chosen !== null && (chosen !== 'degrees' || known.coordinates === 'degrees')) {
    if (known.coordinates === undefined && formName(unit) === chosen)
      notes.say(
        `positions are ${chosen} ${chosen.startsWith('1e') ? 'degrees ' : ''}by the header`,
        '--coordinates',
      );
    return { form: chosen, axisOrder };
  }
  return { form: formOf(draft, at, seen, axisOrder, isFixes), axisOrder };
}

/** Findings over the cells of all rows. */
interface SeenPositions {
  readonly form: PositionJudge['form'];
  /** Number of cells with a position. */
  readonly cells: number;
  /** Number of these with the letters of both hemispheres, which show the order of a pair. */
  readonly lettered: number;
  /** Whether, in cells with two numbers, the first ones cannot be latitudes but the second ones can. */
  readonly isLonFirst: boolean;
}

/** Judges the cells of all rows. `pair`: the column whose cells have both coordinates. */
function seenPositions(
  { rows, decimal }: TableDraft,
  at: RoleColumns,
  pair: number | undefined,
): SeenPositions {
  const judge = new PositionJudge(decimal);
  let firstBeyond = 0;
  let secondBeyond = 0;
  let lettered = 0;
  for (const { cells } of rows) {
    if (pair === undefined) judge.add(cells[at.lat ?? -1] ?? '', cells[at.lon ?? -1] ?? '');
    else {
      judge.addPair(cells[pair] ?? '');
      const halves = pairTexts(cells[pair] ?? '');
      if (halves !== null && letterOrder(...halves) !== null) lettered++;
      const [a, b] = (halves ?? []).map((half) => Math.abs(tableNumber(half, decimal) ?? 0));
      if ((a ?? 0) > 90) firstBeyond++;
      if ((b ?? 0) > 90) secondBeyond++;
    }
  }
  const isLonFirst = firstBeyond > 0 && secondBeyond === 0;
  return { form: judge.form, cells: judge.cells, lettered, isLonFirst };
}

/** The form shown by the cells. Asks if it is not degrees, or if there is none. */
function formOf(
  draft: TableDraft,
  at: RoleColumns,
  { form: found, cells }: SeenPositions,
  axisOrder: PlaceForm['axisOrder'],
  isFixes: boolean,
): PositionForm {
  const { rows, columns, notes } = draft;
  if (found === 'exchanged') {
    const isPair = at.lat === undefined || at.lon === undefined;
    if (isPair && axisOrder === 'lonlat') return 'degrees';
    notes.ask(
      'axis-order-suspect',
      `latitudes are beyond 90° and longitudes are not: the ${isPair ? 'numbers of one cell' : 'columns'} seem exchanged`,
      isPair ? '--axis-order lonlat' : lonLatFlags(columns, at),
    );
    return 'degrees';
  }
  if (Array.isArray(found)) {
    const forms = found as readonly PositionForm[];
    const hasHemispheres = at.latHemisphere !== undefined && at.lonHemisphere !== undefined;
    if (forms.length === 1 && forms[0] === 'ddmm' && hasHemispheres) {
      notes.say('positions are degrees and minutes (ddmm.mmmm)', '--coordinates degrees');
      return 'ddmm';
    }
    const best = forms.at(-1) ?? 'degrees';
    notes.ask(
      'coordinate-form-unknown',
      `positions are not degrees; they can be ${forms.map((form) => exampleOf(draft, at, form, axisOrder)).join(' or ')}`,
      `--coordinates ${best}`,
    );
    return best;
  }
  if (found === null && cells > 0 && isFixes) {
    const cell = rows[0]!.cells[at.lat ?? at.position ?? at.wkt ?? 0] ?? '';
    notes.ask(
      'coordinate-form-unknown',
      `positions are in no known form: ${describe(cell)}`,
      '--coordinates',
    );
  }
  return typeof found === 'string' ? (found as PositionForm) : 'degrees';
}

function formName(text: string | null): PositionForm | null {
  return HINT_WORDS.coordinates.find((form) => form === text) ?? null;
}

function exampleOf(
  { rows, decimal }: TableDraft,
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

/** Judges the positions of two columns, or of one column with both: their form, and whether latitude and longitude are exchanged. */
class PositionJudge {
  cells = 0;
  degrees = 0;
  dms = 0;
  points = 0;
  /** Number of latitudes beyond 90 whose longitude is within 90. */
  beyond = 0;
  /** Number of positions that can be `ddmm.mmmm`, or integers of small fractions of a degree. */
  readonly fits: Record<'ddmm' | '1e-5' | '1e-6' | '1e-7', number> = {
    ddmm: 0,
    '1e-5': 0,
    '1e-6': 0,
    '1e-7': 0,
  };
  /** Number of positions padded as in NMEA: `5618.31326`, `04400.62598`. */
  padded = 0;
  fractions = 0;
  readonly #decimal: '.' | ',';

  constructor(decimal: '.' | ',') {
    this.#decimal = decimal;
  }

  addPair(text: string): void {
    if (text.trim() === '') return;
    if (wktPoint(text) !== null) {
      this.cells++;
      this.points++;
      return;
    }
    const halves = pairTexts(text);
    if (halves === null) this.cells++;
    else this.add(halves[0], halves[1]);
  }

  add(latText: string, lonText: string): void {
    if (latText.trim() === '' || lonText.trim() === '') return;
    this.cells++;
    const lat = tableNumber(latText.replace(/[°º]\s*$/, ''), this.#decimal);
    const lon = tableNumber(lonText.replace(/[°º]\s*$/, ''), this.#decimal);
    if (lat === null || lon === null) {
      if (dmsDegrees(latText) !== null && dmsDegrees(lonText) !== null) this.dms++;
      return;
    }
    if (/[.,]\d/.test(latText)) this.fractions++;
    if (Math.abs(lat) <= 90 && Math.abs(lon) <= 540) this.degrees++;
    else if (Math.abs(lat) <= 180 && Math.abs(lon) <= 90) this.beyond++;
    if (/^\d{4}[.,]\d+$/.test(latText.trim()) && /^\d{5}[.,]\d+$/.test(lonText.trim())) this.padded++;
    if (isMinutes(lat, 90) && isMinutes(lon, 180)) this.fits.ddmm++;
    if (!Number.isInteger(lat) || !Number.isInteger(lon)) return;
    for (const [form, scale] of [
      ['1e-5', 1e5],
      ['1e-6', 1e6],
      ['1e-7', 1e7],
    ] as const) {
      if (Math.abs(lat) <= 90 * scale && Math.abs(lon) <= 180 * scale) this.fits[form]++;
    }
  }

  /** The form of the cells. A list if several forms are possible; null if no form fits. */
  get form(): PositionForm | 'wkt' | 'exchanged' | readonly PositionForm[] | null {
    const { cells } = this;
    if (cells === 0) return null;
    const most = 0.9 * cells;
    if (this.points >= most) return 'wkt';
    if (this.dms + this.degrees >= most && this.dms > 0) return 'dms';
    if (this.padded >= most) return ['ddmm'];
    if (this.degrees >= most) return 'degrees';
    if (this.beyond >= most) return 'exchanged';
    const names = ['ddmm', '1e-7', '1e-6', '1e-5'] as const;
    const possible = names.filter((form) => this.fits[form] >= most);
    if (possible.length > 0)
      return this.fractions > most
        ? possible.filter((form) => form === 'ddmm')
        : possible.filter((form) => form !== 'ddmm' || this.fractions > 0);
    return this.degrees + this.dms > cells / 2 ? (this.dms > this.degrees ? 'dms' : 'degrees') : null;
  }
}

function isMinutes(value: number, most: number): boolean {
  const size = Math.abs(value);
  const degrees = Math.floor(size / 100);
  return degrees <= most && size - 100 * degrees < 60 && size >= 100;
}
