/** The parts of a workbook (ECMA-376 part 1 §18) that its cells need: sheets, shared texts, formats of dates. */

import { DAY_MS } from '../../../core/durations.js';
import { WayzoneError } from '../../../core/errors.js';
import { IssueList } from '../../common/issueList.js';
import { LimitCounter } from '../../common/readOptions.js';
import { attribute, type XmlElement, XmlFeed, type XmlHandler } from '../../xml/xmlFeed.js';

export interface SheetEntry {
  readonly name: string;
  readonly relation: string;
  readonly isHidden: boolean;
}

/** Calls `close` for each element of an XML part. Throws the first error as a `WayzoneError`. */
export function eachElement(
  feedAll: (take: (text: string) => void) => void,
  part: string,
  close: (element: XmlElement) => void,
  open?: (element: XmlElement) => void,
): void {
  const issues = new IssueList(1);
  const handler: XmlHandler = { open: (element) => open?.(element), close, finish: () => undefined };
  const feed = new XmlFeed(issues, handler, new LimitCounter({}));
  let wanted = true;
  feedAll((text) => {
    if (wanted && text !== '') wanted = feed.write(text);
  });
  feed.close(false);
  const [issue] = issues.toArray();
  if (issue === undefined) return;
  const code = issue.code.startsWith('limit') ? issue.code : 'xlsx-corrupt';
  throw new WayzoneError(code as 'xlsx-corrupt', part, issue.message);
}

/** An attribute by its local name, whatever its prefix. */
export function localAttribute(element: XmlElement, name: string): string | undefined {
  const plain = attribute(element, name);
  if (plain !== undefined) return plain;
  const key = Object.keys(element.attributes).find((own) => own.endsWith(`:${name}`));
  return key === undefined ? undefined : attribute(element, key);
}

/** Whether a number is that of a built-in format of dates or times (§18.8.30). */
function isDateFormatNumber(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** Whether a format code shows a date or time: it has letters of dates outside quotes, brackets and escapes. */
export function isDateFormat(code: string): boolean {
  const [first = ''] = code.split(';');
  const plain = first
    .replace(/"[^"]*"/g, '')
    .replace(/\\./g, '')
    .replace(/_./g, '')
    .replace(/\[([^[\]]*)\]/g, (_, inner: string) => (/^(?:h+|m+|s+)$/i.test(inner) ? inner : ''));
  return /[ymdhs]/i.test(plain) && !/^general$/i.test(plain.trim());
}

/** The part of a serial number that cells of a format show: day and time, or only the day. */
type DateStyle = 'time' | 'day' | null;

/** Numbers of the built-in formats that show a day without a time. */
const DAYS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
]);

/** Collects the cell formats that are dates. */
export class CellStyles {
  readonly #custom = new Map<number, DateStyle>();
  readonly #styles: DateStyle[] = [];

  take(element: XmlElement): void {
    if (element.name === 'numFmt') {
      const id = Number(attribute(element, 'numFmtId'));
      const code = attribute(element, 'formatCode') ?? '';
      this.#custom.set(
        id,
        isDateFormat(code) ? (isDateFormat(code.replace(/[ymd]/gi, '')) ? 'time' : 'day') : null,
      );
    } else if (element.name === 'xf' && element.parent?.name === 'cellXfs') {
      const id = Number(attribute(element, 'numFmtId') ?? 0);
      const own = this.#custom.get(id);
      if (own !== undefined) this.#styles.push(own);
      else this.#styles.push(isDateFormatNumber(id) ? (DAYS.has(id) ? 'day' : 'time') : null);
    }
  }

  of(style: number): DateStyle {
    return this.#styles[style] ?? null;
  }
}

/** Wall time of a serial number: `2026-01-15 08:00:00`; of whole days only the date, unless `showsTime`; below 1 only the time of day. */
export function serialText(serial: number, is1904: boolean, showsTime: boolean): string | null {
  if (!(serial >= 0 && serial < 2_958_466)) return null;
  const ms = Math.round(serial * DAY_MS);
  const time = ms + Date.UTC(is1904 ? 1904 : 1899, is1904 ? 0 : 11, is1904 ? 1 : 30);
  const text = new Date(time).toISOString();
  const clock = text.slice(11, -1).replace(/\.000$/, '');
  if (ms < DAY_MS && !is1904) return clock;
  return ms % DAY_MS === 0 && !showsTime ? text.slice(0, 10) : `${text.slice(0, 10)} ${clock}`;
}
