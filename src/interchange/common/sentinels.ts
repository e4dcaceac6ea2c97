/**
 * Finds values that do not mean what they say: numbers for an unknown value (65535, −32768), and UTF-8 that was read in another encoding
 * (`Ð¡ÐºÐ»Ð°Ð´` for `Склад`).
 */

import type { Fix, FixBatch, FixNumberName, TimedPosition } from '../../core/fix.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { UNIT_WORD_ROWS } from '../table/unitWords.js';
import type { IssueList } from './issueList.js';

/** Encodings of one byte per character in which programs misread UTF-8, the most common first. */
const ENCODINGS = ['windows-1252', 'windows-1251', 'windows-1250'] as const;
/** First bytes of é, ü and other Latin letters: one of them is enough, since the text for it has a symbol within a word. */
const LATIN_LEAD = 0xc3;
/** A character beyond ASCII. */
const MARK = /[\u0080-\uffff]/;

type FixDraft = { -readonly [Field in keyof Fix]: Fix[Field] };

/** Least and greatest value that can be measured, by field. */
const RANGES: readonly (readonly [name: FixNumberName, least: number, most: number])[] = [
  // The fastest airliners reach 1,200 km/h over ground.
  ['speedKph', 0, 1500],
  // The Dead Sea lies at -430 m; balloons reach 50 km.
  ['altitudeMeters', -500, 50_000],
  ['courseDegrees', -360, 360],
  ['satellites', 0, 127],
  ['accuracyMeters', 0, 1_000_000],
  ['mileageMeters', 0, 4_294_967_294],
];
/** Speeds that mean "unknown" in a protocol but that a fast vehicle can also have, in the protocol's unit: 8 bits, 16 bits in hundredths, AIS. */
const UNKNOWN_SPEEDS: readonly number[] = [255, 655.35, 327.67, 102.3];
const SUSPECTS: readonly number[] = UNIT_WORD_ROWS.filter(({ measure }) => measure === 'speed').flatMap(
  ({ factor }) => UNKNOWN_SPEEDS.map((speed) => speed * factor),
);
const LEAST_SUSPECT = Math.min(...SUSPECTS) - 1;
/** Rounding of a value in its own unit, km/h. */
const ROUNDING = 0.01;
/** Number of rows in which a neighbour is searched. */
const MOST_ROWS = 1000;
/** Longest time to a neighbour that still shows the speed, seconds. */
const MOST_SECONDS = 3600;
/** The course of phones that do not know it. */
const UNKNOWN_COURSE = -1;

/** NaN passes: comparisons with NaN are false. */
function isUnknown(name: FixNumberName, value: number, least: number, most: number): boolean {
  return value < least || value > most || (value === UNKNOWN_COURSE && name === 'courseDegrees');
}

export class Sentinels {
  readonly #counts = new Map<FixNumberName, { count: number; readonly value: number }>();

  /** Removes values that stand for an unknown one from a batch. */
  clean(batch: FixBatch): void {
    for (const [name, least, most] of RANGES) {
      const values = batch[name];
      if (values === null) continue;
      for (let i = 0; i < batch.length; i++) {
        const value = values[i]!;
        if (isUnknown(name, value, least, most)) values[i] = this.#leftOut(name, value);
      }
    }
    const speeds = batch.speedKph;
    if (speeds === null) return;
    for (let i = 0; i < batch.length; i++) {
      const speed = speeds[i]!;
      if (!isSuspect(speed)) continue;
      const around = [neighbour(batch, i, -1), neighbour(batch, i, 1)];
      if (isContradicted(speed, placeAt(batch, i), around)) speeds[i] = this.#leftOut('speedKph', speed);
    }
  }

  /** The fixes of a track without values that stand for an unknown one. */
  cleanTrack(fixes: readonly Fix[]): readonly Fix[] {
    const clean = fixes.map((fix) => this.cleanFix(fix));
    return clean.map((fix, i) => {
      const { speedKph: speed, ...rest } = fix;
      if (speed === undefined || !isSuspect(speed)) return fix;
      if (!isContradicted(speed, fix, [clean[i - 1], clean[i + 1]])) return fix;
      this.#leftOut('speedKph', speed);
      return rest;
    });
  }

  /** The fix without values that its numbers alone show to be unknown. */
  cleanFix(fix: Fix): Fix {
    let clean: FixDraft | null = null;
    for (const [name, least, most] of RANGES) {
      const value = fix[name];
      if (value === undefined || !isUnknown(name, value, least, most)) continue;
      clean ??= { ...fix };
      this.#leftOut(name, value);
      delete clean[name];
    }
    return clean ?? fix;
  }

