import { expect, test } from 'vitest';
import { summarize, visitsTable } from '../../src/report/index.js';
import { SAMPLE } from './sample.js';

test('each visit has a row, and an open visit has neither exit nor duration', () => {
  const [left, open] = visitsTable(SAMPLE);
  expect(left).toMatchObject({
    zone_id: 'a',
    zone_type: 'polygon',
    enter_utc: '1970-01-01T00:00:30.000Z',
    exit_utc: '1970-01-01T00:01:00.000Z',
    duration_seconds: 30,
    seen: 'inside',
    end: 'left',
  });
  expect(open).toMatchObject({ zone_name: 'Road', exit_utc: null, duration_seconds: null, end: 'open' });
});

test('the summary counts used fixes, and those left out by their reason', () => {
  const { fixes } = summarize(SAMPLE);
  expect(fixes).toEqual({ read: 7, used: 3, leftOut: { duplicate: 4 } });
});

test('the summary counts zones, units, visits and issues', () => {
  const summary = summarize(SAMPLE);
  expect(summary.zones).toEqual({ count: 2, byType: { line: 1, polygon: 1 }, visited: 2 });
  expect(summary.units).toEqual({ count: 2, withVisits: 1 });
  expect(summary.visits).toEqual({
    count: 2,
    bySeen: { inside: 2 },
    byEnd: { left: 1, open: 1 },
    totalSeconds: 30,
  });
  expect(summary.issues).toMatchObject({ errors: 1, warnings: 0, byCode: { 'error coord-type': 1 } });
  expect(summary.time).toEqual({ from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:02:00.000Z' });
});

test('the summary of empty input consists of zeros and nulls', () => {
  const summary = summarize({ ...SAMPLE, zones: [], units: [], issues: [], sources: [] });
  expect(summary.time).toEqual({ from: null, to: null });
  expect(summary.visits.count).toBe(0);
  expect(JSON.stringify(summary)).not.toContain('Infinity');
});
