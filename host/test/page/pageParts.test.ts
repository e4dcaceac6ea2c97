import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ZoneIndex, zoneOutline } from 'wayzone';
import { tilesTouched } from 'wayzone/tiles';
import { placeOnDay } from '../../../src/report/client/shared/createPlayer.js';
import { volume } from '../../../test/volume.js';
import { wkt } from '../../../test/wkt.js';
import { decoded } from '../../src/page/client/addWorld.js';
import { type Api, ApiError } from '../../src/page/client/api.js';
import { boxOf, boxOfPositions, touchedTiles } from '../../src/page/client/boxOf.js';
import { bodyOf, draftFeatures, draftOf, problemsOf } from '../../src/page/client/draft.js';
import {
  courseOf,
  createFleet,
  headingDegrees,
  stateOf,
  type UnitPosition,
} from '../../src/page/client/fleet.js';
import { controlAt } from '../../src/page/client/rowForm.js';
import { wordsIn } from '../../src/page/client/words.js';
import { WORLD_CITIES } from '../../src/page/client/worldCities.js';
import { WORLD_SHAPES } from '../../src/page/client/worldShapes.js';
import { createZoneNames } from '../../src/page/client/zoneNames.js';
import { differences, merged } from '../../src/page/client/zoneSaving.js';

const ZONE = {
  id: '1b671a64-40d5-491e-99b0-da01ff1f3341',
  name: 'A',
  type: { key: 'circle' },
  geometry: [[30, 60]],
  width: 100,
} as const;

describe('a vehicle', () => {
  const last: UnitPosition = {
    unitId: 'a',
    time: 1_000_000,
    lon: 10,
    lat: 50,
    speedKph: 0,
    courseDegrees: null,
    ignition: null,
    zoneIds: [],
  };
  const unit = { id: 'a', name: 'A', last, trail: [] };

  test('moves, is idle with the ignition on, is parked, or is silent', () => {
    const stateAt = (part: Partial<UnitPosition>, seconds: number): string =>
      stateOf({ ...unit, last: { ...last, ...part } }, last.time + 1000 * seconds);
    expect(stateAt({ speedKph: 40 }, 180)).toBe('moving');
    expect(stateAt({ speedKph: 40 }, 181)).toBe('silent');
    expect(stateAt({ ignition: true }, 600)).toBe('idle');
    expect([stateAt({ ignition: false }, 600), stateAt({}, 600)]).toEqual(['parked', 'parked']);
    expect(stateAt({ ignition: true }, 601)).toBe('silent');
    expect(stateOf({ ...unit, last: null }, 0)).toBe('silent');
  });

  test('heads where its receiver says, else from its last position but one to its last', () => {
    expect(headingDegrees([10, 50], [10, 51])).toBe(0);
    expect(headingDegrees([10, 50], [9, 50])).toBe(270);
    expect(headingDegrees([179.9, 0], [-179.9, 0])).toBe(90);
    expect(headingDegrees([10, 60], [10.2, 60.1])).toBeCloseTo(45, 0);
    expect(headingDegrees([10, 50], [10, 50])).toBe(null);
    expect(courseOf(unit)).toBe(null);
    const trail: [number, number][] = [
      [9, 49],
      [10, 51],
      [10, 50],
    ];
    expect(courseOf({ ...unit, trail })).toBe(180);
    expect(courseOf({ ...unit, trail, last: { ...last, courseDegrees: 7 } })).toBe(7);
  });
});

test('a trail ends where nothing was heard for ten minutes', async () => {
  const fleet = await createFleet({ get: async () => ({ body: [{ id: 'a', name: 'A' }] }) } as never);
  for (const seconds of [0, 60, 660, 1261, 1290])
    fleet.take([{ unitId: 'a', time: 1000 * seconds, lon: seconds, lat: 0 } as UnitPosition]);
  expect(fleet.units.get('a')!.trail.map(([lon]) => lon)).toEqual([1261, 1290]);
});

