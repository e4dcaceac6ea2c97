/** Reads a header cell: its quantity, unit and time zone. */

import { pushTo } from '../../core/pushTo.js';
import { HEADER_WORDS, type HeaderWords, PLAN_ROLES } from './headerWords.js';
import type { TableRole } from './tableDescription.js';
import { isUnitWord, type UnitMeasure, unitIn, zoneOffset } from './unitWords.js';

/** One meaning of a header. */
export interface HeaderFact {
  readonly role: TableRole;
  readonly rank: number;
  readonly isCommon: boolean;
  readonly unit: string | null;
  /** Offset of its times, minutes east of UTC; null if none is named. */
  readonly offset: number | null;
  /** Whether only its unit shows the quantity, which is then reported as an assumption. */
  readonly isByUnit?: true;
}

/** Largest length of a header, characters. */
const MAX_HEADER = 80;

type WordMap = ReadonlyMap<string, readonly HeaderWords[]>;

const WORDS: WordMap = wordMap((row) => !PLAN_ROLES.has(row.role));
const PLAN_WORDS: WordMap = wordMap((row) => row.role !== 'vertexOrder' && row.role !== 'name');

function wordMap(isWanted: (row: HeaderWords) => boolean): Map<string, HeaderWords[]> {
  const map = new Map<string, HeaderWords[]>();
  for (const row of HEADER_WORDS.filter(isWanted)) {
    for (const text of row.words.split(' ')) pushTo(map, plainWord(text), row);
  }
  return map;
}

/** The text in lower case, with letters and digits only. */
export function plainWord(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/ё/g, 'е')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

const MEASURES: Partial<Readonly<Record<TableRole, UnitMeasure>>> = {
  speed: 'speed',
  altitude: 'length',
  accuracy: 'length',
  mileage: 'length',
  mileageDelta: 'length',
  radius: 'length',
  width: 'length',
  lat: 'angle',
  lon: 'angle',
  course: 'angle',
  time: 'time',
};

function wordsFor(wanted: TableRole): ReadonlySet<string> {
  const rows = HEADER_WORDS.filter(({ role }) => role === wanted);
  return new Set(rows.flatMap((row) => row.words.split(' ')));
}

const LAT_WORDS = wordsFor('lat');
const LON_WORDS = wordsFor('lon');
/** Shortest word of a coordinate inside one word, as in `latlon`. */
const LEAST_PART = 3;

/** Order of two words for coordinates; null for other words. */
function wordOrder(first: string, second: string): 'latlon' | 'lonlat' | null {
  if (LAT_WORDS.has(first) && LON_WORDS.has(second)) return 'latlon';
  return LON_WORDS.has(first) && LAT_WORDS.has(second) ? 'lonlat' : null;
}

/** Order of the coordinates in the cells of a column, if its header names both: `lat, lon`, `LngLat`, `(x,y)`; else null. */
export function headerOrder(header: string): 'latlon' | 'lonlat' | null {
  const words = header
    .slice(0, MAX_HEADER)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  for (const [i, word] of words.entries()) {
    const order = wordOrder(word, words[i + 1] ?? '');
    if (order !== null) return order;
    for (let at = LEAST_PART; at <= word.length - LEAST_PART; at++) {
      const joined = wordOrder(word.slice(0, at), word.slice(at));
      if (joined !== null) return joined;
    }
  }
  return null;
}

/** Whether a header is nothing but the words of both coordinates. */
function isPair(header: string): boolean {
  return header.split(/[^\p{L}\p{N}]+/u).length <= 2 && headerOrder(header) !== null;
}

/** Meanings of the header, the likeliest first; empty for unknown words. */
export function headerFacts(header: string, isPlan: boolean = false): HeaderFact[] {
  const text = header.trim();
  if (text === '' || text.length > MAX_HEADER) return [];
  if (isPair(text))
    return isPlan ? [] : [{ role: 'position', rank: 0, isCommon: false, unit: null, offset: null }];
  const words = isPlan ? PLAN_WORDS : WORDS;
  const all = readings(text);
  for (const [base, unit] of all) {
    const facts = factsOf(words, base, unit);
    if (facts.length > 0) return facts;
  }
  if (isPlan) return [];
  for (const [base, unit] of all) {
    const facts = factsOf(words, withoutPrefix(base), unit).filter(({ role }) => PREFIXED.has(role));
    if (facts.length > 0)
      return facts.map((fact) => ({ ...fact, rank: fact.rank + PREFIX_RANK, isCommon: false }));
  }
  return speedByUnit(text, all);
}

