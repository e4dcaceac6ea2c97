/** Judges the fixes of a table: whose they are, the unit of their speeds, and exchanged positions. */

import type { TimedPosition } from '../../core/fix.js';
import { nameOfFile } from '../common/readOptions.js';
import { isTorn, likelySpeedUnit, partsWell, speedRatio, suspectUnits } from '../common/suspectUnits.js';
import { cellPlace, cellTime } from './cellTime.js';
import { LocalTimes } from './localTimes.js';
import type { TableRow } from './splitRows.js';
import { asks, type Notes } from './tableDescription.js';
import type { ReadyTable, TableDraft } from './tableDraft.js';
import { tableNumber } from './tableNumber.js';
import { isRounded } from './timeJudge.js';

/** West, south, east and north, degrees, with the zone of most fleets there. The first box that contains the fixes counts. */
const BOXES: readonly (readonly [number, number, number, number, string])[] = [
  [-11, 49.5, 2, 61, 'Europe/London'],
  [-10, 36, -6.2, 42.2, 'Europe/Lisbon'],
  [-9.5, 35.5, 4, 43.5, 'Europe/Madrid'],
  [-5, 42, 8, 51.2, 'Europe/Paris'],
  [5.8, 47.2, 15.1, 55.1, 'Europe/Berlin'],
  [6.5, 36, 18.6, 47.2, 'Europe/Rome'],
  [14, 49, 24, 55, 'Europe/Warsaw'],
  [26, 35.8, 45, 42.2, 'Europe/Istanbul'],
  [22, 44, 35, 52, 'Europe/Kyiv'],
  [27, 41, 50, 70, 'Europe/Moscow'],
  [52, 50, 70, 70, 'Asia/Yekaterinburg'],
  [68, 8, 90, 33, 'Asia/Kolkata'],
  [100, 18, 125, 45, 'Asia/Shanghai'],
  [129, 30, 146, 46, 'Asia/Tokyo'],
  [140, -44, 154, -10, 'Australia/Sydney'],
  [-125, 32, -114, 49, 'America/Los_Angeles'],
  [-114, 31, -102, 49, 'America/Denver'],
  [-102, 25, -85, 49, 'America/Chicago'],
  [-85, 24, -66, 49, 'America/New_York'],
  [-53, -30, -34, -5, 'America/Sao_Paulo'],
];

/** Number of fixes examined for the continuity of units. */
const SAMPLE = 20_000;

/** Facts of a table decided before its fixes are judged. */
type FixBase = Pick<ReadyTable, 'at' | 'time' | 'offset' | 'place' | 'decimal' | 'factors' | 'hasSpeedWords'>;

/** Judges whose the fixes are, the unit of their speeds, and exchanged positions. */
export function judgeFixes(
  draft: TableDraft,
  base: FixBase,
  fillsUnits: boolean,
  timeZone: string | null,
): { readonly unitId: string; readonly suspects: ReadonlySet<string> } {
  const { rows, known, notes, profile, header } = draft;
  const { at, factors } = base;
  const walls = sampleOf(rows, base);
  const zone = timeZone ?? likelyZone(walls.map(({ point }) => point));
  const { sample, doubled } = instantsOf(walls, base, zone);
  // Without units, the order of the rows does not decide a repeated hour.
  const isOpen =
    asks(notes, 'time-zone-missing') ||
    asks(notes, 'date-order-unknown') ||
    (doubled > 0 && at.unit === undefined);
  const zoneless = notes.questions.findIndex(({ code }) => code === 'time-zone-missing');
  if (zoneless >= 0) {
    notes.questions[zoneless] = { ...notes.questions[zoneless]!, flag: `--time-zone ${zone}` };
  }
  const unitId = judgeUnit(draft, base, sample, isOpen);
  judgeSpeed(draft, base, sample);
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
  const suspects = fillsUnits ? [] : suspectsOf(draft, base, sample);
  return { unitId, suspects: new Set(suspects) };
}

/** The unit of rows without one. Asks if the rows cannot be of one unit. */
function judgeUnit(draft: TableDraft, { at }: FixBase, sample: readonly Sampled[], isOpen: boolean): string {
  const { known, notes, parts } = draft;
  const named = known.unitId ?? parts.sections.find(({ unit }) => unit !== null)?.unit ?? null;
  const isParted = parts.sections.filter(({ unit }) => unit !== null).length > 1;
  const unitId = named ?? nameOfFile(known.fileName) ?? 'unit-1';
  if (at.unit !== undefined) sayUnits(draft, at.unit);
  else if (!isParted && known.unitId === undefined) {
    const points = sample.map(({ point }) => point);
    if (isTorn(points, isOpen)) askUnits(draft, at, sample, isOpen);
    else if (named !== null)
      notes.say(`unit is ${JSON.stringify(named)}, of a row above the header`, '--unit-id');
    else if (known.fileName !== undefined)
      notes.say(`unit is ${JSON.stringify(unitId)}, the name of the file`, '--unit-id');
  }
  return unitId;
}

