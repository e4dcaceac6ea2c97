/** Parses numbers of tables: decimal marks, thousands marks and units in the cell. */

import { plainNumber } from '../common/parseTime.js';

const GROUPS = /^[+-]?\d{1,3}(?:[\s\u00a0\u202f'’]\d{3})+(?:[.,]\d+)?$/;
const POINT_GROUPS = /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const COMMA_GROUPS = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * The number in a cell; null for other texts. A single comma or point is the decimal mark. With `groups`, digits may be in groups of three,
 * separated by spaces, apostrophes, or the comma or point that is not the decimal mark.
 */
export function tableNumber(text: string, decimal: '.' | ',', groups: boolean = false): number | null {
  let plain = text.trim().replace(/^[−–]/, '-');
  if (groups) {
    if (GROUPS.test(plain)) plain = plain.replace(/[\s\u00a0\u202f'’]/g, '');
    else if (decimal === ',' && POINT_GROUPS.test(plain)) plain = plain.replaceAll('.', '');
    else if (decimal === '.' && COMMA_GROUPS.test(plain)) plain = plain.replaceAll(',', '');
  }
  const comma = plain.indexOf(',');
  if (comma >= 0) {
    if (plain.includes('.') || plain.includes(',', comma + 1)) return null;
    plain = plain.replace(',', '.');
  }
  return plainNumber(plain);
}

/** Cuts a text into a number and the rest: `45 км/ч`. Null if it does not begin with a number. */
export function numberAndWord(text: string): { readonly number: string; readonly word: string } | null {
  const match = /^\s*([+-]?[\d.,]+)\s*([^\d\s]\D*)?$/.exec(text);
  const word = (match?.[2] ?? '').trim();
  return match === null || word.length > 20 ? null : { number: match[1]!, word };
}

const TRUE_WORDS: ReadonlySet<string> = new Set(
  '1 true yes on a вкл да ein an ja si sì sí oui t y включено включен вкл. active engaged увімк так evet açık wł tak has_fix valid encendido encendida ligado ligada allumé allumée acceso accesa włączony włączona włączone eingeschaltet an увімкнено zapnuto'.split(
    ' ',
  ),
);
const FALSE_WORDS: ReadonlySet<string> = new Set(
  '0 false no off v выкл нет aus nein non n f выключено выключен выкл. inactive вимк ні hayır kapalı wył nie no_fix invalid none apagado apagada desligado desligada éteint éteinte spento spenta wyłączony wyłączona wyłączone ausgeschaltet вимкнено vypnuto'.split(
    ' ',
  ),
);

/** The flag in a cell, also after the name of its input (`ACC ON`); null for other texts. */
export function tableFlag(text: string): boolean | null {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/^(?:acc|ign|ignition|engine|зажигание)[\s:=_-]+/, '');
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  const number = plainNumber(word.replace(',', '.'));
  return number === null ? null : number === 1 ? true : number === 0 ? false : null;
}
