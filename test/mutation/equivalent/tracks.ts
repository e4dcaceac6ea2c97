import { at, type Reasons } from './reasons.js';

export const TRACKS: Reasons = {
  'a first guess, the order or the amount of the work, not its result': [
    ...at('tracks/lineRuler', ['const isLeftFirst = left.meters >= right.meters;', /left\.meters > right/]),
    ...at('tracks/fixIntake', [
      'if (high > 0 && (pending[high - 1] as CleanFix).time < fix.time)',
      /^false$/,
    ]),
    ...at('tracks/movementMachine', ['if (lon !== state.lon || lat !== state.lat) {', /^true$/]),
    // What is known of a unit's safe region decides nothing.
    ...at('tracks/visitStepper', ['safeRegion(): SafeRegion | null {', /^\{\}$/]),
    ...at('tracks/plausibleFixes', ['if (wayBound(', /< reach/]),
    ...at(
      'tracks/orderByTime',
      ['for (let i = 0; i < times.length; i++) {', /i <= times/],
      ['if (to - from > 1) order.subarray(', /to \+ from/],
    ),
  ],
  'one step more, which finds nothing': [
    ...at('tracks/lineRuler', ['for (let i = 1; i < coords.length; i += 2) highest', /i <= coords/]),
  ],
  'a case or a word that nothing asks for': [
    // One text is no pair of fractions, and does not begin at 0 either.
    ...at(
      'tracks/visitStepper',
      ['const NONE: readonly number[] = [];', /Stryker/],
      ["const next = !inside.has(id) ? 'outside' :", /^""$/],
    ),
    // No count of edits is no number, and so not the one at which a unit was compared.
    ...at(
      'tracks/visitTracker',
      ['if (edits !== undefined && edits === unit.comparedEdits)', /^true$/],
      ["#unitId = '';", /Stryker/],
    ),
  ],
};
