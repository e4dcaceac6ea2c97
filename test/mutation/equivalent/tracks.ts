import { at, type Reasons } from './reasons.js';

export const TRACKS: Reasons = {
  'changes the first guess, the order or the amount of work, but not the result': [
    ...at('tracks/route/lineRuler', [
      'const isLeftFirst = left.meters >= right.meters;',
      /left\.meters > right/,
    ]),
    // No two times of the heap are equal.
    ...at(
      'tracks/waitingFixes',
      ['if (heap[parent]! < time) break;', /<= time/],
      ['if (last < heap[child]!) break;', /<= heap/],
    ),
    ...at('tracks/movementMachine', ['if (lon !== state.lon || lat !== state.lat) {', /^true$/]),
    // A safe region only saves work.
    ...at('tracks/visitStepper', ['safeRegion(): SafeRegion | null {', /^\{\}$/]),
    ...at('tracks/isPlausible', ['if (wayBound(', /< reach/]),
    ...at(
      'tracks/orderByTime',
      ['for (let i = 0; i < times.length; i++) {', /i <= times/],
      ['if (to - from > 1) order.subarray(', /to \+ from/],
    ),
  ],
  'one more step, which finds nothing': [
    ...at('tracks/route/lineRuler', ['for (let i = 1; i < coords.length; i += 2) highest', /i <= coords/]),
  ],
  'a case or a word that is never used': [
    // A single text is not a pair of fractions, and does not begin at 0.
    ...at(
      'tracks/visitStepper',
      ['const NONE: readonly number[] = [];', /Stryker/],
      ["const next = !inside.has(id) ? 'outside' :", /^""$/],
    ),
    // `undefined` is never the edit count of a comparison.
    ...at(
      'tracks/visitTracker',
      ['if (edits !== undefined && edits === unit.comparedEdits)', /^true$/],
      ["#unitId = '';", /Stryker/],
    ),
  ],
};
