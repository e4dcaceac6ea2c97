import languages from 'osrm-text-instructions/languages.js';
import { describe, expect, test } from 'vitest';
import type { RouteStep } from '../../src/routing/index.js';
import { INSTRUCTION_LANGUAGES, instructionLanguage, instructor } from '../../src/routing/instructor.js';
import { errorOf } from '../errorOf.js';

const step = (type: string, modifier: string | null = null, more: Partial<RouteStep> = {}): RouteStep => ({
  distanceMeters: 100,
  durationSeconds: 10,
  name: 'Landstrasse',
  ref: null,
  mode: 'driving',
  drivingSide: 'right',
  destinations: null,
  exits: null,
  rotaryName: null,
  maneuver: { type, modifier, bearingAfter: 45, exit: null },
  ...more,
});

const MODIFIERS = [
  'uturn',
  'sharp right',
  'right',
  'slight right',
  'straight',
  'slight left',
  'left',
  'sharp left',
  null,
];
const TYPES = [
  'turn',
  'new name',
  'depart',
  'arrive',
  'merge',
  'on ramp',
  'off ramp',
  'fork',
  'end of road',
  'continue',
  'roundabout',
  'rotary',
  'roundabout turn',
  'notification',
  'exit roundabout',
  'exit rotary',
  'use lane',
  'a type of tomorrow',
  'constructor',
];

test('the languages equal those of osrm-text-instructions', () => {
  expect(INSTRUCTION_LANGUAGES).toEqual(languages.supportedCodes);
  expect(INSTRUCTION_LANGUAGES).toHaveLength(31);
});

describe('every language has a text for every manoeuvre', () => {
  test.each(INSTRUCTION_LANGUAGES)('%s', async (language) => {
    const text = await instructor(language, (meters) => `${meters} m`);
    for (const type of TYPES) {
      for (const modifier of MODIFIERS) {
        for (const more of [
          {},
          { name: '', mode: 'ferry' },
          { name: 'A', ref: 'B 1', destinations: 'Wien: Mitte', exits: '7' },
          { rotaryName: 'Kreisel', maneuver: { type, modifier, bearingAfter: null, exit: 2 } },
          { drivingSide: null, maneuver: { type, modifier, bearingAfter: -300.5, exit: 11 } },
        ]) {
          const instruction = text(step(type, modifier, more), 0, 3);
          expect(instruction.length).toBeGreaterThan(1);
          expect(instruction).not.toMatch(/undefined|null|NaN|\[object/);
          expect(instruction.match(/\{\w+/g) ?? []).toEqual([]);
        }
      }
    }
  });
});

test('English and Russian texts', async () => {
  const [english, russian] = [await instructor('en', String), await instructor('ru-RU', String)];
  expect(english(step('turn', 'left'), 0, 1)).toBe('Turn left onto Landstrasse');
  expect(russian(step('turn', 'left'), 0, 1)).toBe('Поверните налево на Landstrasse');
  expect(english(step('depart'), 0, 1)).toBe('Head northeast on Landstrasse');
  const round = { maneuver: { type: 'roundabout', modifier: 'right', bearingAfter: 0, exit: 2 } };
  expect(english(step('roundabout', 'right', round), 0, 1)).toBe(
    'Enter the roundabout and take the 2nd exit onto Landstrasse',
  );
  expect(english(step('arrive', null, { name: '' }), 0, 2)).toBe('You have arrived at your 1st destination');
  expect(english(step('arrive', null, { name: '' }), 1, 2)).toBe('You have arrived at your destination');
});

test.each([
  ['ru', 'ru'],
  ['ru-RU', 'ru'],
  ['RU', 'ru'],
  ['en-GB', 'en'],
  ['es-ES', 'es-ES'],
  ['es-MX', 'es'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-PT'],
  ['zh-Hans-CN', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  ['nb-NO', 'no'],
])('the tag %s selects %s', (tag, language) => {
  expect(instructionLanguage(tag)).toBe(language);
});

test.each(['tlh', 'e', 'constructor', '', 'x-ru'])('the tag %j is refused', (tag) => {
  expect(errorOf(() => instructionLanguage(tag))).toMatchObject({
    code: 'language-unknown',
    field: 'options.language',
  });
});