  /** Reports what was removed. */
  report(issues: IssueList): void {
    for (const [name, { count, value }] of this.#counts) {
      const message = `expected a measured ${name}, received ${value}, which stands for an unknown one; left out of ${count} ${count === 1 ? 'fix' : 'fixes'}`;
      issues.warning('value-unknown', name, message);
    }
    this.#counts.clear();
  }

  /** Counts a removed value, and returns the number that stands for a missing one. */
  #leftOut(name: FixNumberName, value: number): number {
    const known = this.#counts.get(name);
    if (known === undefined) this.#counts.set(name, { count: 1, value });
    else known.count++;
    return Number.NaN;
  }
}

function isSuspect(speed: number): boolean {
  return speed > LEAST_SUSPECT && SUSPECTS.some((own) => Math.abs(speed - own) <= ROUNDING);
}

/** The nearest fix of the same unit at another time, among the rows before or after fix `i`; null for none. */
function neighbour(batch: FixBatch, i: number, direction: 1 | -1): TimedPosition | null {
  const end = Math.max(-1, Math.min(batch.length, i + direction * MOST_ROWS));
  for (let k = i + direction; k !== end; k += direction) {
    if (batch.unit[k] === batch.unit[i] && batch.time[k] !== batch.time[i]) return placeAt(batch, k);
  }
  return null;
}

function placeAt({ time, lon, lat }: FixBatch, i: number): TimedPosition {
  return { time: time[i]!, lon: lon[i]!, lat: lat[i]! };
}

/** Whether the unit moved less than half as fast on the steps from and to its neighbours; false if there is no such step. */
function isContradicted(
  speed: number,
  here: TimedPosition,
  neighbours: readonly (TimedPosition | null | undefined)[],
): boolean {
  const speeds = neighbours.flatMap((other) => {
    if (other === null || other === undefined || other.time === here.time) return [];
    const seconds = Math.abs(other.time - here.time) / 1000;
    if (seconds > MOST_SECONDS) return [];
    return [(geodesicDistance(here.lon, here.lat, other.lon, other.lat) / seconds) * 3.6];
  });
  return speeds.length > 0 && Math.max(...speeds) < speed / 2;
}

/** Collects texts that seem to be encoded twice. */
export class EncodedTwice {
  #tables: ReadonlyMap<string, ReadonlyMap<string, number>> | null = null;
  #count = 0;
  #first: { readonly text: string; readonly meant: string; readonly encoding: string } | null = null;

  /** Examines one text. Cost: constant for almost all texts that are not encoded twice. */
  add(text: string): void {
    const first = text.search(MARK);
    if (first < 0) return;
    this.#tables ??= byteTables();
    for (const [encoding, byteOf] of this.#tables) {
      const [lead = 0, next = 0] = [byteOf.get(text[first]!), byteOf.get(text[first + 1] ?? '')];
      if (lead < 0xc2 || lead > 0xf4 || next < 0x80 || next > 0xbf) continue;
      const meant = meantText(text, byteOf);
      if (meant === null || (Array.from(meant).filter(isMark).length < 2 && lead > LATIN_LEAD)) continue;
      this.#count++;
      this.#first ??= { text, meant, encoding };
      return;
    }
  }

  /** Warns of the texts, if there are any. They stay as they are, since such a text can be meant. */
  report(issues: IssueList): void {
    if (this.#first === null) return;
    const { text, meant, encoding } = this.#first;
    const more = this.#count === 1 ? '' : `, and ${this.#count - 1} further texts`;
    const message = `expected text in UTF-8, received ${shown(text)}, which seems to be encoded twice: as ${encoding} it is ${shown(meant)}${more}; read as it is; convert the file from UTF-8 to ${encoding}, and read the result`;
    issues.warning('encoding', 'encoding', message);
  }
}

function isMark(character: string): boolean {
  return character > '\u007f';
}

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** The text of the bytes that `text` has in an encoding, if they are UTF-8. Its last character may be cut, as by trimming. */
function meantText(text: string, byteOf: ReadonlyMap<string, number>): string | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = isMark(text[i]!) ? byteOf.get(text[i]!) : text.charCodeAt(i);
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The bytes beyond ASCII by their characters, for each encoding. */
function byteTables(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const bytes = Uint8Array.from({ length: 128 }, (_, i) => 128 + i);
  return new Map(
    ENCODINGS.map((label) => {
      const characters = Array.from(new TextDecoder(label).decode(bytes));
      return [label, new Map(characters.map((one, i) => [one, 128 + i]))];
    }),
  );
}
