import { at, type Reasons } from './reasons.js';

export const ZONES: Reasons = {
  'a box or a choice that lets the exact test decide more often': [
    ...at(
      'zones/line',
      ['if (!mayReach(run, i, aLon, aLat, lonSpan, bLat)) continue;', /^false$/],
      ['if (Math.max(lat, toLat) < Math.min(aLat, bLat) - latDegrees) return false;', /^false$/],
      ['if (!(Math.abs(span) + Math.abs(lonSpan) + 2 * lonDegrees < 179)) return true;', /<= 179|>= 179/],
    ),
    ...at(
      'zones/polygon',
      ['let [low, high] = [90, -90];', /^\+90$/],
      ['if (part.some((ring) => ring.turns !== 0)) boxes.push(', /^true$/],
    ),
    ...at('zones/meetsBox', ['((lon >= west && lon <= east)', /^\+180$/]),
    ...at('zones/ring', ['export function isInOnePiece(', /^\{\}$/]),
    ...at('zones/corridor/corridor', [
      'rings.every(({ coords, turns }) => turns === 0 && isInOnePiece(coords)) &&',
      /^false$/,
    ]),
  ],
  'nothing at a tie, a step of a search, a case that never comes': [
    ...at('zones/corridor/corridor', ['rings.length > 0 &&', /^true$/]),
    ...at(
      'zones/corridor/freePosition',
      ['return angle > needed ? best : null;', />=/],
      ['[1, 0, 0],', /./],
      ['[-1, 0, 0],', /./],
      ['[0, 0, -1],', /./],
    ),
    ...at(
      'zones/corridor/mapCorridor',
      ['length > 2 * (width + height) &&', />=/],
      ['else if (area < -tolerance * tolerance) holes.push(index);', /<=/],
    ),
    ...at(
      'zones/corridor/offsetCurve',
      ['const count = between > 0 ?', />=/],
      ['const stepCos = count === 0 ?', /^false$/],
    ),
    ...at('zones/corridor/simplifyLine', ['if (length > 0 && isNear(', /length >= 0/]),
    ...at('zones/corridor/sphereCorridor', ['if (fits || depth >= MAX_DEPTH) return;', /depth > MAX_DEPTH/]),
    ...at('zones/corridor/sphereCurve', ['if (turn <= 0) this.#sector(i, from, -turn);', /turn < 0/]),
    ...at('zones/cut', ['const lat = ay === by ?', /^false$/]),
    ...at('zones/polygonProblems', ['if (looked > MOST_EDGES) break;', />=/]),
  ],
};
