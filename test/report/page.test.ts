import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { reportPage } from '../../src/report/index.js';
import type { PageData } from '../../src/report/pageData.js';
import { jsonBlock } from '../../src/report/shell.js';
import { NASTY_NAME, SAMPLE } from './sample.js';

const LEAFLET = {
  js: 'const a = "</script><!--";\n//# sourceMappingURL=leaflet.js.map\n',
  css: '.x { background-image: url(images/layers.png); }',
};
const page = reportPage(SAMPLE, LEAFLET);
const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1] as string);
const block = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';

test('the data block parses back to the names as they were', () => {
  const data = JSON.parse(block) as PageData;
  expect(data.zones[0]?.name).toBe(NASTY_NAME);
  expect(data.units[0]?.id).toBe(NASTY_NAME);
  expect(data.issues[0]?.message).toBe(NASTY_NAME);
  expect(block).not.toContain('<');
});

test('no name reaches the page as markup', () => {
  expect(page).not.toContain('<script>alert(1)');
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page.match(/<\/script>/g)).toHaveLength(3);
  expect(page).not.toContain('<!--');
  expect(page).toContain('<title>Report &lt;/script&gt;&lt;script&gt;alert(1)');
});

test('the page forbids the network and names nothing to load', () => {
  expect(page).toContain("default-src 'none'");
  // The name of a namespace is no address that anything is loaded from.
  expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
  expect(page).not.toMatch(/\bsrc=|url\(|@import|sourceMappingURL/);
  expect([...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual(['data:,']);
});

test('every script on the page is JavaScript', () => {
  expect(scripts).toHaveLength(2);
  for (const script of scripts) expect(() => new Script(script)).not.toThrow();
});

test('a colour that is none is not passed on', () => {
  const data = JSON.parse(block) as PageData;
  expect(data.zones[0]?.color).toBe('#1585D8');
});

test('the same input gives the same page', () => {
  expect(reportPage(structuredClone(SAMPLE), LEAFLET)).toBe(page);
});

test('a visit stands where the unit was when it entered', () => {
  const data = JSON.parse(block) as PageData;
  expect(data.visits.map((visit) => visit[7])).toEqual([
    [50.005, 10],
    [50.005, 10.03],
  ]);
  expect(data.visits.map((visit) => visit[8])).toEqual([[50.005, 10.01], null]);
});

test('jsonBlock leaves no line separator that old scripts break at', () => {
  expect(jsonBlock('\u2028\u2029<')).toBe('"\\u2028\\u2029\\u003c"');
});

test('a line zone is its corridor, with the line in its middle', () => {
  const { zones } = JSON.parse(block) as {
    zones: { type: string; shape: number[][][]; line: number[] | null }[];
  };
  const [area, road] = zones;
  expect(area?.line).toBeNull();
  expect(road?.shape.length).toBe(2);
  expect(road?.line?.length).toBe(4);
});
