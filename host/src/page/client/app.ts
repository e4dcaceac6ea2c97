/** State and services that all parts of the page share. */

import type { Geozone } from 'wayzone';
import { type Clock, element, fill, type Tabs } from '../../../../src/report/client/shared/index.js';
import { type Api, ApiError } from './api.js';
import type { FleetMap } from './fleetMap.js';
import type { Words } from './words.js';

/** A stored zone with the fields that the library does not know. */
export type PageZone = Geozone & {
  readonly hours?: object | null;
  /** Speed limit, km/h. */
  readonly speed_limit?: number | null;
};

export interface App {
  readonly api: Api;
  readonly words: Words;
  /** The clock of the company. */
  readonly clock: Clock;
  readonly number: (value: number | null, digits: number) => string;
  readonly fleetMap: FleetMap;
  readonly tabs: Tabs;
  /** Whether the caller may change zones. */
  readonly mayEdit: boolean;
}

/** Text of an error: the host's, else the page's own words. */
export function failureText({ words }: Pick<App, 'words'>, error: unknown): string {
  if (!(error instanceof ApiError)) return fill(words.failed, { message: String(error) });
  return error.status === 0 ? words.unreachable : fill(words.failed, { message: error.message });
}

/** The clock's time of today; another day's with its month and day. */
export function timeText(clock: Clock, time: number): string {
  const text = clock.text(time);
  return text.slice(0, 10) === clock.text(Date.now()).slice(0, 10) ? text.slice(11, 16) : text.slice(5, 16);
}

/** A label above its control. */
export function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  return element('label', { className: 'field' }, element('span', { textContent: text }), control);
}

/** A day in words, in the language of the page: a browser shows the value of a field in its own. */
export function dayText(day: string): string {
  const form = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'full', timeZone: 'UTC' });
  return day === '' ? '' : form.format(Date.parse(day));
}

/** The day of a field in words, which follows the field. */
export function dayNote(field: HTMLInputElement): HTMLElement {
  const note = element('p', { className: 'note', textContent: dayText(field.value) });
  field.addEventListener('input', () => {
    note.textContent = dayText(field.value);
  });
  return note;
}

/** The zone's type in the page's words. */
export function typeText(words: Words, key: string): string {
  return key === 'point' || key === 'circle' || key === 'line' || key === 'polygon' ? words[key] : key;
}