test('vehicles are drawn again while no message comes, since they may become silent', async () => {
  vi.useFakeTimers();
  try {
    const fleet = await createFleet({ get: async () => ({ body: [] }) } as never);
    let draws = 0;
    fleet.whenMoved(() => void draws++);
    vi.advanceTimersByTime(60_000);
    expect(draws).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test('an error belongs to the control of its field, of a part of it, or of the smallest that it is a part of', () => {
  const fields = ['name', 'points', 'points[1]', 'points[1].arrival.time', 'points[10]'];
  const ofField = (field: string): string | undefined => fields[controlAt(fields, field)];
  expect(ofField('points[1].arrival.time')).toBe('points[1].arrival.time');
  expect(ofField('points[1].arrival')).toBe('points[1].arrival.time');
  expect(ofField('points[1].width')).toBe('points[1]');
  expect(ofField('points[2].name')).toBe('points');
  expect(ofField('points')).toBe('points');
  expect(ofField('name_of')).toBe(undefined);
});

describe('names of zones', () => {
  afterEach(() => void vi.useRealTimers());

  test('are asked together, and again if the host does not answer; a zone that is gone is called so', async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const answers: (() => unknown)[] = [
      () => {
        throw new ApiError(0, '', []);
      },
      () => [{ id: 'a', name: 'Depot' }],
      () => {
        throw new ApiError(404, 'unknown', []);
      },
    ];
    const get = async (path: string): Promise<unknown> => {
      asked.push(path);
      return { body: answers.shift()!() };
    };
    const names = createZoneNames({ get } as unknown as Api, 'gone');
    expect([names.of('a'), names.of('b')]).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(200);
    expect([asked.length, names.of('a')]).toEqual([1, null]);
    await vi.advanceTimersByTimeAsync(6000);
    expect(asked).toEqual(['/geozones?ids=a%2Cb', '/geozones?ids=a%2Cb']);
    expect([names.of('a'), names.of('b'), names.of('c')]).toEqual(['Depot', 'gone', null]);
    await vi.advanceTimersByTimeAsync(200);
    expect(names.of('c')).toBe('gone');
  });
});

describe('the world without a base map', () => {
  const polygons = WORLD_SHAPES.land.split('\n').map((rings) => rings.split(' ').map(decoded));

  test('has closed rings of positions on Earth', () => {
    expect(polygons.length).toBeGreaterThan(100);
    for (const ring of polygons.flat()) {
      expect(ring.length).toBeGreaterThan(3);
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(ring.every(([lon, lat]) => Math.abs(lon!) <= 180 && Math.abs(lat!) <= 90)).toBe(true);
    }
    for (const line of WORLD_SHAPES.borders.split(' ').map(decoded)) expect(line.length).toBeGreaterThan(1);
  });

  test('has land where cities in its interior are, and none in the oceans or the Caspian Sea', () => {
    const isLand = (lon: number, lat: number): boolean =>
      polygons.some((rings) => {
        let isInside = false;
        for (const ring of rings)
          for (let i = 1; i < ring.length; i++) {
            const [[x1, y1], [x2, y2]] = [ring[i - 1]!, ring[i]!] as [[number, number], [number, number]];
            if (y1 > lat !== y2 > lat && lon < x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1))
              isInside = !isInside;
          }
        return isInside;
      });
    const inland = ['Moscow', 'Delhi', 'Mexico City', 'Johannesburg', 'Ulaanbaatar', 'Madrid'];
    for (const [name, , lon, lat] of WORLD_CITIES)
      if (inland.includes(name)) expect([name, isLand(lon, lat)]).toEqual([name, true]);
    expect([isLand(-30, 30), isLand(-140, 0), isLand(80, -30), isLand(50.5, 42)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('conflict', () => {
  test('a field that one side alone changed is chosen from that side', () => {
    const mine = { ...ZONE, name: 'Mine', width: 200 };
    const theirs = { ...ZONE, name: 'Theirs', speed_limit: 50, area: 7 };
    const list = differences(ZONE, mine, theirs);
    expect(list).toEqual([
      { field: 'name', mine: 'Mine', theirs: 'Theirs', choice: 'mine' },
      { field: 'width', mine: 200, theirs: 100, choice: 'mine' },
      { field: 'speed_limit', mine: null, theirs: 50, choice: 'theirs' },
    ]);
    const byDefault = new Map(list.map(({ field, choice }) => [field, choice]));
    expect(merged(theirs, list, (field) => byDefault.get(field)!)).toEqual({
      ...theirs,
      name: 'Mine',
      width: 200,
    });
  });

  test('null and absent, and entries with the same key, do not differ', () => {
    const theirs = {
      ...ZONE,
      type: { key: 'circle', type: 'geozone_type', value: 'Circle' },
      color: null,
    } as const;
    expect(differences(ZONE, ZONE, theirs)).toEqual([]);
  });
});

describe('draft', () => {
  test('the body keeps what the form does not show', () => {
    const zone = {
      ...ZONE,
      hours: { weekly: [] },
      foreign: 'kept',
      color: { key: '#F56C6C', type: 'color_code' },
    };
    expect(bodyOf(zone, { ...draftOf(zone), name: 'B' })).toEqual({ ...zone, name: 'B' });
  });

  test('a border of many vertices is cut into lines that a map can draw', () => {
    const ring = Array.from({ length: 12_000 }, (_, i): [number, number] => {
      const turn = (2 * Math.PI * i) / 12_000;
      return [30 + 0.1 * Math.cos(turn), 59 + 0.05 * Math.sin(turn)];
    });
    const features = draftFeatures(bodyOf(null, { ...draftOf(null), name: 'Round', geometry: ring }), []);
    const lines = features.flatMap(({ geometry }) =>
      geometry.type === 'LineString' ? [geometry.coordinates] : [],
    );
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(6553);
    expect(lines.slice(1).map((line) => line[0])).toEqual(lines.slice(0, -1).map((line) => line.at(-1)));
    expect(lines.flatMap((line, i) => (i === 0 ? line : line.slice(1)))).toEqual([...ring, ring[0]]);
  });

  test('both segments of a crossing are marked', () => {
    const draft = {
      ...draftOf(null),
      name: 'Bow',
      geometry: [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ] as const,
    };
    const body = bodyOf(null, draft);
    const wrong = draftFeatures(body, problemsOf(body)).filter(({ properties }) => properties?.['wrong']);
    expect(wrong.map(({ geometry }) => geometry)).toEqual([
      {
        type: 'LineString',
        coordinates: wkt('0 0, 1 1'),
      },
      {
        type: 'LineString',
        coordinates: wkt('1 0, 0 1'),
      },
    ]);
    expect(
      problemsOf({
        ...body,
        geometry: wkt('0 0, 1 0, 1 1, 0 1'),
      }),
    ).toEqual([]);
    expect(problemsOf({ ...body, name: '' }).map(({ field }) => field)).toContain('name');
  });
});

describe('tiles of an edit', () => {
  const circle = fc.record({
    lon: fc.double({ min: -179.9, max: 179.9, noNaN: true }),
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    width: fc.integer({ min: 10, max: 30_000 }),
  });
  test('include every tile whose bytes change', () => {
    fc.assert(
      fc.property(circle, fc.integer({ min: 0, max: 12 }), ({ lon, lat, width }, zoom) => {
        const zone = { ...ZONE, geometry: [[lon, lat]] as const, width };
        const changed = tilesTouched(new ZoneIndex([zone]), null, zone, { minZoom: 0, maxZoom: zoom });
        const touched = touchedTiles(boxOf(zone)!, zoom);
        const names = new Set(touched!.map(({ z, x, y }) => `${z}/${x}/${y}`));
        expect(changed.filter(({ z, x, y }) => !names.has(`${z}/${x}/${y}`))).toEqual([]);
      }),
      { numRuns: volume(400), seed: 41 },
    );
  });

  test('a box is that of the outline, narrow across the antimeridian', () => {
    const zone = { ...ZONE, geometry: [[180, 0]] as const, width: 1000 };
    const [west, south, east, north] = boxOf(zone)!;
    expect(west).toBeGreaterThan(179);
    expect(east).toBeLessThan(-179);
    const lats = zoneOutline(zone).coordinates.flat(3) as number[];
    expect(north).toBe(Math.max(...lats.filter((_, i) => i % 2 === 1)));
    expect(south).toBe(-north);
    expect(boxOf({ ...zone, geometry: [] })).toBe(null);
    expect(touchedTiles([-180, -85, 180, 85], 14)).toBe(null);
    expect(boxOfPositions([])).toBe(null);
    expect(boxOfPositions(wkt('179 1, -170 2, 175 -3'))).toEqual([175, -3, -170, 2]);
  });

  test('the box of positions contains them all, and no narrower one does', () => {
    const position = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(position, { minLength: 1, maxLength: 8 }), (positions) => {
        const [west, south, east, north] = boxOfPositions(positions)!;
        const width = (to: number, from: number): number => (to < from ? to + 360 : to) - from;
        for (const [lon, lat] of positions) {
          expect(width(lon, west)).toBeLessThanOrEqual(width(east, west));
          expect(lat >= south && lat <= north).toBe(true);
        }
        // Each box that begins at a position contains all others up to the farthest one to the east.
        const widths = positions.map(([from]) => Math.max(...positions.map(([lon]) => width(lon, from))));
        expect(width(east, west)).toBeCloseTo(Math.min(...widths), 9);
      }),
      { numRuns: volume(300), seed: 43 },
    );
  });

  test('the box of a corridor contains its outline, and is little wider', () => {
    const step = fc.tuple(
      fc.double({ min: -0.5, max: 0.5, noNaN: true }),
      fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    );
    const start = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -80, max: 80, noNaN: true }),
    );
    fc.assert(
      fc.property(
        start,
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 2, max: 5000 }),
        (from, steps, width) => {
          const geometry: [number, number][] = [from];
          for (const [lon, lat] of steps) {
            const [x, y] = geometry.at(-1)!;
            geometry.push([((x + lon + 540) % 360) - 180, y + lat]);
          }
          const zone = { ...ZONE, type: { key: 'line' as const }, geometry, width };
          const [west, south, east, north] = boxOf(zone)!;
          const lonLat = (zoneOutline(zone).coordinates as unknown[]).flat(3) as number[];
          const wide = (east < west ? east + 360 : east) - west;
          let [bottom, top] = [90, -90];
          for (let i = 0; i < lonLat.length; i += 2) {
            expect((((lonLat[i]! - west + 1e-9) % 360) + 360) % 360).toBeLessThanOrEqual(wide + 2e-9);
            bottom = Math.min(bottom, lonLat[i + 1]!);
            top = Math.max(top, lonLat[i + 1]!);
          }
          expect(south <= bottom && north >= top).toBe(true);
          expect(Math.max(bottom - south, north - top)).toBeLessThan(0.02 * (width / 2 / 110_000) + 1e-6);
        },
      ),
      { numRuns: volume(60), seed: 44 },
    );
  });
});

