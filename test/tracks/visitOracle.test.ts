import { describe, expect, it } from 'vitest';
import { findVisits, readTrack } from '../../src/tracks/index.js';
import { seeded, volume } from '../volume.js';
import { type SlowRules, slowVisits, toFix, type Waypoint } from './oracle/slowVisits.js';
import { type PlaneZone, planeIndex, START } from './planeIndex.js';

const STEP_SECONDS = 0.05;

const DEFAULTS: SlowRules = {
  exitBufferMeters: 0,
  accuracyCapMeters: 0,
  minInsideSeconds: 0,
  minOutsideSeconds: 0,
  maxGapSeconds: 3600,
  parkedMeters: 200,
  maxCrossedMeters: 5000,
};

const ZONES: readonly PlaneZone[] = [
  { id: 'box', parts: [{ box: [-200, -150, 100, 150] }] },
  { id: 'disc', parts: [{ disc: [120, 40, 130] }] },
  { id: 'comb', parts: [0, 1, 2, 3].map((i) => ({ box: [i * 90 - 150, -300, i * 90 - 100, 300] })) },
  { id: 'mixed', parts: [{ disc: [-220, 0, 60] }, { box: [-100, -60, -40, 60] }, { disc: [150, 0, 90] }] },
];

/** A walk around the zones with drives, rests, jitter and gaps. */
function walk(random: () => number, gapSeconds: number): Waypoint[] {
  const way: Waypoint[] = [];
  let [seconds, x, y] = [0, 400 * (random() - 0.5), 300 * (random() - 0.5)];
  for (let i = 0; i < 14; i++) {
    const accuracyMeters = random() < 0.6 ? Math.round(random() * 60) : null;
    way.push({ seconds, x, y, accuracyMeters });
    const isGap = random() < 0.12;
    seconds += isGap ? gapSeconds + 1 + Math.round(random() * 20) : 5 + Math.round(random() * 40);
    const reach = [0, 20, 300, 900][Math.floor(random() * 4)] as number;
    x = clamp(x + reach * (random() - 0.5));
    y = clamp(y + reach * (random() - 0.5));
  }
  return way;
}

function clamp(value: number): number {
  return Math.round(Math.max(-450, Math.min(450, value)) * 100) / 100;
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** Whether the track cuts a corner or a notch that is so short that the walk may miss it. */
function hasShortStretch(way: readonly Waypoint[], zone: PlaneZone): boolean {
  const index = planeIndex([zone]);
  return way.some((point, i) => {
    const [a, b] = [way[i - 1], point].map((end) => end && toFix(end));
    if (!a || !b) return false;
    const cuts = index.crossing([a.lon, a.lat], [b.lon, b.lat]).flatMap(({ from, to }) => [from, to]);
    return cuts.some((cut, k) => {
      const next = cuts[k + 1] ?? 2;
      const isOnFix = cut === 0 || next === 1;
      return !isOnFix && ((next - cut) * (b.time - a.time)) / 1000 < 3 * STEP_SECONDS;
    });
  });
}

/** Compares `count` generated walks and fails if one differs. Returns how many could be compared. */
function compare(count: number, seed: number, rulesOf: (random: () => number) => SlowRules): number {
  let compared = 0;
  for (let number = 0; number < count; number++) {
    const random = seeded(seed + number);
    const rules = rulesOf(random);
    const way = walk(random, rules.maxGapSeconds);
    // The walk is faster than any vehicle.
    const track = readTrack(way.map(toFix), { maxSpeedKph: Number.POSITIVE_INFINITY });
    const found = findVisits(track, planeIndex(ZONES), rules);
    for (const zone of ZONES) {
      const { visits, isTooClose } = slowVisits(way, zone, rules, STEP_SECONDS);
      const own = found.filter((visit) => visit.zoneId === zone.id);
      if (isTooClose || hasShortStretch(way, zone)) continue;
      compared++;
      const message = `seed ${seed + number}, zone ${zone.id}, ${JSON.stringify(rules)}`;
      expect(
        own.map(({ end, fixCount }) => ({ end, fixCount })),
        message,
      ).toEqual(visits.map(({ end, fixCount }) => ({ end, fixCount })));
      own.forEach((visit, i) => {
        const slow = visits[i] as (typeof visits)[number];
        expect(Math.abs((visit.enter - START) / 1000 - slow.enter), message).toBeLessThan(2 * STEP_SECONDS);
        expect(visit.exit === null, message).toBe(slow.exit === null);
        const late = visit.exit === null ? 0 : (visit.exit - START) / 1000 - (slow.exit as number);
        expect(Math.abs(late), message).toBeLessThan(2 * STEP_SECONDS);
        expect(visit.seen, message).toBe(slow.fixCount > 0 ? 'inside' : 'crossed');
      });
    }
  }
  return compared;
}

describe('findVisits against a walk in small steps', () => {
  it('agrees with default options', () => {
    const count = volume(3000);
    const compared = compare(count, 1, () => ({ ...DEFAULTS, maxGapSeconds: 60 }));
    expect(compared).toBeGreaterThan(count * ZONES.length * 0.8);
  });

  it('agrees with every mix of options', () => {
    const count = volume(6000);
    const compared = compare(count, 500_000, (random) => ({
      exitBufferMeters: pick(random, [0, 0, 10, 60]),
      accuracyCapMeters: pick(random, [0, 0, 25, 100]),
      minInsideSeconds: pick(random, [0, 0, 5, 20, 60]),
      minOutsideSeconds: pick(random, [0, 0, 5, 20, 60]),
      maxGapSeconds: pick(random, [60, 120]),
      parkedMeters: pick(random, [0, 15, 200]),
      maxCrossedMeters: pick(random, [5000, 150]),
    }));
    expect(compared).toBeGreaterThan(count * ZONES.length * 0.7);
  });
});
