import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { type RoutePageInput, routePage } from '../../src/report/index.js';
import type { RouteData } from '../../src/report/routeData.js';
import { wkt } from '../wkt.js';
import { NASTY_NAME, sampleFiles } from './sample.js';

const INPUT: RoutePageInput = {
  title: NASTY_NAME,
  language: 'en',
  engine: NASTY_NAME,
  stops: [0, 2, 1],
  distance: '111 km',
  duration: '1 hr',
  legs: [
    {
      points: wkt('179.5 0, -179.5 0'),
      distance: NASTY_NAME,
      duration: '1 hr',
      instructions: [
        { text: NASTY_NAME, distance: '55 km', share: 0 },
        { text: 'halfway', distance: '', share: 0.5 },
        { text: 'there', distance: '', share: 1 },
      ],
    },
    {
      points: wkt('-179.5 0, -179.5 0'),
      distance: '0 m',
      duration: '0 min',
      instructions: [{ text: 'nowhere', distance: '', share: 0.3 }],
    },
  ],
};
const FILES = await sampleFiles('route');
const page = routePage(INPUT, FILES);
const dataOf = (text: string): RouteData =>
  JSON.parse(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(text)![1]!) as RouteData;

test('texts cannot add markup, and the page loads nothing', () => {
  expect(page).not.toContain('<script>alert(1)');
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page.match(/<\/script>/g)).toHaveLength(3);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/https?:\/\/|\bsrc=|url\(|@import|sourceMappingURL/);
  for (const [, script] of page.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
    expect(() => new Script(script!)).not.toThrow();
  }
  expect(dataOf(page).legs[0]?.steps[0]?.text).toBe(NASTY_NAME);
});

test('longitudes continue past 180 over the antimeridian, and a step is placed at its distance along the leg', () => {
  const { stops, legs } = dataOf(page);
  expect(stops).toEqual([
    { point: 0, place: [0, 179.5] },
    { point: 2, place: [0, 180.5] },
    { point: 1, place: [0, 180.5] },
  ]);
  expect(legs[0]?.line).toEqual([0, 179_500_000, 0, 1_000_000]);
  expect(legs[0]?.steps.map((step) => step.place)).toEqual(wkt('0 179.5, 0 180, 0 180.5'));
  expect(legs[1]?.steps[0]?.place).toEqual([0, 180.5]);
});

test('the page is in the given language, and the language cannot add markup', () => {
  const russian = routePage({ ...INPUT, language: 'ru-RU' }, FILES);
  expect(russian).toContain('<html lang="ru">');
  expect(russian).toContain('<div id="legs" lang="ru-RU">');
  expect(russian).toContain('>Весь маршрут<');
  expect(page).toContain('>Whole route<');
  const nasty = routePage({ ...INPUT, language: '"><b>' }, FILES);
  expect(nasty).toContain('<html lang="en">');
  expect(nasty).toContain('lang="&quot;&gt;&lt;b&gt;"');
});

test('the same input gives the same page', () => {
  expect(routePage(structuredClone(INPUT), FILES)).toBe(page);
});
