import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { jsonBlock } from '../../src/report/htmlPage.js';
import { reportPage, reportWordsIn } from '../../src/report/index.js';
import { type PageData, pageData } from '../../src/report/pageData.js';
import { NASTY_NAME, SAMPLE, sampleFiles } from './sample.js';

const FILES = await sampleFiles('report');
const page = reportPage(SAMPLE, FILES);
const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1] as string);
const block = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';

test('the data block keeps names unchanged', () => {
  const data = JSON.parse(block) as PageData;
  expect(data.zones[0]?.name).toBe(NASTY_NAME);
  expect(data.units[0]?.id).toBe(NASTY_NAME);
  expect(data.issues[0]?.message).toBe(NASTY_NAME);
  expect(block).not.toContain('<');
});

test('names cannot add markup to the page', () => {
  expect(page).not.toContain('<script>alert(1)');
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page.match(/<\/script>/g)).toHaveLength(3);
  expect(page).not.toContain('<!--');
  expect(page).toContain('<title>Report &lt;/script&gt;&lt;script&gt;alert(1)');
});

test('the page forbids network access and loads nothing', () => {
  expect(page).toContain("default-src 'none'");
  // The SVG namespace is an identifier; nothing is loaded from it.
  expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
  expect(page).not.toMatch(/\bsrc=|url\(|@import|sourceMappingURL/);
  expect([...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual(['data:,']);
});

test('every script on the page is JavaScript', () => {
  expect(scripts).toHaveLength(2);
  for (const script of scripts) expect(() => new Script(script)).not.toThrow();
});

test('an invalid colour is replaced by the default', () => {
  const data = JSON.parse(block) as PageData;
  expect(data.zones[0]?.color).toBe('#1585D8');
});

test('the colours of units stay away from hue 330, the colour of the selection', () => {
  const units = Array.from({ length: 1000 }, () => SAMPLE.units[1]!);
  const colors = pageData({ ...SAMPLE, units }).units.map(({ color }) => color);
  expect(new Set(colors).size).toBeGreaterThan(500);
  for (const color of colors) {
    const hue = Number(/^hsl\((\d+) /.exec(color)![1]);
    expect(Math.min(Math.abs(hue - 330), 360 - Math.abs(hue - 330))).toBeGreaterThanOrEqual(40);
  }
});

test('every text of the page is translated into Russian', () => {
  const [english, russian] = [reportWordsIn('en'), reportWordsIn('ru-RU')];
  expect(reportWordsIn('de')).toBe(english);
  for (const [key, text] of Object.entries(russian)) {
    if (typeof text !== 'string' || ['language', 'leaflet'].includes(key)) continue;
    const same = english[key as keyof typeof english] as string;
    expect(text).not.toBe(same);
    expect([key, text.match(/\{\w+\}/g)?.sort()]).toEqual([key, same.match(/\{\w+\}/g)?.sort()]);
  }
});

test('the same input gives the same page', () => {
  expect(reportPage(structuredClone(SAMPLE), FILES)).toBe(page);
});

test('a visit is shown where the unit entered', () => {
  const data = JSON.parse(block) as PageData;
  expect(data.visits.map((visit) => visit[7])).toEqual([
    [50.005, 10],
    [50.005, 10.03],
  ]);
  expect(data.visits.map((visit) => visit[8])).toEqual([[50.005, 10.01], null]);
});

test('jsonBlock escapes line separators, which end a line in older JavaScript', () => {
  expect(jsonBlock('\u2028\u2029<')).toBe('"\\u2028\\u2029\\u003c"');
});

test('a line zone is shown as its corridor and its middle line', () => {
  const { zones } = JSON.parse(block) as {
    zones: { type: string; shape: number[][][]; line: number[] | null }[];
  };
  const [area, road] = zones;
  expect(area?.line).toBeNull();
  expect(road?.shape.length).toBe(2);
  expect(road?.line?.length).toBe(4);
});

test('the summary counts the units whose trips are cut by steps that may be drives', () => {
  const issue = { code: 'jump-plausible', severity: 'warning', field: '', message: '' } as const;
  const cut = SAMPLE.units.map((unit, i) =>
    i === 0 ? { ...unit, movement: { ...unit.movement, issues: [issue] } } : unit,
  );
  const countOf = (units: typeof SAMPLE.units): number =>
    pageData({ ...SAMPLE, units }).summary.movement.cutUnits;
  expect([countOf(SAMPLE.units), countOf(cut)]).toEqual([0, 1]);
});
