/** Reads gx:Track (Google's extension of KML 2.2), parallel lists of times and positions, as fixes. */

import { describe } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { parseTime } from '../common/parseTime.js';
import { plainNumber } from '../common/plainNumber.js';
import { isProblem } from '../crs/crs.js';
import type { XmlElement } from '../xml/xmlFeed.js';

/** A text and its line in the file. */
interface Item {
  readonly text: string;
  readonly line: number;
}

export class KmlTrack {
  /** Number of times without a time zone. */
  zonelessTimes = 0;
  readonly #builder: ForeignBuilder;
  readonly #field: string;
  readonly #line: number;
  readonly #whens: Item[] = [];
  readonly #coords: Item[] = [];
  readonly #angles: Item[] = [];
  /** The time before the next position; then each position with the time before it. */
  #last: Item | null = null;
  readonly #pairs: (readonly [when: Item, coord: Item])[] = [];

  constructor(builder: ForeignBuilder, field: string, line: number) {
    this.#builder = builder;
    this.#field = field;
    this.#line = line;
  }

  /** Adds a child of the gx:Track element. */
  add({ name, text, line }: XmlElement): void {
    const item = { text, line };
    if (name === 'when') {
      this.#whens.push(item);
      this.#last = item;
    } else if (name === 'coord') {
      this.#coords.push(item);
      if (this.#last !== null) this.#pairs.push([this.#last, item]);
      this.#last = null;
    } else if (name === 'angles') this.#angles.push(item);
  }

  /**
   * The fixes. If the numbers of times and positions differ, those where a time and a position are adjacent; null if there are none, as in
   * a list of times before a list of positions. Both cases with an issue. Call it after `line` has returned null.
   */
  fixes(): Fix[] | null {
    const { issues } = this.#builder;
    const pairs = this.#whens.length === this.#coords.length ? null : this.#pairs;
    if (pairs !== null && pairs.length > 1) {
      const message = `expected as many gx:coord as when, received ${this.#coords.length} and ${this.#whens.length}; ${pairs.length} that follow each other are read`;
      issues.warning('kml-track-mismatch', this.#field, message, this.#line);
      this.#angles.length = 0;
      return pairs.flatMap(([when, coord], i) => this.#fix(i, when, coord) ?? []);
    }
    if (pairs !== null) {
      const message = `expected as many gx:coord as when, received ${this.#coords.length} and ${this.#whens.length}; not read`;
      issues.error('kml-track-mismatch', this.#field, message, this.#line);
      return null;
    }
    if (this.#angles.length > 0 && this.#angles.length !== this.#coords.length) {
      const message = `expected as many gx:angles as gx:coord, received ${this.#angles.length} and ${this.#coords.length}; left out`;
      issues.warning('kml-track-mismatch', this.#field, message, this.#line);
      this.#angles.length = 0;
    }
    return this.#whens.flatMap((when, i) => this.#fix(i, when, this.#coords[i]!) ?? []);
  }

  /** The positions of a track without times, with a warning. Null for a track with times. */
  line(): Position[] | null {
    if (this.#whens.length > 0 || this.#coords.length === 0) return null;
    const message = `expected as many gx:coord as when, received ${this.#coords.length} and none; read as a line`;
    this.#builder.issues.warning('kml-track-mismatch', this.#field, message, this.#line);
    return this.#coords.flatMap((coord, i) => {
      const place = this.#place(coord, `${this.#field}.Track[${i}]`);
      return place === null ? [] : [place];
    });
  }

  #place(coord: Item, field: string): Position | null {
    const { issues } = this.#builder;
    const [lonText = '', latText = ''] = partsOf(coord.text);
    const lon = plainNumber(lonText);
    const lat = plainNumber(latText);
    if (lon === null || lat === null) {
      const message = `expected lon lat altitude, received ${describe(coord.text)}; left out`;
      issues.error('kml-coordinates', `${field}.coord`, message, coord.line);
      return null;
    }
    const place = this.#builder.place(lon, lat);
    if (!isProblem(place)) return place;
    issues.error(place.code, `${field}.coord`, place.message, coord.line);
    return null;
  }

  /** One number of a text. Null if the text is too short, or, with a warning, if it is not a number there. */
  #number(item: Item | null, place: number, field: string): number | null {
    const text = item === null ? undefined : partsOf(item.text)[place];
    if (item === null || text === undefined || text === '') return null;
    const value = plainNumber(text);
    if (value === null) {
      const message = `expected a number, received ${describe(text)}; left out`;
      this.#builder.issues.warning('number-invalid', field, message, item.line);
    }
    return value;
  }

  #fix(i: number, when: Item, coord: Item): Fix | null {
    const { issues } = this.#builder;
    const field = `${this.#field}.Track[${i}]`;
    const place = this.#place(coord, field);
    if (place === null) return null;
    const parsed = parseTime(when.text, 0);
    if (parsed === null) {
      const message = `expected an ISO 8601 time, received ${describe(when.text)}; left out`;
      issues.error('time-invalid', `${field}.when`, message, when.line);
      return null;
    }
    if (parsed.note === 'time-zone-missing') this.zonelessTimes++;
    else if (parsed.note === 'leap-second') {
      const message = `expected a second of 0 to 59, received ${when.text}; read as the millisecond before it`;
      issues.warning('leap-second', `${field}.when`, message, when.line);
    }
    const altitude = this.#number(coord, 2, `${field}.coord`);
    const course = this.#number(this.#angles[i] ?? null, 0, `${field}.angles`);
    return {
      time: parsed.time,
      lon: place[0],
      lat: place[1],
      ...(altitude === null ? {} : { altitudeMeters: altitude }),
      ...(course === null ? {} : { courseDegrees: course }),
    };
  }
}

function partsOf(text: string): string[] {
  return text.trim().split(/[ \t\r\n]+/, 4);
}
