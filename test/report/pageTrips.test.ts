import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { distanceMeters } from '../../src/index.js';
import { reportPage, type ShownTrip } from '../../src/report/index.js';
import { MOVE_KINDS } from '../../src/report/moveKinds.js';
import type { PageData } from '../../src/report/pageData.js';
import { pageTrip } from '../../src/report/pageTrip.js';
import { detectTrips, gradeTrack, readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, planTrip, type TripOptions } from '../../src/trips/index.js';
import { DATE, fix, MINUTE, START, timed, trip } from '../trips/journeys.js';
import { NASTY_NAME, SAMPLE, sampleFiles } from './sample.js';

const FILES = await sampleFiles('report');
const OPTIONS: TripOptions = { timeZone: 'UTC' };
const DAY = readTrack([
  fix(-5, 'A'),
  fix(5, 'A'),
  fix(15, 0.05),
  fix(55, 'B'),
  fix(80, 'B'),
  fix(90, 0.15),
  fix(100, 'C'),
  fix(110, 'C'),
]);
const HOUR_MS = 3_600_000;

function shown(own = timed(trip('ABC')), track = DAY): ShownTrip {
  const shapes = own.points.map(() => ({ lonLat: [[0, 0]] as const, outline: null }));
  const report = evaluateTrip(own, DATE, track, OPTIONS);
  return { name: own.name, report, plan: planTrip(own, DATE, OPTIONS).points, shapes };
}

describe('pageTrip', () => {
  const page = pageTrip(shown(), 0, DAY, 0, HOUR_MS);

  test('planned windows are the planned times plus and minus their tolerance', () => {
    expect(page.points.map(({ window }) => window)).toEqual([
      null,
      [START + 30 * MINUTE, START + 90 * MINUTE],
      null,
    ]);
  });

  test('the graph spans all times of the run and a small margin', () => {
    const times = page.points.flatMap(({ arrival, departure, window }) => [
      arrival,
      departure,
      ...(window ?? []),
    ]);
    const known = times.filter((time) => time !== null);
    expect(page.span[0]).toBeLessThan(Math.min(...known));
    expect(page.span[1]).toBeGreaterThan(Math.max(...known));
    expect(page.span[0]).toBeGreaterThan(START - 15 * MINUTE);
  });

  test('the travelled distance grows up to the length of the track and matches the distance at each arrival', () => {
    expect(page.way.length).toBe(1);
    const [way] = page.way;
    const meters = way!.filter((_, k) => k % 2 === 1);
    expect(meters).toEqual([...meters].sort((a, b) => a - b));
    expect(meters.at(-1)).toBeCloseTo(distanceMeters([0, 0.0001], [0.2, 0.0001]), -1);
    expect(page.points.map(({ at }) => Math.round(at / 1000))).toEqual([0, 11, 22]);
  });

  test('a gap interrupts the distance line and adds no distance', () => {
    const gaps = pageTrip(shown(), 0, DAY, 0, 20 * MINUTE);
    expect(gaps.way.length).toBe(3);
    const ends = gaps.way.map((stretch) => stretch.at(-1)!);
    expect(gaps.way[1]![1]).toBe(ends[0]);
    expect(gaps.way[2]![1]).toBe(ends[1]);
    expect(ends[2]).toBeLessThan(page.way[0]!.at(-1)!);
  });

  test('a skipped point is placed where the unit was at its planned time, or between its neighbours', () => {
    const own = trip('AXYB');
    const due = { time: '08:15' };
    const points = own.points.map((point, i) => (i === 1 ? { ...point, arrival: due } : point));
    const page = pageTrip(shown({ ...own, points }), 0, DAY, 0, HOUR_MS);
    const [a, x, y, b] = page.points.map(({ at }) => at);
    expect(page.points.map(({ status }) => status)).toEqual(['passed', 'skipped', 'skipped', 'passed']);
    expect(x).toBeCloseTo(distanceMeters([0, 0.0001], [0.05, 0.0001]), -2);
    expect(y).toBe(Math.round((x! + b!) / 2));
    expect(a).toBe(0);
  });

  test('a run without a track or a plan has a time span but no distance line', () => {
    const none = readTrack([]);
    for (const own of [trip('AB'), timed(trip('AB'))]) {
      const page = pageTrip(shown(own, none), -1, null, 0, HOUR_MS);
      expect(page.way).toEqual([]);
      expect(page.span[1]).toBeGreaterThan(page.span[0]);
      for (const { at } of page.points) expect(Number.isFinite(at)).toBe(true);
      expect(JSON.stringify(page)).not.toContain('null,null]');
    }
  });

  test('the distance line of many fixes is thinned to at most 1,100 positions and keeps the last one', () => {
    const fixes = Array.from({ length: 20_000 }, (_, i) => fix(i / 200, 0.2 * (i / 20_000)));
    const track = readTrack(fixes);
    const page = pageTrip(shown(trip('AC'), track), 0, track, 0, HOUR_MS);
    expect(page.way[0]!.length / 2).toBeLessThan(1100);
    expect(page.way[0]!.length / 2).toBeGreaterThan(300);
    expect(page.way[0]!.at(-1)).toBeGreaterThan(21_000);
  });
});