function factsOf(words: WordMap, base: string, unit: string): HeaderFact[] {
  return (words.get(plainWord(base)) ?? []).flatMap((row) => factOf(row, unit) ?? []);
}

/** Words before the quantity that name its source: `gps_x`, `position.lat`, `vehicle_registration_number`. */
const PREFIXES: ReadonlySet<string> = new Set(
  'gps gnss position pos location loc fix event point vehicle device tracker unit obd can fms data'.split(
    ' ',
  ),
);
/** Roles that keep their meaning after such a word. */
const PREFIXED: ReadonlySet<TableRole> = new Set<TableRole>([
  'unit',
  'time',
  'lat',
  'lon',
  'speed',
  'course',
  'altitude',
  'satellites',
  'accuracy',
  'mileage',
  'ignition',
  'valid',
]);
/** Rank of a column with such a word. It is read only if no column has the plain word. */
const PREFIX_RANK = 4;

/** The words without such a first word, and without the `in` of `speed in km/h`. */
function withoutPrefix(base: string): string {
  const words = wordsOf(base).filter((word) => word.toLowerCase() !== 'in');
  const isPrefixed = words.length > 1 && PREFIXES.has(words[0]!.toLowerCase());
  return (isPrefixed ? words.slice(1) : words).join(' ');
}

/** Words for other speeds than the vehicle's speed at the fix. */
const OTHER_SPEED =
  /lim|max|min|av[ge]|average|mean|wind|over|exce|сред|макс|мин|огранич|превыш|ветр|допуст|durchs|höchst|hochst|mittel|erlaubt|medi|moy|moyen|vent|ort|azami|śred|sred|dopuszcz|gem|wiatr/i;

/** A header that names a unit of speed is a speed, whatever its other words: `Geschw. [km/h]`, `km/h`. */
function speedByUnit(text: string, all: readonly (readonly [base: string, unit: string])[]): HeaderFact[] {
  const found = [[text, text] as const, ...all.filter(([base]) => base !== text)].flatMap(([base, unit]) => {
    const own = /\/|^(?:kph|kmh|mph|knots)$/i.test(unit.trim()) ? unitIn(unit, 'speed') : null;
    return own === null || OTHER_SPEED.test(base) ? [] : [own];
  });
  const [unit] = found;
  if (unit === undefined) return [];
  return [{ role: 'speed', rank: 9, isCommon: false, unit: unit.unit, offset: null, isByUnit: true }];
}

function factOf(row: HeaderWords, unitText: string): HeaderFact | null {
  const { role, rank, isCommon = false } = row;
  const common = { role, rank, isCommon };
  const ownOffset = row.words.split(' ').includes('utc') && unitText === 'utc' ? 0 : null;
  if (unitText === '') return { ...common, unit: row.unit ?? null, offset: ownOffset };
  const measure = MEASURES[role];
  const unit = measure === undefined ? null : unitIn(unitText, measure);
  if (unit !== null) return { ...common, unit: unit.unit, offset: null };
  if (role === 'time' || role === 'date' || role === 'clock') {
    const offset = zoneOffset(unitText);
    if (offset !== null) return { ...common, unit: null, offset };
  }
  return { ...common, unit: row.unit ?? null, offset: null };
}

function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((part) => part !== '');
}

/** Splits a header into words and a unit, in all ways to try, the simplest first. */
function readings(text: string): [base: string, unit: string][] {
  const all: [string, string][] = [];
  const open = text.search(/[([{]/);
  if (open > 0) {
    const unit = text.slice(open + 1).replace(/[)\]}].*$/s, '');
    all.push([text.slice(0, open), unit]);
  }
  const comma = text.lastIndexOf(',');
  if (comma > 0) all.push([text.slice(0, comma), text.slice(comma + 1)]);
  all.push([text, plainWord(text) === 'utc' || /utc$/i.test(text) ? 'utc' : '']);
  const utc = text.search(/\butc[\s_]/i);
  if (utc >= 0) all.push([`${text.slice(0, utc)}${text.slice(utc + 4)}`, 'utc']);
  const parts = wordsOf(text);
  for (let count = 1; count <= 3 && count < parts.length; count++) {
    const unit = parts.slice(-count).join('');
    if (isUnitWord(unit) || zoneOffset(unit) !== null) all.push([parts.slice(0, -count).join(' '), unit]);
  }
  return all;
}
