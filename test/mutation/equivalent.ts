/**
 * Mutants that survive because they change no answer, read one by one. A line of source stands for those of its mutants that survive
 * (all, or those whose replacement fits `only`); one that a test finds counts as found, whatever stands here.
 */

export interface Equivalent {
  readonly file: string;
  /** The line, or what it begins with. */
  readonly line: string;
  readonly only?: RegExp;
}

const group = (file: string, ...lines: (string | readonly [string, RegExp])[]): Equivalent[] =>
  lines.map((line) =>
    typeof line === 'string'
      ? { file: `src/${file}.ts`, line }
      : { file: `src/${file}.ts`, line: line[0], only: line[1] },
  );

export const EQUIVALENT: Readonly<Record<string, readonly Equivalent[]>> = {
  'a quick rejection: what it lets pass, the exact test behind it rejects': [
    ...group(
      'planar/crossings',
      ['if (this.#boxesMeet(p2, q2)) this.#between(p2, q2);', /^true$/],
      ['if (this.#boxesMeet(p2, q2 + 1)) this.#between(p2, q2 + 1);', /^true$/],
      ['(boxes[4 * q + 1] as number) <= (boxes[4 * p + 3] as number)', /^true$/],
      ['if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;', /^false$|&& ax > maxX/],
      ['if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;', /^false$|&& ay > maxY/],
      ['if ((cx < ax && dx < ax) || (cx > bx && dx > bx)) return;', /^false$/],
      ['if ((cy < ay && dy < ay) || (cy > by && dy > by)) return;', /^false$/],
      ['if (ay < by) {', /^\{\}$/],
    ),
    ...group('planar/leftRay', [
      'if ((boxes[box] as number) > x || (boxes[box + 1] as number) > y || (boxes[box + 3] as number) < y)',
      /^false$|&&/,
    ]),
    ...group(
      'planar/ringsMeet',
      ['if ((boxes[box] as number) > maxX || (boxes[box + 2] as number) < minX) continue;', /^false$|&&/],
      ['if ((boxes[box + 1] as number) > maxY || (boxes[box + 3] as number) < minY) continue;', /^false$|&&/],
      ['(boxes[4 * p] as number) > (boxes[4 * q + 2] as number) ||', /^false$|&&/],
    ),
    ...group(
      'planar/segments',
      ['if (apart(ax, bx, cx, dx) || apart(ay, by, cy, dy)) return', /^false$|&&/],
      ['flushTiny(Math.max(a, b)) < flushTiny(Math.min(c, d)) ||', /^false$|&&/],
      ['flushTiny(Math.max(c, d)) < flushTiny(Math.min(a, b))', /^false$/],
    ),
    ...group(
      'planar/selfIntersection',
      [
        'if (boxes[box]! > east || boxes[box + 2]! < west || boxes[box + 1]! > north || boxes[box + 3]! < south)',
        /^false$|&&/,
      ],
      ['if (j === i + 1 && flushedTurn(ax, ay, bx, by, dx, dy) !== 0) continue;', /^false$/],
      ['(boxes[p + 1] as number) <= (boxes[q + 3] as number) &&', /^true$/],
      ['let north = -Infinity;', /Infinity/],
    ),
    ...group('geodesy/inverse', [
      'if (!(meters >= 0)) return inverseMeters(lon1, lat1, lon2, lat2);',
      /^meters > 0$/,
    ]),
    ...group('geodesy/localEdgeDistance', [
      'if (inside && off < chord / 10 && left <= STEP_ERROR * chord) {',
      /^false$/,
    ]),
    ...group('geodesy/distance', [
      'const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;',
      /^false$/,
    ]),
  ],
  'a quick way to what the general one gives too': [
    ...group(
      'planar/selfIntersection',
      ['if (x < west) west = x;', /./],
      ['if (x > east) east = x;', /./],
      ['if (y < south) south = y;', /./],
      ['if (y > north) north = y;', /./],
      ['if (side === 0 || side > 0 !== isLeft) return false;', /^true$/],
      ['if (ay < middleY !== by < middleY && ay < middleY === isLeft) turns++;', /=/],
      ['if (limit > 1) joinWithin(search, 1);', /^limit >= 1$/],
    ),
    ...group(
      'planar/side',
      [
        'if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;',
        /^false$|>=/,
      ],
      ['if (Math.abs(determinant) > DIGITS_BOUND * size) return determinant;', /^false$|>=/],
    ),
    ...group(
      'planar/turn',
      [
        'if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;',
        /^false$|>=/,
      ],
      ['const ERROR_BOUND: number =', /./],
    ),
    ...group('planar/sortPoints', 'if (count < FEW) return order.sort(byPlace);', [
      'for (let i = 0; i < count; i++) keys[i] =',
      /^i >= count$|^false$/,
    ]),
    ...group('planar/windingRings', [
      'curveCount === 1 ? 0 : windingNumber(curves, tree, x, y, (edge) => find(rootOfEdge(edge)) !== root);',
      /^false$/,
    ]),
    ...group(
      'geodesy/edgeDistance',
      [
        'if (probe.meters === 0 || (t === from && probe.first >= 0) || (t === to && probe.first <= 0)) return best;',
        /^false$|> 0$|< 0$/,
      ],
      ['if ((1 - t) * length < END_METERS)', /<=/],
      ['if (t * length < END_METERS)', /<=/],
      ['if (length * curvature < 0.5 && length < CONVEX_METERS) {', /<=/],
      ['if (farthest < CONVEX_METERS && farthest * curvature < 0.6) {', /<=/],
      ["if (shape === 'convex') {", /^""$/],
      ["if (!(perMeter * length < 0.2)) return 'unknown';", /<=/],
      ['let bestAt = start.meters <= end.meters ? 0 : 1;', /./],
    ),
    ...group('geodesy/inverse', [
      'if (Math.abs(meters - limit) > localErrorBound(meters)) return meters;',
      />=/,
    ]),
    ...group('geodesy/destination', ['distance <= LOCAL_DESTINATION_METERS', /^distance < /]),
    ...group(
      'geodesy/discStays',
      ['Math.abs(edge.latSpan) <= SHORT_LAT_DEGREES', /./],
      ['const proven = length - Math.abs(start.excess) - Math.abs(end.excess) <= RESOLUTION_METERS;', /./],
      ['if (proven && start.excess <= 0 === end.excess <= 0) return', /./],
      ['stalled = high - low > width / 2;', /./],
      ['const margin = Math.min(width / 4,', /./],
    ),
    ...group('geodesy/longEdge', [
      'if (change <= TOLERANCE * halves || change <= (TOLERANCE / 10) * whole || depth >= MAX_DEPTH)',
      /./,
    ]),
    ...group(
      'geodesy/disc',
      ['if (radiusMeters >= MERIDIAN_HALF)', /^radiusMeters > /],
      ['if (depth >= MAX_HALVINGS || fits(from, to)) {', />/],
    ),
  ],
  'a bound that is only made looser, or met by no number': [
    ...group(
      'geodesy/ellipsoid',
      ['return Math.sqrt(north * north + east * east) * (1 + 1e-12);', /1 - 1e-12/],
      ['const colatitudes = lat + fromLat >= 0', /lat \+ fromLat > 0/],
    ),
    ...group(
      'geodesy/expandBbox',
      ['if (!(sine < 1)) return whole;', /<=/],
      ['const polar = steepest + reach', /<=/],
    ),
    ...group('geodesy/lowerBounds', ['return Math.max(0, Math.max(chord, arc) * (1 - 1e-13)', /1 \+ 1e-13/]),
    ...group(
      'geodesy/localEdgeDistance',
      ['const curvature =', /- 0.011/],
      ['const eastBound = lonRate * (cosMiddle + halfLat);', /cosMiddle - halfLat/],
      ['if (!(leastCos > 0) || !(length < REACH_METERS)) return -1;', />=/],
      ['const left = off * off *', /- off \* chordSquared|curvature \/ off/],
    ),
    ...group(
      'geodesy/edgeDistance',
      ['const toCaustic = MERIDIAN_HALF - CAUSTIC_METERS - middle.meters - length;', /\+ CAUSTIC/],
      ['Math.max(Math.abs(before), Math.abs(after)) +', /-/],
      ['const highLat = Math.max(', /Math.min/],
    ),
  ],
  'at a tie both ways give the same': [
    ...group(
      'planar/crossings',
      ['(boxes[4 * q + 1] as number) <= (boxes[4 * p + 3] as number)', /</],
      ['if ((cx < ax && dx < ax) || (cx > bx && dx > bx)) return;', /=/],
      ['} else if ((cx < bx && dx < bx) || (cx > ax && dx > ax)) return;', /=/],
      ['if ((cy < ay && dy < ay) || (cy > by && dy > by)) return;', /=/],
      ['if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;', /=/],
      ['if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;', /=/],
    ),
    ...group(
      'planar/curves',
      ['if (y < minY) minY = y;', /<=/],
      ['if (x < minX) minX = x;', /<=/],
      ['if (x > maxX) maxX = x;', />=/],
      ['if (y > maxY) maxY = y;', />=/],
    ),
    ...group(
      'planar/leftRay',
      ['if ((boxes[box] as number) > x ||', /[<>]=/],
      ['if (best === null || at > best.x)', />=/],
    ),
    ...group(
      'planar/segments',
      ["if (meeting === 'overlap') return atC < atD", /<=/],
      ['const alongX = Math.abs(qx - px) >= Math.abs(qy - py);', />/],
      ['if (r < p === p < q) return -1;', /<=/],
      ['if (r > q === p < q) return 2;', /=/],
      ['const ab = order(ax, ay, bx, by) <= 0;', /</],
      ['const cd = order(cx, cy, dx, dy) <= 0;', /</],
      ['const start = order(lowX, lowY, fromX, fromY) >= 0', />/],
      ['const end = order(highX, highY, toX, toY) <= 0', /</],
      // Four points of which some three are on one line, and which do meet, meet at one point or are all on it.
      ['if (a === 0 && b === 0 && c === 0 && d === 0) return collinearMeeting', /^true$/],
    ),
    ...group(
      'planar/seams',
      ['onEdge.sort((p, q) => (to > from ?', /to >= from/],
      ['for (let k = 2; k < xy.length; k += 2) {', /<=/],
      ['while (out.length > 2 && out[0]', />=/],
    ),
    ...group('planar/pointInRing', ['for (let i = 0; i < end; i += 2) {', /<=/]),
    ...group('geodesy/discStays', ['const lowInside = lowExcess <= 0;', /</]),
    ...group(
      'geodesy/edgeDistance',
      ['return t > 0 ? Math.min(t, 1) : 0;', />=/],
      ['if (next <= low) next =', /</],
      ['let next = probe.second > 0', />=/],
    ),
    ...group(
      'geodesy/edgeSums',
      ['const side = middle < 0 ? -1 : 1;', /<=/],
      ['sums.meters >= meters ?', />/],
    ),
    ...group(
      'geodesy/localDistance',
      ['const sinMiddle = toPole >= 0 ?', />/],
      ['halfLon < SMALL_RADIANS && halfLon > -SMALL_RADIANS', /=/],
    ),
    ...group('geodesy/localEdgeDistance', ['let t = foot > 0 ? Math.min(foot, 1) : 0;', />=/]),
    ...group('geodesy/longEdge', ['const x = t < 0.5 ?', /<=/]),
    ...group('geodesy/lowerBounds', ['const t = along > 0 ? Math.min(along, 1) : 0;', />=/]),
  ],
  'beyond the end of a typed array nothing is read or written': [
    ...group('planar/selfIntersection', ['for (let run = 0; run < runs; run++) {', /<=/]),
    ...group('planar/windingRings', ['for (let c = 0; c < curveCount; c++) {', /<=/]),
    ...group('planar/edgeSweep', ['for (let rank = 0; rank < count; ) {', /<=/]),
    ...group('planar/curves', ['while (leaves < runs) leaves *= 2;', /<=/]),
  ],
  'a first guess, the order or the amount of the work, not its result': [
    ...group(
      'geodesy/edgeDistance',
      ['if (length * curvature < 0.5 && length < CONVEX_METERS) {', /^true$|\|\||length \/ curvature/],
      ['const farthest = first.meters + length;', /-/],
      ['if (east > 180) east -= 360;', /^false$|>=/],
      ['const shrink = cosLat((edgeLat(edge, 0.5) + lat) / 2);', /-/],
      ['if (next <= low) next = low === from ? from : (low + high) / 2;', /^true$/],
      ['if (t * length < END_METERS)', /\//],
      ['for (; next < pieces.length && next < MAX_PROBES; next++) {', /^true$/],
      [
        'if ((left.meters + right.meters - pieceLength) / 2 >= best - tolerance) continue;',
        /best \+ tolerance/,
      ],
      ['return next < pieces.length ? polish(edge, lon, lat, bestAt, best) : best;', /<=/],
    ),
    ...group(
      'geodesy/localEdgeDistance',
      ['const ratio =', /ECCENTRICITY_SQUARED \/ sinMiddle/],
      ['const foot = (x * eastOfA', /x \/ x/],
    ),
    ...group('geodesy/distance', [
      'const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;',
      /pair\.length/,
    ]),
    ...group('geodesy/disc', ['const to = i + 1 === count ? at(0) : at(toAzimuth);', /i - 1/]),
    ...group(
      'geodesy/expandBbox',
      ['newWest < -180 ? wrapLon(newWest) : newWest,', /./],
      ['newEast > 180 ? wrapLon(newEast) : newEast,', /./],
    ),
    ...group('geodesy/discStays', ['const middle: Sample =', /^false$/]),
    ...group(
      'planar/ringsMeet',
      ['if (p === q && xy[2 * i] === xy[2 * i + 2]', /^true$/],
      ['for (let j = p === q ? i + 1 : q; j < q + RUN; j++) {', /^true$/],
    ),
    ...group(
      'planar/curves',
      ['const hasEdge = isLast[k] === 0;', /^true$/],
      ['if (hasEdge || joined) {', /^true$/],
    ),
    // A vertex that is not passed over quickly goes the way of all.
    ...group(
      'planar/edgeSweep',
      ['#pass(x: number, y: number, comes: number, goes: number): boolean {', /^\{\}$/],
      ['if (comesEnds || goesEnds) {', /^false$/],
      ['goes >= 0 &&', /^goes [<>] 0$/],
      ['comes >= 0 &&', /^comes [<>] 0$/],
      ['if (vertices.length + (pass < 0 ? 0 : 1) < 2) return;', /^false$/],
    ),
    ...group(
      'trips/localTime',
      // The cache of spans: without it each one is read again.
      ['if (span === undefined) {', /^true$/],
    ),
    ...group('trips/sightings', ['if (low === track.length) return track;', /^false$/]),
    ...group('trips/assignStrict', ['if (isOneZone) {', /^false$/]),
  ],
  'stays, steps or stretches of no length add nothing': [
    ...group('trips/sightings', ['if (b.time > from && a.time < to && !isGap(a, b, rules)) sum +=', /=/]),
  ],
  'a case that the checks before it leave out': [
    ...group('trips/activation', ['return time === null ? null :', /^false$/]),
  ],
  'zones: a box or a choice that lets the exact test decide more often': [
    ...group(
      'zones/line',
      ['if (!mayReach(run, i, aLon, aLat, lonSpan, bLat)) continue;', /^false$/],
      ['if (Math.max(lat, toLat) < Math.min(aLat, bLat) - latDegrees) return false;', /^false$/],
      ['if (!(Math.abs(span) + Math.abs(lonSpan) + 2 * lonDegrees < 179)) return true;', /<= 179|>= 179/],
    ),
    ...group(
      'zones/polygon',
      ['let [low, high] = [90, -90];', /^\+90$/],
      ['if (part.some((ring) => ring.turns !== 0)) boxes.push(', /^true$/],
    ),
    ...group('zones/meetsBox', ['((lon >= west && lon <= east)', /^\+180$/]),
    ...group('zones/polygonProblems', ['function isInOnePiece(', /^\{\}$/]),
    ...group(
      'zones/corridor/corridor',
      ['rings.every(({ coords, turns }) => turns === 0 && !crosses(coords)) &&', /^false$/],
      ['if (step > 180 || step < -180) return true;', /^true$|<= -180/],
    ),
  ],
  'zones: nothing at a tie, a step of a search, a case that never comes': [
    ...group('zones/corridor/corridor', ['rings.length > 0 &&', /^true$/]),
    ...group(
      'zones/corridor/freePosition',
      ['return angle > needed ? best : null;', />=/],
      ['[1, 0, 0],', /./],
      ['[-1, 0, 0],', /./],
      ['[0, 0, -1],', /./],
    ),
    ...group(
      'zones/corridor/mapCorridor',
      ['length > 2 * (width + height) &&', />=/],
      ['else if (area < -tolerance * tolerance) holes.push(index);', /<=/],
    ),
    ...group(
      'zones/corridor/offsetCurve',
      ['const count = between > 0 ?', />=/],
      ['const stepCos = count === 0 ?', /^false$/],
    ),
    ...group('zones/corridor/simplifyLine', ['if (length > 0 && isNear(', /length >= 0/]),
    ...group('zones/corridor/sphereCorridor', [
      'if (fits || depth >= MAX_DEPTH) return;',
      /depth > MAX_DEPTH/,
    ]),
    ...group('zones/corridor/sphereCurve', ['if (turn <= 0) this.#sector(i, from, -turn);', /turn < 0/]),
    ...group('zones/cut', ['const lat = ay === by ?', /^false$/]),
    ...group('zones/polygonProblems', ['if (looked > MOST_EDGES) break;', />=/]),
  ],
};