describe('a page with trips', () => {
  const own = { ...timed(trip('ABC')), name: NASTY_NAME, unit: { id: NASTY_NAME } };
  const points = own.points.map((point) => ({ ...point, name: NASTY_NAME }));
  const movement = detectTrips(DAY);
  const grades = gradeTrack(DAY, SAMPLE.gradation);
  const input = {
    ...SAMPLE,
    units: SAMPLE.units.map((unit, i) => (i === 0 ? { ...unit, track: DAY, movement, grades } : unit)),
    trips: [shown({ ...own, points }), shown(trip('AB', { unit: { id: 'nobody' } }))],
  };
  const html = reportPage(input, FILES);
  const text = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html)![1]!;
  const data = JSON.parse(text) as PageData;

  test('names are kept unchanged and cannot add markup', () => {
    expect(data.trips[0]).toMatchObject({ name: NASTY_NAME, unitId: NASTY_NAME, unit: 0 });
    expect(data.trips[0]!.points[1]!.name).toBe(NASTY_NAME);
    expect(data.trips[1]!.unit).toBe(-1);
    expect(text).not.toContain('<');
    expect(html).not.toContain('<script>alert(1)');
    expect(html.match(/<script/g)).toHaveLength(3);
  });

  test('movement is in order of time, and speeds refer to existing styles', () => {
    const [unit] = data.units;
    const { trips, parkings, stops, unknown } = movement;
    expect(unit!.moves.length).toBe(trips.length + parkings.length + stops.length + unknown.length);
    const times = unit!.moves.map((move) => move[1]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const unknownTimes = unit!.moves.filter(([kind]) => kind > 2);
    expect(unknownTimes.map(([kind, from, to]) => [MOVE_KINDS[kind], from, to])).toEqual(
      unknown.map(({ reason, from, to }) => [`unknown-${reason}`, from, to]),
    );
    expect(unit!.lastTime).toBe(DAY.time.at(-1));
    expect(unit!.grades.length).toBe(grades.length);
    for (const [style] of unit!.grades) expect(data.gradation[style]).toBeDefined();
  });

  test('runs of one trip share the shapes of its points', () => {
    const twice = { ...input, trips: [input.trips[0]!, input.trips[0]!, input.trips[1]!] };
    const page = reportPage(twice, FILES);
    const json = /id="data">([\s\S]*?)<\/script>/.exec(page)![1]!;
    const shared = JSON.parse(json) as PageData;
    expect(shared.trips.map(({ shapes }) => shapes)).toEqual([0, 0, 1]);
    expect(shared.tripShapes.map((shapes) => shapes.length)).toEqual([3, 2]);
  });

  test('an invalid colour of a speed style is left out', () => {
    const gradation = { styles: [{ max: null, hex_color: 'red;}' }] };
    const page = reportPage({ ...input, gradation }, FILES);
    expect(page).not.toContain('red;}');
  });

  test('the script is valid JavaScript and loads nothing', () => {
    const script = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].at(-1)![1]!;
    expect(() => new Script(script)).not.toThrow();
    // Namespaces of SVG and of workbooks are identifiers; nothing is loaded from them.
    const names = /http:\/\/(www\.w3\.org\/2000\/svg|schemas\.openxmlformats\.org\/)/g;
    expect(html.replaceAll(names, '')).not.toMatch(/https?:\/\//);
  });
});
