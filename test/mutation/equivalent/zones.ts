import { at, type Reasons } from './reasons.js';

export const ZONES: Reasons = {
  'a larger box, or a choice that lets the exact test decide more often': [
    ...at(
      'zones/kinds/polygon',
      ['let [low, high] = [90, -90];', /^\+90$/],
      ['if (part.some((ring) => ring.turns !== 0)) boxes.push(', /^true$/],
    ),
    ...at('zones/index/query/zonesInBox', ['((lon >= west && lon <= east)', /^\+180$/]),
    ...at('zones/ring', ['export function isInOnePiece(', /^\{\}$/]),
    ...at('zones/corridor/trailsOf', ['if (ids[i] !== i && (ids[i - 1]', /i \+ 1/]),
  ],
  'changes the order, the amount of work or the memory': [
    ...at(
      'zones/corridor/mapCorridor',
      ['for (let i = 2 * from; i <= 2 * to; i += 2) {', /i < 2/],
      ['if (i > 2 * from) {', />=|2 \/ from/],
    ),
    ...at('zones/corridor/chainsOf', ['while (last > from && !isClear(last)) last -= 2;', /\|\||^true$/]),
    ...at('zones/corridor/trailsOf', ['this.#isUsed = new Uint8Array(', /\* 2/]),
  ],
  'differs only at a tie, in a step of a search, or in a case that never occurs': [
    ...at('zones/corridor/freePosition'),
    ...at('zones/corridor/mapCorridor', ['length > 2 * (width + height) &&', />=/]),
    ...at('zones/corridor/straightened', ['if (length > 0 && isNearChord(', /length >= 0|^true$/]),
    ...at('zones/kinds/polygon', ['for (let i = 1; i < ring.coords.length; i += 2) {', /i <= /]),
    ...at('zones/cutPart', [': ((ring.pole ===', /ring\.turns >= 0/]),
    // Only `latlon` differs from the order of `parts`.
    ...at('zones/kinds/polygon', [
      "const made = ring === null ? null : ringsAt(ring, place, 'lonlat', j > 0, sink);",
      /^""$/,
    ]),
    ...at('zones/unrolledRing', ['if (i > 0) {', /i >= 0/]),
    // The path of a ring that meets itself is computed twice.
    ...at('zones/polygonProblems', ['problem: { code, at, other: other === at ? null : other', /^false$/]),
    ...at('zones/errorList', ["#last = '';", /Stryker/]),
    ...at('zones/shapes/intervalUnion', ['if (endInside && intervals[last] !== 1) {', /^true$/]),
    ...at('zones/polygonProblems', [
      'return problems.length < limit && removals < MOST_REMOVALS && looked <= MOST_EDGES;',
      /looked < /,
    ]),
  ],
};
