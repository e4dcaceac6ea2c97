/** Texts of manoeuvres in any language of `osrm-text-instructions`, for every engine. */

import { inputError } from '../core/errors.js';
import type { RouteStep } from './routingEngine.js';

/** The languages of osrm-text-instructions 0.15. */
export const INSTRUCTION_LANGUAGES: readonly string[] =
  'ar ca da de en eo es es-ES fi fr he hu id it ja ko my nl no pl pt-BR pt-PT ro ru sl sv tr uk vi yo zh-Hans'.split(
    ' ',
  );

/** A language of the package by tag in lower case, with other tags for the same language. */
const BY_TAG: ReadonlyMap<string, string> = new Map([
  ...INSTRUCTION_LANGUAGES.map((language): [string, string] => [language.toLowerCase(), language]),
  ['nb', 'no'],
  ['nn', 'no'],
  ['pt', 'pt-BR'],
  ['zh', 'zh-Hans'],
  ['iw', 'he'],
  ['in', 'id'],
]);

/** The types of manoeuvres with texts of their own. Any other type is worded as a turn, as OSRM's documentation recommends. */
const TYPES: readonly string[] = [
  'arrive',
  'continue',
  'depart',
  'end of road',
  'exit rotary',
  'exit roundabout',
  'fork',
  'merge',
  'new name',
  'notification',
  'off ramp',
  'on ramp',
  'rotary',
  'roundabout',
  'roundabout turn',
  'turn',
  'use lane',
];

/** The package's language for a tag such as `ru-RU`: the same tag, or the tag without its region. Error: `language-unknown`. */
export function instructionLanguage(tag: string): string {
  const parts = tag.toLowerCase().split('-');
  for (let count = parts.length; count > 0; count--) {
    const found = BY_TAG.get(parts.slice(0, count).join('-'));
    if (found !== undefined) return found;
  }
  const what = `a language of instructions (${INSTRUCTION_LANGUAGES.join(', ')})`;
  throw inputError('language-unknown', 'options.language', what, tag);
}

/** Types of manoeuvres whose texts the package keeps in another place. Within a ferry leg it would choose the wrong text. */
const ROUND: readonly string[] = ['roundabout', 'rotary'];

/**
 * Returns a function that gives the text of a step of a leg. `distance` writes amounts in the same language. The package is large, so it is loaded
 * with the first text.
 */
export async function instructor(
  language: string,
  distance: (meters: number) => string,
): Promise<(step: RouteStep, legIndex: number, legCount: number) => string> {
  const code = instructionLanguage(language);
  const { default: instructions } = await import('osrm-text-instructions');
  const compiler = instructions('v5');
  // Some translations mention the length of the way and others do not. The package leaves this to the caller.
  return (step, legIndex, legCount) =>
    compiler
      .compile(code, plainStep(step), { legIndex, legCount })
      .replace('{distance}', () => distance(step.distanceMeters))
      .trim();
}

/** A step as the package reads it, with fields without which the package would throw: a modifier of a turn, a bearing in range. */
function plainStep({
  name,
  ref,
  mode,
  drivingSide,
  destinations,
  exits,
  rotaryName,
  maneuver,
}: RouteStep): object {
  const { bearingAfter, exit } = maneuver;
  const type = TYPES.includes(maneuver.type) ? maneuver.type : 'turn';
  const bearing = bearingAfter === null ? null : ((bearingAfter % 360) + 360) % 360;
  const plain = {
    name,
    ref,
    mode: ROUND.includes(type) ? null : mode,
    driving_side: drivingSide,
    destinations,
    exits,
    rotary_name: rotaryName,
    maneuver: {
      type,
      modifier: maneuver.modifier ?? (type === 'depart' || type === 'arrive' ? undefined : 'straight'),
      ...(bearing === null ? {} : { bearing_after: bearing }),
      ...(exit === null ? {} : { exit }),
    },
    // Lanes are not read, so their text is left out.
    intersections: [{ lanes: [] }],
  };
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null));
}