describe('a place in a day', () => {
  const track = {
    seconds: Float64Array.of(10, 20, 2000, 2010),
    isBreak: (i: number) => i === 1,
    lonLat: Float64Array.of(179.999, 10, -179.999, 10, -179.9, 11, -179.9, 11),
  };
  test('is on the short way between two positions, and at the last one during a silence', () => {
    expect(placeOnDay(track, 9)).toBe(null);
    expect(placeOnDay(track, 10)).toMatchObject({ lon: 179.999, lat: 10, isMoving: true });
    expect(placeOnDay(track, 15)!.lon).toBeCloseTo(180, 9);
    expect(placeOnDay(track, 100)).toEqual({ lon: -179.999, lat: 10, isMoving: false, isSilent: false });
    expect(placeOnDay(track, 1000)).toEqual({ lon: -179.999, lat: 10, isMoving: false, isSilent: true });
    expect(placeOnDay(track, 2005)).toEqual({ lon: -179.9, lat: 11, isMoving: false, isSilent: false });
    expect(placeOnDay(track, 80_000)).toMatchObject({ lon: -179.9, isSilent: true });
  });
});

test('both languages have all words with the same values', () => {
  const [english, russian] = [wordsIn('en'), wordsIn('ru')];
  const valuesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [key, text] of Object.entries(english)) {
    const other = russian[key as keyof typeof russian];
    expect([key, valuesOf(other)]).toEqual([key, valuesOf(text)]);
  }
});
