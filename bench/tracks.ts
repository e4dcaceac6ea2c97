/**
 * Detects visits in a stream, beside the loop that most backends begin with: candidates from rbush, the rest by Turf. Visits are timed in
 * processor time, since the machine is shared.
 */

import { booleanPointInPolygon, lineIntersect, lineString, bbox as turfBbox } from '@turf/turf';
import RBush from 'rbush';
import { type Fix, type Geozone, ZoneIndex } from '../src/index.js';
import {
  detectTrips,
  type MovementReport,
  MovementTracker,
  readTrack,
  SpeedingTracker,
  VisitTracker,
} from '../src/tracks/index.js';
import { drive } from '../test/tracks/drives.js';
import { type SlowReport, slowMovement } from '../test/tracks/oracle/slowMovement.js';
import { dayOf } from '../test/tracks/stays/days.js';
import { seeded } from '../test/volume.js';
import { compare, type Timing, table } from './harness.js';
import { starCities } from './zoneWorkloads.js';

const START = Date.UTC(2026, 0, 1);

interface Message {
  readonly unitId: string;
  readonly fix: Fix;
}

/** Vans around the zones' cities, one fix each at a fixed interval. 60 % drive at 20 to 90 km/h; the others stand and jitter by metres. */
function fleet(
  zones: readonly Geozone[],
  vans: number,
  count: number,
  everySeconds: number,
  seed: number,
): Message[] {
  const random = seeded(seed);
  const states = Array.from({ length: vans }, (_, i) => {
    const [lon, lat] = zones[Math.floor(random() * zones.length)]!.geometry[0]!;
    return { unitId: `van ${i}`, lon, lat, heading: 0, kph: 0 };
  });
  return Array.from({ length: count }, (_, i) => {
    const van = states[i % vans]!;
    if (random() < 0.1) {
      van.kph = random() < 0.6 ? 20 + 70 * random() : 0;
      van.heading = 2 * Math.PI * random();
    }
    const degrees = van.kph > 0 ? (van.kph * everySeconds) / 3.6 / 111_000 : 0.00002 * random();
    van.heading += (random() - 0.5) * (van.kph > 0 ? 0.3 : 6);
    van.lon += (degrees * Math.sin(van.heading)) / Math.cos((van.lat * Math.PI) / 180);
    van.lat += degrees * Math.cos(van.heading);
    const time = START + Math.floor(i / vans) * everySeconds * 1000;
    return { unitId: van.unitId, fix: { time, lon: van.lon, lat: van.lat } };
  });
}

/** Number of enter and exit events. */
function trackerRun(index: ZoneIndex, messages: readonly Message[]): number {
  const tracker = new VisitTracker(index);
  let events = 0;
  for (const { unitId, fix } of messages) events += tracker.push(unitId, fix).length;
  return events;
}

/** Number of events found with Turf: a point test for the fix, and intersections of the step with the border of each candidate. */
function turfRun(zones: readonly Geozone[]): (messages: readonly Message[]) => number {
  const features = zones.map((zone, i) => ({
    type: 'Feature' as const,
    properties: { i },
    geometry: {
      type: 'Polygon' as const,
      coordinates: [[...zone.geometry, zone.geometry[0]!].map(([x, y]) => [x, y])],
    },
  }));
  const tree = new RBush<{ minX: number; minY: number; maxX: number; maxY: number; i: number }>();
  tree.load(
    features.map((feature, i) => {
      const [minX, minY, maxX, maxY] = turfBbox(feature) as [number, number, number, number];
      return { minX, minY, maxX, maxY, i };
    }),
  );
  return (messages) => {
    const units = new Map<string, { lon: number; lat: number; inside: Set<number> }>();
    let events = 0;
    for (const { unitId, fix } of messages) {
      const { lon, lat } = fix;
      const last = units.get(unitId);
      const from = last ?? { lon, lat };
      const inside = new Set<number>();
      const box = {
        minX: Math.min(lon, from.lon),
        minY: Math.min(lat, from.lat),
        maxX: Math.max(lon, from.lon),
        maxY: Math.max(lat, from.lat),
      };
      for (const { i } of tree.search(box)) {
        const feature = features[i]!;
        const isInside = booleanPointInPolygon([lon, lat], feature);
        if (isInside) inside.add(i);
        if (!last) {
          events += isInside ? 1 : 0;
        } else if (last.lon !== lon || last.lat !== lat) {
          const step = lineString([
            [last.lon, last.lat],
            [lon, lat],
          ]);
          events += lineIntersect(step, feature).features.length;
        }
      }
      units.set(unitId, { lon, lat, inside });
    }
    return events;
  };
}

/** Nanoseconds of processor time per fix, the least of several passes. */
function leastNs(passes: number, fixes: number, run: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < passes; pass++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, ((user + system) * 1000) / fixes);
  }
  return least;
}