/** Asks for the units of rows that cannot be of one unit. If a column divides them into plausible tracks, proposes it. */
function askUnits(
  { columns, notes }: TableDraft,
  at: ReadyTable['at'],
  sample: readonly Sampled[],
  isOpen: boolean,
): void {
  const points = sample.map(({ point }) => point);
  const used = new Set(Object.values(at));
  const textsOf = (index: number): string[] => sample.map(({ cells }) => (cells[index] ?? '').trim());
  const parting = columns.filter(
    ({ index, isEmpty }) => !used.has(index) && !isEmpty && partsWell(points, textsOf(index), isOpen),
  );
  const best =
    parting.find(({ index }) => sample.some(({ cells }) => /\p{L}/u.test(cells[index] ?? ''))) ?? parting[0];
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
}

/** Reports the column with the units. Asks if a spreadsheet program rounded them. */
function sayUnits({ rows, columns, notes }: TableDraft, at: number): void {
  const column = columns[at]!;
  const rounded = rows.find(({ cells }) => isRounded(cells[at] ?? ''))?.cells[at];
  if (rounded !== undefined) {
    notes.ask(
      'digits-lost',
      `units of ${JSON.stringify(column.name)} are numbers that a spreadsheet program rounded, such as ${rounded.trim().slice(0, 20)}, so that several units look the same; save the column as text`,
      '',
    );
  }
  const fact = column.facts.find(({ role }) => role === 'unit');
  if (column.given === undefined && fact !== undefined && !fact.isCommon)
    notes.say(`unit is the column ${JSON.stringify(column.name)}`, '--unit-column');
}

/** Reports the unit of the speeds, or asks for it. */
function judgeSpeed(
  { columns, known, notes, profile, header }: TableDraft,
  base: FixBase,
  sample: readonly Sampled[],
): void {
  const { at, factors } = base;
  if (at.speed === undefined) return;
  const speed = columns[at.speed];
  if (speed !== undefined && speed.given === undefined && speed.facts[0]?.isByUnit === true)
    notes.say(`speed is the column ${JSON.stringify(speed.name)}, by its unit`, '--speed-column');
  if (factors.speed === undefined && !base.hasSpeedWords) askSpeed(base, sample, header, notes);
  else if (
    profile?.speedUnit !== undefined &&
    speed?.unit === null &&
    known.speedUnit === profile.speedUnit
  ) {
    notes.say(`speed is in ${SPEED_WORDS[profile.speedUnit]}, as ${profile.name} writes it`, '--speed-unit');
  }
}

/** Units whose positions seem exchanged because they are far from all others. Asks about them. */
function suspectsOf({ known, notes }: TableDraft, { at }: FixBase, sample: readonly Sampled[]): string[] {
  const column = at.unit;
  if (column === undefined) return [];
  const suspects = suspectUnits(
    sample.map(({ point, cells }) => ({ ...point, unit: (cells[column] ?? '').trim() })),
  );
  if (suspects.length > 0 && known.swappedUnits === undefined) {
    notes.ask(
      'axis-order-suspect',
      `${suspects.map((id) => JSON.stringify(id)).join(', ')} far from all other units, and near them with latitude and longitude exchanged; not read`,
      `--swapped-units ${suspects.join(' ')}`,
    );
  }
  return suspects;
}

const SPEED_WORDS: Readonly<Record<string, string>> = { kph: 'km/h', mps: 'm/s', mph: 'mph', knots: 'knots' };

interface Sampled {
  readonly isLocal: boolean;
  readonly point: TimedPosition;
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
    sample.push({ isLocal: found.isLocal, point: { time: found.time, lon: xy[0], lat: xy[1] }, cells });
    if (sample.length >= SAMPLE) break;
  }
  return sample;
}

/** The sample with local times as instants. The order of the rows decides a repeated hour. */
function instantsOf(
  sample: readonly Sampled[],
  { at, offset }: Pick<ReadyTable, 'at' | 'offset'>,
  zone: string,
): { readonly sample: readonly Sampled[]; readonly doubled: number } {
  if (offset !== null || !sample.some(({ isLocal }) => isLocal)) return { sample, doubled: 0 };
  const first = sample[0]!.point.time;
  const local = new LocalTimes(zone, sample.at(-1)!.point.time < first);
  const settled = sample.map((own) => {
    if (!own.isLocal) return own;
    const unit = at.unit === undefined ? '' : (own.cells[at.unit] ?? '').trim();
    const time = local.resolve(own.point.time, unit) ?? own.point.time;
    return { ...own, point: { ...own.point, time } };
  });
  return { sample: settled, doubled: local.doubled };
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

/** The zone to propose for fixes; `UTC` if no box contains them. */
function likelyZone(points: readonly TimedPosition[]): string {
  const middle = points[points.length >> 1];
  if (middle === undefined) return 'UTC';
  const { lon, lat } = middle;
  return (
    BOXES.find(
      ([west, south, east, north]) => lon >= west && lon <= east && lat >= south && lat <= north,
    )?.[4] ?? 'UTC'
  );
}
