/** Prints 10,000 seeded results of all modules, one JSON line each. They must be equal on every version of Node. */

import {
  corridor,
  destination,
  distanceMeters,
  type Geozone,
  measureZone,
  type Position,
  ZoneIndex,
} from '../../src/index.js';
import { fromKml, toKml } from '../../src/interchange/index.js';
import { filterGeozones } from '../../src/listing/index.js';
import { buildRouting, sequencePoints } from '../../src/routing/index.js';
import { detectTrips, findVisits, readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, planTrip } from '../../src/trips/index.js';
import { drive, randomSettings } from '../tracks/drives.js';
import { journey } from '../tracks/journeys.js';
import { randomCase } from '../trips/visitCases.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { PLACES, probeAt, zoneAt } from '../zones/generators.js';

const random = seeded(20_241);
const place = (i: number): Position => PLACES[i % PLACES.length]!;
const lines: string[] = [];
const record = (name: string, result: unknown): number => lines.push(JSON.stringify([name, result]));
const times = (count: number, make: (i: number) => void): void => {
  for (let i = 0; i < count; i++) make(i);
};

times(2000, (i) => {
  const a = probeAt(random, place(i), 10 ** (1 - (i % 5)));
  const b = probeAt(random, place(i + (i % 7 === 0 ? 1 : 0)), 10 ** (1 - (i % 5)));
  record('distance', [distanceMeters(a, b), destination(a, 360 * random(), 10 ** (7 * random()))]);
});

const zones: Geozone[] = [];
times(1500, (i) => {
  const zone = {
    ...zoneAt(random, `zone ${i}`, place(i), 0.2),
    name: `Зона ${Math.floor(300 * random())} ёж №${i}`,
  };
  zones.push(zone);
  record('measure', measureZone(zone));
});
const index = new ZoneIndex(zones);
times(2900, (i) => {
  const at = probeAt(random, place(i), 0.2);
  record('at', [index.at(at), i % 10 === 0 ? index.nearest(at, { count: 3 }) : null]);
});
times(400, (i) =>
  record('crossing', index.crossing(probeAt(random, place(i), 0.2), probeAt(random, place(i), 0.2))),
);
times(150, (i) => {
  const line = Array.from({ length: 2 + (i % 6) }, () => probeAt(random, place(i % 3), 0.1));
  // The number and positions of vertices may depend on the last bit; the area does not.
  const polygon = corridor(line, 20 + 500 * random());
  const parts = polygon.type === 'Polygon' ? [polygon.coordinates] : polygon.coordinates;
  const { area } = measureZone({
    type: { key: 'polygon' },
    geometry: wkt('0 0, 1 0, 0 1'),
    parts,
  });
  record('corridor', [polygon.type, parts.length, Math.round(area ?? -1)]);
});
times(400, (i) => {
  const tracked = readTrack(journey(random, 60, true));
  const [lon, lat] = [tracked.lon[0] ?? 0, tracked.lat[0] ?? 0];
  const near = new ZoneIndex([
    { id: 'disc', type: { key: 'circle' }, geometry: [[lon, lat]], width: 150 },
    {
      id: 'line',
      type: { key: 'line' },
      geometry: [
        [lon - 0.002, lat],
        [lon + 0.002, lat + 0.001],
      ],
      width: 60,
    },
  ]);
  record('visits', [i, tracked.rejected, findVisits(tracked, near, { exitBufferMeters: 10 * (i % 3) })]);
});
times(300, () => {
  const { settings, options } = randomSettings(random);
  record('movement', detectTrips(readTrack(drive(random, 80)), settings, options));
});
times(1200, () => {
  const { trip, date, source, options } = randomCase(random);
  record('trip', evaluateTrip(trip, date, source, options));
});
const ZONES = [
  'Europe/Moscow',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Sao_Paulo',
];
times(600, (i) => {
  const date = new Date(Date.UTC(2012 + (i % 14), Math.floor(12 * random()), 1 + Math.floor(28 * random())))
    .toISOString()
    .slice(0, 10);
  const time = `${String(Math.floor(24 * random())).padStart(2, '0')}:30`;
  const trip = {
    id: 't',
    name: 't',
    unit: { id: 'u' },
    passage_order_type: { key: 'strict' as const },
    dates: [date],
    points: [{ name: 'p', type: { key: 'point' as const }, geometry: [[0, 0] as const], arrival: { time } }],
  };
  record('plan', planTrip(trip, date, { timeZone: ZONES[i % ZONES.length]! }));
});
times(250, (i) => {
  const size = 3 + (i % 12);
  const matrix = Array.from({ length: size }, (_, p) =>
    Array.from({ length: size }, (_, q) => (p === q ? 0 : Math.floor(1000 * random()))),
  );
  record('sequence', sequencePoints(matrix, { roundTrip: i % 2 === 0 }));
});
for (let i = 0; i < 100; i++) {
  const text = Array.from({ length: 3 }, () => probeAt(random, [37.6, 55.7], 0.3))
    .map(([lon, lat]) => `${lat},${lon}`)
    .join(';');
  record('routing', await buildRouting(text, { optimize: true, language: i % 2 === 0 ? 'ru' : 'en' }));
}
times(100, (i) => {
  const { max, list } = filterGeozones(
    zones,
    {
      sortField: 'name',
      sortDesc: i % 2 === 0,
      count: 50,
      from: 10 * i,
      conditions: [{ field: 'name', value: String(i % 10) }],
    },
    { language: 'ru' },
  );
  record('list', [max, list.map(({ id }) => id)]);
  const some = zones
    .slice(10 * i, 10 * i + 10)
    .filter(({ type, geometry }) => type.key !== 'line' || geometry.length > 1);
  record(
    'kml',
    fromKml(toKml(some)).value.zones.map(({ id, geometry }) => [id, geometry]),
  );
});
process.stdout.write(`${lines.join('\n')}\n`);