/** The tracker gets all fixes. Turf gets some of them, on which both must emit equally many events. */
function visitTable(zones: readonly Geozone[], count: number, everySeconds: number): string {
  const messages = fleet(zones, 1000, count, everySeconds, 8);
  const some = messages.slice(0, Math.min(count, 10_000));
  const index = new ZoneIndex(zones);
  const turf = turfRun(zones);
  const [ours, theirs] = [trackerRun(index, some), turf(some)];
  if (ours !== theirs)
    throw new Error(
      `expected equally many events, received ${ours} of VisitTracker and ${theirs} of the Turf loop`,
    );
  const events = trackerRun(index, messages) / count;
  const ns = leastNs(4, count, () => trackerRun(index, messages));
  const peer = leastNs(2, some.length, () => turf(some));
  return [
    `### Visits in a stream: ${zones.length} zones, interleaved fixes of 1000 units, each every ${everySeconds} s; ${events.toFixed(2)} events a fix`,
    '',
    '| | ns a fix | fixes a second | times the first |',
    '|---|---|---|---|',
    `| wayzone VisitTracker, ${count} fixes | ${ns.toFixed(0)} | ${(1e9 / ns).toFixed(0)} | 1.00 |`,
    `| rbush + Turf, events only, ${some.length} fixes | ${peer.toFixed(0)} | ${(1e9 / peer).toFixed(0)} | ${(peer / ns).toFixed(1)} |`,
    '',
  ].join('\n');
}

/** Days of one vehicle: `detectTrips` beside an algorithm on whole lists with Karney's distances. */
function movementTimings(count: number, rounds: number): Timing[] {
  const track = readTrack(drive(seeded(3), count), { maxSpeedKph: Number.POSITIVE_INFINITY });
  const slow = {
    minparktime: 300,
    minmovespeed: 3,
    mintripdist: 100,
    mintriptime: 60,
    maxdistancemsg: 1000,
    maxintervalmsg: 3600,
    mileagecoeff: 1,
    ignition: false,
    gpscorrect: false,
    maxJumpSpeedKph: null,
    mileage: 'mileage_GPS' as const,
  };
  const sum = ({ trips, parkings, stops }: MovementReport | SlowReport, unit: number): number =>
    [...trips, ...parkings, ...stops].reduce((total, { from, to }) => total + (to - from) / unit + 1, 0);
  return compare(
    [
      {
        name: 'wayzone detectTrips',
        run: () => sum(detectTrips(track), 1000),
      },
      { name: 'whole lists, GeographicLib', run: () => sum(slowMovement(track, slow), 1) },
    ],
    track.length,
    rounds,
  );
}

/** Days with known parkings in a row, as reported each so many seconds with noise of 3 m; batch and stream, processor time. */
function stepTable(count: number): string {
  const rows = [1, 10, 60].map((seconds) => {
    const fixes = daysOf(seconds, count);
    const track = readTrack(fixes);
    const batch = leastNs(8, count, () => detectTrips(track, {}, { jump: 'speed' }).trips.length);
    const pushed = (tracker: MovementTracker | SpeedingTracker): number => {
      let events = 0;
      for (const fix of fixes) events += tracker.push('unit', fix).length;
      return events;
    };
    const stream = leastNs(4, count, () => pushed(new MovementTracker({}, { jump: 'speed' })));
    const speeding = leastNs(8, count, () => pushed(new SpeedingTracker({ limitKph: 60 })));
    return `| ${seconds} | ${batch.toFixed(0)} | ${stream.toFixed(0)} | ${speeding.toFixed(0)} |`;
  });
  return [
    `### Trips, parkings and speeding of ${count} fixes by their step, ns a fix`,
    '',
    '| seconds between fixes | detectTrips | MovementTracker | SpeedingTracker |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** One day after the other; each begins where the one before ended. */
function daysOf(seconds: number, count: number): Fix[] {
  const fixes: Fix[] = [];
  let [time, lon, lat] = [START, 37, 55];
  for (let seed = 0; fixes.length < count; seed++) {
    const day = dayOf({ steps: [seconds], noise: 3 }, seed).fixes;
    const first = day[0]!;
    const begin = time - first.time;
    const [east, north] = [lon - first.lon, lat - first.lat];
    for (const fix of day)
      fixes.push({ ...fix, time: fix.time + begin, lon: fix.lon + east, lat: fix.lat + north });
    ({ lon, lat } = fixes.at(-1)!);
    time = fixes.at(-1)!.time + seconds * 1000;
  }
  return fixes.slice(0, count);
}

/** A shuffled track: columns and radix sort beside an array of objects and its sort. */
function readTimings(count: number, rounds: number): Timing[] {
  const random = seeded(5);
  const fixes = Array.from({ length: count }, (_, i) => ({
    time: START + i * 1000,
    lon: 37 + i * 1e-5,
    lat: 55 + (i % 100) * 1e-6,
    speedKph: i % 90,
  }));
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [fixes[i], fixes[j]] = [fixes[j]!, fixes[i]!];
  }
  return compare(
    [
      {
        name: 'wayzone readTrack, cleaned columns',
        run: () => readTrack(fixes).time.reduce((sum, time, i) => (sum + time * (i % 7)) % 1e9, 0),
      },
      {
        name: 'sort of an array of objects, nothing cleaned',
        run: () =>
          [...fixes]
            .sort((a, b) => a.time - b.time)
            .reduce((sum, { time }, i) => (sum + time * (i % 7)) % 1e9, 0),
      },
    ],
    count,
    rounds,
  );
}

export function tracksBench(quick: boolean): string {
  const [zoneCount, count] = quick ? [1_000, 20_000] : [100_000, 400_000];
  const zones = starCities(zoneCount, 20261121);
  const fixCount = quick ? 10_000 : 100_000;
  return [
    ...[30, 10].map((everySeconds) => visitTable(zones, count, everySeconds)),
    table(`Trips, parkings and stops of ${fixCount} fixes`, movementTimings(fixCount, 3)),
    stepTable(quick ? 10_000 : 40_000),
    table(`A track from ${fixCount} shuffled fixes`, readTimings(fixCount, 3)),
  ].join('\n');
}
