/** The sources to mutate, and the tests that must find each mutant. */

export interface Round {
  readonly tests: readonly string[];
  /** Share of a fortieth of the generated cases of the long run (`WAYZONE_VOLUME`). */
  readonly share: number;
  /** Slower tests are excluded. */
  readonly slowestMilliseconds: number;
}

export interface Target {
  readonly sources: readonly string[];
  /** The first round runs every mutant, each further one the survivors. */
  readonly rounds: readonly Round[];
}

const CONDUCT_TESTS = [
  'test/hours',
  'test/tracks/features',
  'test/tracks/findDeviations.test.ts',
  'test/tracks/meetings',
  'test/tracks/route',
];

export const TARGETS: Readonly<Record<string, Target>> = {
  planar: {
    sources: ['src/planar'],
    rounds: [
      { tests: ['test/planar'], share: 0.03, slowestMilliseconds: 1000 },
      {
        tests: ['test/planar', 'test/zones/validity.test.ts', 'test/zones/shapeProblems.test.ts'],
        share: 0.3,
        slowestMilliseconds: 3000,
      },
    ],
  },
  geodesy: {
    sources: ['src/geodesy'],
    rounds: [
      { tests: ['test/geodesy'], share: 0.02, slowestMilliseconds: 1500 },
      {
        tests: ['test/geodesy', 'test/zones/measure.test.ts', 'test/zones/intervals.test.ts'],
        share: 0.1,
        slowestMilliseconds: 2000,
      },
      {
        tests: ['test/geodesy', 'test/zones/measure.test.ts', 'test/zones/intervals.test.ts'],
        share: 0.5,
        slowestMilliseconds: 4000,
      },
    ],
  },
  trips: {
    sources: ['src/trips'],
    rounds: [
      { tests: ['test/trips'], share: 0.03, slowestMilliseconds: 150 },
      { tests: ['test/trips'], share: 0.3, slowestMilliseconds: 3000 },
    ],
  },
  zones: {
    sources: ['src/zones'],
    rounds: [
      { tests: ['test/zones'], share: 0.1, slowestMilliseconds: 400 },
      { tests: ['test/zones'], share: 0.06, slowestMilliseconds: 2000 },
    ],
  },
  index: {
    sources: ['src/zones/index', 'src/zones/kinds', 'src/zones/shapes'],
    rounds: [
      { tests: ['test/zones/index', 'test/zones/zoneIndex.test.ts'], share: 0.1, slowestMilliseconds: 600 },
      { tests: ['test/zones/index', 'test/zones/zoneIndex.test.ts'], share: 0.1, slowestMilliseconds: 5000 },
      {
        tests: ['test/zones/index', 'test/zones/zoneIndex.test.ts', 'test/tracks/zoneIndex.test.ts'],
        share: 0.3,
        slowestMilliseconds: 20_000,
      },
    ],
  },
  conduct: {
    sources: [
      'src/hours',
      'src/tracks/ledger',
      'src/tracks/meetings',
      'src/tracks/meter',
      'src/tracks/route',
      'src/tracks/speeding',
    ],
    rounds: [
      { tests: CONDUCT_TESTS, share: 0.1, slowestMilliseconds: 500 },
      { tests: CONDUCT_TESTS, share: 0.3, slowestMilliseconds: 5000 },
    ],
  },
  tracks: {
    sources: ['src/tracks'],
    rounds: [
      { tests: ['test/tracks'], share: 0.1, slowestMilliseconds: 500 },
      { tests: ['test/tracks'], share: 0.3, slowestMilliseconds: 3000 },
    ],
  },
};
