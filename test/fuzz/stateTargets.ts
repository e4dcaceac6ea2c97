/** Targets for saved state: buffers of an index, snapshots of trackers. Damaged state gives a coded error; valid state can be continued. */

import { ZoneIndex } from '../../src/index.js';
import { MovementTracker, VisitTracker } from '../../src/tracks/index.js';
import { TripTracker } from '../../src/trips/index.js';
import { checkNumbers, hashOf, mustNotThrow } from './oracle.js';
import { FIXES, TRIP, ZONES } from './samples.js';
import { json, type Target } from './target.js';

const index = new ZoneIndex(ZONES);
const OPTIONS = { minInsideSeconds: 30, latenessSeconds: 120, maxGapSeconds: 1200 };

/** The text of a snapshot, damaged or not. The seal covers every field, so damage never reaches the code behind it. */
function snapshotOf(input: Uint8Array): string {
  return new TextDecoder().decode(input);
}

function visitTracker(): VisitTracker {
  const tracker = new VisitTracker(index, OPTIONS);
  for (const fix of FIXES.slice(0, 14)) tracker.push('__proto__', fix);
  for (const fix of FIXES.slice(5, 9)) tracker.push('b', fix);
  return tracker;
}

function movementTracker(): MovementTracker {
  const tracker = new MovementTracker({ tripdetector_minparktime: 120 }, { latenessSeconds: 60 });
  tracker.configure('b', { tripdetector_mintriptime: 30 });
  for (const fix of FIXES.slice(0, 14)) tracker.push('__proto__', fix);
  for (const fix of FIXES.slice(5, 9)) tracker.push('b', fix);
  return tracker;
}

function tripTracker(): TripTracker {
  const tracker = new TripTracker(TRIP as never, '2026-03-02', {
    timeZone: 'Europe/Berlin',
    latenessSeconds: 60,
  });
  for (const fix of FIXES.slice(0, 14)) tracker.push(fix);
  return tracker;
}

/** Pushes more fixes to a restored tracker. Its results must be valid, and it must be able to give a snapshot. */
function goOn(tracker: VisitTracker | MovementTracker, snapshot: string): void {
  const units = (JSON.parse(snapshot) as { units: { id: string }[] }).units.map(({ id }) => id);
  for (const unit of [...units.slice(0, 3), 'new']) {
    for (const fix of FIXES.slice(12)) {
      checkNumbers(
        mustNotThrow('a push after restoring', () => tracker.push(unit, fix)),
        'events',
      );
    }
    checkNumbers(
      mustNotThrow('the counts after restoring', () => tracker.counts(unit)),
      'counts',
    );
  }
  const last = FIXES.at(-1)!.time + 864e5;
  checkNumbers(
    mustNotThrow('advance after restoring', () => tracker.advance(last)),
    'events',
  );
  mustNotThrow('a snapshot after restoring', () => tracker.snapshot());
}

/** Most inputs get the header and checksum that match their content, so that mutations reach the code behind these checks. */
function runBuffer(input: Uint8Array): void {
  const bytes = input.slice(0, input.length - (input.length % 8));
  const hash = hashOf(input);
  if (hash % 4 > 0 && bytes.length >= 32) seal(new Uint32Array(bytes.buffer));
  const opened = ZoneIndex.fromBuffer(hash % 4 === 0 ? input.slice().buffer : bytes.buffer);
  if (hash % 4 > 0) return;
  // An input that still has a valid checksum is unchanged, so its queries must not throw.
  mustNotThrow('an opened index', () => [
    opened.at([13.4, 52.5]),
    opened.nearest([0, 0]),
    opened.get('yard'),
  ]);
}

const CHECKSUM_WORD = 6;

/** Magic number, version and byte order of a buffer. */
const HEADER: readonly number[] = [...new Uint32Array(new ZoneIndex([]).toBuffer(), 0, 3)];

/** Sets magic number, version, byte order, length and checksum like src/zones/index/bufferFormat.ts. */
function seal(words: Uint32Array): void {
  words.set(HEADER);
  words[4] = words.byteLength;
  words[5] = 0;
  let even = 0x9e37_79b9;
  let odd = 0x85eb_ca6b;
  for (let i = 0; i + 1 < words.length; i += 2) {
    if (i === CHECKSUM_WORD) continue;
    even ^= words[i]!;
    even = (Math.imul((even << 13) | (even >>> 19), 0x5bd1_e995) + 0x1656_67b1) | 0;
    odd ^= words[i + 1]!;
    odd = (Math.imul((odd << 17) | (odd >>> 15), 0x2785_2b1b) + 0x27d4_eb2f) | 0;
  }
  words[CHECKSUM_WORD] = even >>> 0;
  words[CHECKSUM_WORD + 1] = odd >>> 0;
}

export const STATE_TARGETS: readonly Target[] = [
  {
    name: 'buffer',
    format: 'bytes',
    seeds: () => [
      new Uint8Array(index.toBuffer({ cells: true })),
      new Uint8Array(new ZoneIndex([]).toBuffer()),
    ],
    run: runBuffer,
  },
  {
    name: 'visit-snapshot',
    format: 'json',
    seeds: () => [json(visitTracker().snapshot()), json(new VisitTracker(index).snapshot())],
    run: (input) => {
      const text = snapshotOf(input);
      const tracker = VisitTracker.restore(index, text);
      goOn(tracker, text);
    },
  },
  {
    name: 'movement-snapshot',
    format: 'json',
    seeds: () => [json(movementTracker().snapshot())],
    run: (input) => {
      const text = snapshotOf(input);
      goOn(MovementTracker.restore(text), text);
    },
  },
  {
    name: 'trip-snapshot',
    format: 'json',
    seeds: () => [json(tripTracker().snapshot())],
    run: (input) => {
      const tracker = TripTracker.restore(TRIP as never, snapshotOf(input));
      for (const fix of FIXES.slice(12)) {
        checkNumbers(
          mustNotThrow('a push after restoring', () => tracker.push(fix)),
          'events',
        );
      }
      checkNumbers(
        mustNotThrow('a report after restoring', () => tracker.report()),
        'report',
      );
      mustNotThrow('a snapshot after restoring', () => tracker.snapshot());
    },
  },
];
