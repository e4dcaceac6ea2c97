import { describe, expect, test } from 'vitest';
import type { Fix, Track } from '../../src/core/fix.js';
import { detectTrips, findDeviations, findVisits, gradeTrack, readTrack } from '../../src/tracks/index.js';
import { errorText, trap, UNREADABLE } from '../errorOf.js';
import { fix, INDEX, START, WIDE } from './threeFixes.js';

const TRACK = readTrack([0, 1, 2].map(fix));
const LINE = [
  [37.6, 55.7],
  [37.7, 55.7],
] as const;

const read = (fixes: unknown, options?: unknown) => (): unknown =>
  readTrack(fixes as Fix[], options as object);
const visits = (track: unknown, options?: unknown) => (): unknown =>
  findVisits(track as Track, INDEX, options as object);
const movement =
  (settings: unknown, options?: unknown, track: unknown = TRACK) =>
  (): unknown =>
    detectTrips(track as Track, settings as object, options as object);
const graded = (gradation: unknown, options?: unknown) => (): unknown =>
  gradeTrack(TRACK, gradation as never, options as object);
const strayed = (options: unknown) => (): unknown => findDeviations(TRACK, LINE, 100, options as object);

describe('the whole text of an error', () => {
  test.each<[string, () => unknown]>([
    ['fixes-type fixes: expected an iterable of fixes, received null', read(null)],
    ['fixes-type fixes: expected an iterable of fixes, received undefined', read(undefined)],
    ['fixes-type fixes: expected an iterable of fixes, received 5', read(5)],
    [`input-unreadable fixes: ${UNREADABLE}`, read([trap('time')])],
    ['option-type options: expected an object of options, received null', read([], null)],
    ['option-type options: expected an object of options, received an array', read([], [])],
    ['option-type options: expected an object of options, received 5', read([], 5)],
    [`input-unreadable options.maxSpeedKph: ${UNREADABLE}`, read([], trap('maxSpeedKph'))],
    [
      'option-value options.maxSpeedKph: expected a number from 0 to Infinity, received -1',
      read([], { maxSpeedKph: -1 }),
    ],
    [`option-value options.earliestTime: ${WIDE} 8640000000000002`, read([], { earliestTime: 8.64e15 + 2 })],
    [
      `option-value options.earliestTime: ${WIDE} -8640000000000002`,
      read([], { earliestTime: -8.64e15 - 2 }),
    ],
    [`option-value options.latestTime: ${WIDE} 8640000000000002`, read([], { latestTime: 8.64e15 + 2 })],
    [`option-value options.latestTime: ${WIDE} -8640000000000002`, read([], { latestTime: -8.64e15 - 2 })],
    [
      'option-value options.keepZeroIsland: expected true or false, received 1',
      read([], { keepZeroIsland: 1 }),
    ],
    ...[5, [1], [1, 2, 3]].map((rolloverWindow): [string, () => unknown] => [
      `option-value options.rolloverWindow: expected [from, to] in epoch milliseconds, received ${rolloverWindow === 5 ? 5 : 'an array'}`,
      read([], { rolloverWindow }),
    ]),
    [
      'option-value options.rolloverWindow[0]: expected a number from -8640000000000000 to 8640000000000000, received "1"',
      read([], { rolloverWindow: ['1', 2] }),
    ],
    [
      'option-value options.rolloverWindow[1]: expected a number from 2 to 8640000000000000, received 1',
      read([], { rolloverWindow: [2, 1] }),
    ],
    [
      `input-unreadable options.rolloverWindow: ${UNREADABLE}`,
      read([], {
        rolloverWindow: Object.defineProperty([1, 2], 0, Object.getOwnPropertyDescriptor(trap('a'), 'a')!),
      }),
    ],
  ])('of fixes: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });

  const bent = { ...TRACK, time: Float64Array.of(START, START + 1, START + 1) };
  test.each<[string, () => unknown]>([
    ['track-invalid track: expected a Track from readTrack, received null', visits(null)],
    [
      'track-invalid track: expected a Track from readTrack, received an object',
      visits({ ...TRACK, lat: [1, 2, 3] }),
    ],
    [
      'track-invalid track: expected a Track from readTrack, received an object',
      visits({ ...TRACK, length: 2 }),
    ],
    [`track-invalid track.time[2]: expected times that increase, received ${START + 1}`, visits(bent)],
    ...[
      'exitBufferMeters',
      'accuracyCapMeters',
      'minInsideSeconds',
      'minOutsideSeconds',
      'maxGapSeconds',
      'maxGapMeters',
      'parkedMeters',
      'maxCrossedMeters',
    ].map((name): [string, () => unknown] => [
      `option-value options.${name}: expected a number from 0 to Infinity, received -1`,
      visits(TRACK, { [name]: -1 }),
    ]),
    ...['minSeconds', 'exitBufferMeters', 'maxGapSeconds'].map((name): [string, () => unknown] => [
      `option-value options.${name}: expected a number from 0 to Infinity, received -1`,
      strayed({ [name]: -1 }),
    ]),
  ])('of a track: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });

  const list = 'expected an object of settings, or a list of {key, value}, received';
  test.each<[string, () => unknown]>([
    [`settings-type settings: ${list} null`, movement(null)],
    [`settings-type settings: ${list} 5`, movement(5)],
    [
      'settings-type settings[1]: expected a {key, value}, received null',
      movement([{ key: 'a', value: 1 }, null]),
    ],
    ['settings-type settings[0]: expected a {key, value}, received 7', movement([7])],
    [
      'setting-value settings[1]: expected each setting once, received "tripdetector_minparktime"',
      movement([1, 2].map((value) => ({ key: 'tripdetector_minparktime', value }))),
    ],
    [`input-unreadable settings: ${UNREADABLE}`, movement([trap('key')])],
    [
      `input-unreadable settings.tripdetector_minparktime: ${UNREADABLE}`,
      movement(trap('tripdetector_minparktime')),
    ],
    ...[
      'tripdetector_minparktime',
      'tripdetector_minmovespeed',
      'tripdetector_mintripdist',
      'tripdetector_mintriptime',
      'tripdetector_maxdistancemsg',
      'advanced_maxintervalmsg',
    ].map((name): [string, () => unknown] => [
      `setting-value settings.${name}: expected a number from 0 to Infinity, received "1x"`,
      movement({ [name]: '1x' }),
    ]),
    ...['x1', '-1', '1e3', '1.2.3', '.'].map((value): [string, () => unknown] => [
      `setting-value settings.advanced_mileagecoeff: expected a number from 0 to 1000000, received "${value}"`,
      movement({ advanced_mileagecoeff: value }),
    ]),
    [
      'setting-value settings.advanced_mileagecoeff: expected a number from 0 to 1000000, received 1000001',
      movement({ advanced_mileagecoeff: 1_000_001 }),
    ],
    [
      'setting-value settings.key_tripdetector_movedetect: expected speedkph or ignition, received "x"',
      movement({ key_tripdetector_movedetect: 'x' }),
    ],
    [
      'setting-value settings.tripdetector_gpscorrect: expected true, false, 1 or 0, received "yes"',
      movement({ tripdetector_gpscorrect: 'yes' }),
    ],
    ['option-value options.jump: expected one of distance, speed, received "x"', movement({}, { jump: 'x' })],
    [
      'option-value options.maxJumpSpeedKph: expected a number from 0 to Infinity, received -1',
      movement({}, { maxJumpSpeedKph: -1 }),
    ],
  ])('of movement: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });

  const last = { max: null, hex_color: '#ffffff' };
  const above = 'expected a speed above that of the style before, received';
  test.each<[string, () => unknown]>([
    ['gradation-invalid styles: expected a list of styles, received undefined', graded(null)],
    ['gradation-invalid styles: expected a list of styles, received undefined', graded({})],
    ['gradation-invalid styles: expected a list of styles, received an array', graded({ styles: [] })],
    [
      'gradation-invalid styles[0].hex_color: expected a colour #rrggbb, received 5',
      graded({ styles: [{ max: null, hex_color: 5 }] }),
    ],
    [
      'gradation-invalid styles[0].hex_color: expected a colour #rrggbb, received undefined',
      graded({ styles: [null] }),
    ],
    [
      'gradation-invalid styles[0].max: expected null for the last style, received 5',
      graded({ styles: [{ ...last, max: 5 }] }),
    ],
    [`gradation-invalid styles[0].max: ${above} null`, graded({ styles: [last, last] })],
    [
      `gradation-invalid styles[1].max: ${above} 5`,
      graded({ styles: [{ ...last, max: 5 }, { ...last, max: 5 }, last] }),
    ],
    [
      `gradation-invalid styles[0].max: ${above} Infinity`,
      graded({ styles: [{ ...last, max: Infinity }, last] }),
    ],
    [`input-unreadable gradation: ${UNREADABLE}`, graded(trap('styles'))],
    [
      'option-value options.maxGapSeconds: expected a number from 0 to Infinity, received -1',
      graded({ styles: [last] }, { maxGapSeconds: -1 }),
    ],
  ])('of a gradation: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });
});
