import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { jsonBlock } from '../../src/report/htmlPage.js';
import { reportPage, reportWordsIn } from '../../src/report/index.js';
import { type PageData, pageData } from '../../src/report/pageData.js';
import { wkt } from '../wkt.js';
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
  // Namespaces of SVG and of workbooks are identifiers; nothing is loaded from them.
  const names = /http:\/\/(www\.w3\.org\/2000\/svg|schemas\.openxmlformats\.org\/)/g;
  expect(page.replaceAll(names, '')).not.toMatch(/https?:\/\//);
  expect(page).not.toMatch(/\bsrc=|url\(|@import|sourceMappingURL/);
  expect([...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual(['data:,']);
});

test('the policy allows the scripts and styles of the page by their hashes, and nothing inline besides', () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
  expect(policy).not.toContain('unsafe');
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1]!);
  const hashes = [...policy.matchAll(/'sha256-([^']*)'/g)].map((match) => match[1]);
  const own = [...styles, ...scripts].map((text) => createHash('sha256').update(text).digest('base64'));
  expect(hashes).toEqual(own);
  expect(own).toHaveLength(4);
  // A parser reads CR LF as LF.
  expect(page).not.toContain('\r');
  expect(page).not.toMatch(/ style="| on\w+="/);
});

test('with a base map at an address the policy names that one origin, for images only', () => {
  const basemap = {
    kind: 'address',
    url: 'https://tiles.example:8080/{z}/{x}/{y}.png?k=1',
    attribution: NASTY_NAME,
  } as const;
  const withMap = reportPage({ ...SAMPLE, basemap }, FILES);
  const policy = /content="(default-src[^"]*)"/.exec(withMap)![1]!;
  expect(policy.match(/https?:[^ ;]*/g)).toEqual(['https://tiles.example:8080']);
  expect(policy).toContain('img-src data: https://tiles.example:8080;');
  expect(withMap).not.toContain('<script>alert(1)');
});

test('tiles within the page are a second block, and no origin is allowed', () => {
  const basemap = {
    kind: 'tiles',
    image: 'image/png',
    minZoom: 0,
    maxZoom: 0,
    attribution: '',
    tiles: { '0/0/0': 'AAAA' },
  } as const;
  const withMap = reportPage({ ...SAMPLE, basemap }, FILES);
  expect(withMap).toContain('<script type="application/json" id="tiles">{"0/0/0":"AAAA"}</script>');
  expect(/content="(default-src[^"]*)"/.exec(withMap)![1]).not.toMatch(/https?:/);
});

test('files that could not be read are named on the page', () => {
  const data = JSON.parse(block) as PageData;
  expect(data.unread).toEqual(['x.csv']);
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
    if (typeof text !== 'string' || ['language', 'leaflet', 'coordinates'].includes(key)) continue;
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
  expect(data.visits.map((visit) => visit[7])).toEqual(wkt('50.005 10, 50.005 10.03'));
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
