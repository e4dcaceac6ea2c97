/** Finds the form of positions. */

import { describe } from '../../core/errors.js';
import { cellPlace, type PlaceForm, type RoleColumns } from './cellTime.js';
import { type ColumnFact, candidates } from './columnFacts.js';
import { headerOrder } from './headerFacts.js';
import { HINT_WORDS } from './hintWords.js';
import { letterOrder, type PositionForm, pairTexts } from './positionForm.js';
import { PositionJudge } from './positionJudge.js';
import type { TableRole } from './tableDescription.js';
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
