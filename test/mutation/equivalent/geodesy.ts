import { at, type Reasons, ties } from './reasons.js';

export const GEODESY: Reasons = {
  'a quick rejection before an exact test that decides': [
    // The local formula returns no answer for more edges; then the full solution answers.
    ...at(
      'geodesy/edgeDistance',
      ['return meters >= 0 && Math.abs(meters - limit) > LOCAL_EDGE_ERROR', /^false$|meters > 0|>= LOCAL/],
      ['const gap = Math.max(', /^Math\.min\(Math\.min/],
      ['if (gap * METERS_PER_LAT_DEGREE >= best) return best;', /^false$|> best|gap \//],
      [
        'if (meters >= 0 && Math.abs(meters - limit) > LOCAL_EDGE_ERROR) return Math.min',
        /^false$|meters > 0|>= LOCAL/,
      ],
      ['if (meters < 0 && edgeDistanceLowerBound', /^false$|^true$|=|> best/],
    ),
    ...at('geodesy/distanceMeters', ['if (latStep > mostDegrees || latStep < -mostDegrees) return -1;', /./]),
    ...at(
      'geodesy/distanceMeters',
      ['if (!Number.isNaN(lon1 + lat1 + lon2 + lat2)) return geodesicDistance', /-/],
      ['function plainDegrees(', /^\{\}$/],
      ['try {', /^\{\}$/],
      ['} catch {', /^\{\}$/],
      ["return typeof value === 'number' && value >= -limit && value <= limit ?", /^value [<>] /],
    ),
    ...at(
      'geodesy/lowerBounds',
      // The edge reaches a pole exactly if the sine is 1 or more.
      ['if (reachesSouth || reachesNorth) return whole;', /&&/],
      ['if (!(sine < 1)) return whole;', /^false$|^true$/],
    ),
    ...at('geodesy/distanceMeters', [
      'if (!(meters >= 0)) return inverseMeters(lon1, lat1, lon2, lat2);',
      /^meters > 0$/,
    ]),
    ...at('geodesy/localEdgeDistance', [
      'if (inside && off < chord / 10 && left <= STEP_ERROR * chord) {',
      /^false$/,
    ]),
    ...at('geodesy/distanceMeters', [
      'const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;',
      /^false$/,
    ]),
  ],
  'a quick way to the result of the general way': [
    ...at('geodesy/distanceMeters', ['const value = isArray(pair) && pair.length >= 2 ?', /^true$/]),
    ...at('geodesy/edgeSums', ['if (size > MIDDLING_RATIO * cos) {', /^true$/]),
    // The rule is symmetric, and Newton's method converges within eight rounds.
    ...at(
      'geodesy/longEdge',
      ['pairs.push((1 - x) / 2,', /^1 \+ x$/],
      ['for (let round = 0; round < 8; round++) {', /<=/],
    ),
    ...at('geodesy/destination', ['distance <= LOCAL_DESTINATION_METERS', /^false$/]),
    ...at(
      'geodesy/disc',
      ['if (radiusMeters <= 0) return { area: 0, perimeter: 0 };', /< 0/],
      ['if (radiusMeters <= SPHERE_METERS) {', /< SPHERE/],
    ),
    ...at(
      'geodesy/edgeDistance',
      ['if (length === 0) return atA();', /^false$/],
      ['if (length * curvature < 0.5 && length < CONVEX_METERS) {', /^false$|^\{\}$|>=/],
      ['if (farthest < CONVEX_METERS && farthest * curvature < 0.6) {', /^false$|^\{\}$|\//],
      ['if (middle.meters === 0) return 0;', /^false$/],
      // Convex pieces are split until their ends converge.
      ["if (shape === 'convex') {", /^false$/],
      ["return bend > variation ? 'convex' : 'unknown';", /^false$|>=|^""$/],
      // One more search around the best sample only finds larger distances.
      ['return next < pieces.length ? polish(edge, lon, lat, bestAt, best) : best;', /^true$/],
    ),
    ...at(
      'geodesy/edgeSums',
      ['if (size <= SHORT_RATIO * cos) {', /^false$|^\{\}$|< SHORT/],
      ['if (middle > 45 || middle < -45) {', /=|^true$|\+45/],
      ['if (size > MIDDLING_RATIO * cos) {', />=/],
    ),
    ...at('geodesy/ellipsoid', ['return size > 45 ? Math.sin(', /^true$|>=/]),
    ...at('geodesy/distanceMeters', ['return meters >= 0 ? meters : inverseMeters', /meters > 0/]),
    ...at('geodesy/distanceMeters', [
      'halfLon < SMALL_RADIANS && halfLon > -SMALL_RADIANS ?',
      /^false$|\+SMALL/,
    ]),
    ...at(
      'geodesy/localEdgeDistance',
      [
        'if (inside && off < chord / 10 && left <= STEP_ERROR * chord) {',
        // The last step follows the curve in small steps.
        /off <= |left < |^\{\}$|STEP_ERROR \/ chord/,
      ],
      ['const inside = next >= 0 && next <= 1;', /^false$|next > 0|next < 1/],
    ),
    ...at('geodesy/longEdge', ['if (north === 0) {', /^false$|^\{\}$/]),
    ...at('geodesy/edgeSums', ['if (xA !== xB || latA !== latB) addEdge', /^true$/]),
    ...at(
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
    ...at('geodesy/distanceMeters', [
      'if (Math.abs(meters - limit) > localErrorBound(meters)) return meters;',
      />=/,
    ]),
    ...at('geodesy/destination', ['distance <= LOCAL_DESTINATION_METERS', /^distance < /]),
    ...at(
      'geodesy/sublevelIntervals',
      ['return Math.abs(edge.latSpan) <= SHORT_LAT_DEGREES', /./],
      ['if (isFar && start.excess <= 0 === end.excess <= 0) return', /./],
      ['stalled = !isGuess && high - low > width / 2;', /./],
      ['const margin = Math.min(width / 4,', /./],
    ),
    ...at('geodesy/longEdge', [
      'if (change <= TOLERANCE * halves || change <= (TOLERANCE / 10) * whole || depth >= MAX_DEPTH)',
      /./,
    ]),
    ...at(
      'geodesy/disc',
      ['if (radiusMeters >= MERIDIAN_HALF)', /^radiusMeters > /],
      ['if (depth >= MAX_HALVINGS || edges.fits(from, to)) {', />/],
    ),
  ],
  'a bound that only becomes looser, or differs at a number that never occurs': [
    ...at(
      'geodesy/fractionsNear',
      // The bands of two edges of one direction bend alike; of others they meet on some centimetres only.
      ['if ((bend * length * length) / 8 > MOST_RISE)', /./],
      ['const bend = curvature +', /./],
      ['2 * edgeCurvatureBound(', /Math\.min/],
    ),
    ...at('geodesy/sublevelIntervals', ['across > PARALLEL * way ?', /^true$/]),
    ...at(
      'geodesy/lowerBounds',
      ['const reachesSouth =', /low < |- 1e-12/],
      ['const reachesNorth =', /high > |\+ 1e-12/],
      ['if (width >= 360) return whole;', /> 360/],
    ),
    ...at(
      'geodesy/lowerBounds',
      ['a * bulge;', /^a \/ bulge$/],
      ['return Math.max(0, Math.max(chord, arc) * (1 - 1e-13)', /\//],
      ['return Math.max(0, Math.max(latMeters, sideMeters) * (1 - 1e-13)', /\/|1 \+ 1e-13/],
      ['const along = square === 0 ? 0 :', /^false$/],
      ['const arc = onSphere > 0 ?', />=/],
      ['const sideMeters = gap > 0 ?', /^true$|>=/],
      // On the side of the box the gap is 0 too.
      ['const inside = west <= east ?', /^lon [<>] /],
    ),
    ...at('geodesy/ellipsoid', ['return latA * latB <= 0 ?', /< 0|latA \/ latB/]),
    ...at(
      'geodesy/edgeDistance',
      // One probe more or less, a finer tolerance, or pieces split once more.
      ['const tolerance = Math.max(2e-7, 3e-10 * best);', /min|\//],
      ['for (; next < pieces.length && next < MAX_PROBES; next++) {', /<=/],
      ['if ((left.meters + right.meters - pieceLength) / 2 >= best - tolerance) continue;', /> best/],
      ["if (!(perMeter * length < 0.2)) return 'unknown';", /^""$/],
      ['if (pull > 1.2 * half * (Math.abs(bend) + variation))', /^false$|>=/],
      ['if (bend < -variation ||', /^false$|<=|< tolerance/],
      ['const perMeter = edgeCurvatureBound(highLat)', />=/],
      ['const half = length / 2;', /\*/],
    ),
    ...at('geodesy/circleEdges', ['if (span > 179.9) return false;', /./]),
    ...at('geodesy/sublevelIntervals', ['if (t <= left.t || t >= right.t) continue;', /./]),
    ...at(
      'geodesy/localEdgeDistance',
      // The formula declines slightly earlier or later; the exact distance answers within the same bound.
      ['if (!(leastCos > 0) || !(length < REACH_METERS)) return -1;', /<=/],
      ['return meters < REACH_METERS ? meters : -1;', /<=/],
      ['if (!(halfLon < WIDEST_HALF_LON && halfLon > -WIDEST_HALF_LON)) return -1;', /./],
      ['if (!(reach < REACH_METERS && reach * curvature < MAX_BEND)) return -1;', /<=/],
    ),
    ...at(
      'geodesy/ellipsoid',
      ['return Math.sqrt(north * north + east * east) * (1 + 1e-12);', /1 - 1e-12/],
      ['const colatitudes = lat + fromLat >= 0', /lat \+ fromLat > 0/],
    ),
    ...at('geodesy/lowerBounds', ['if (!(sine < 1)) return whole;', /<=/]),
    ...at('geodesy/lowerBounds', ['return Math.max(0, Math.max(chord, arc) * (1 - 1e-13)', /1 \+ 1e-13/]),
    ...at(
      'geodesy/localEdgeDistance',
      ['const curvature =', /- 0.011/],
      ['const eastBound = lonRate * (cosMiddle + halfLat);', /cosMiddle - halfLat/],
      ['if (!(leastCos > 0) || !(length < REACH_METERS)) return -1;', />=/],
      ['const left = off * off *', /- off \* chordSquared|curvature \/ off/],
    ),
    ...at(
      'geodesy/edgeDistance',
      ['const toCaustic = MERIDIAN_HALF - CAUSTIC_METERS - middle.meters - length;', /\+ CAUSTIC/],
      ['Math.max(Math.abs(before), Math.abs(after)) +', /-/],
      ['const highLat = Math.max(', /Math.min/],
    ),
  ],
  'both choices give the same result at a tie': [
    ...ties('geodesy/fractionsNear', ''),
    ...ties('geodesy/sublevelIntervals', ''),
    ...ties('geodesy/nearEdges', ''),
    ...ties('geodesy/lineTree', ''),
    ...at('geodesy/edgeSums', ['const pole = north <= south + EQUAL_SIDES * EARTH_AREA', /^north < /]),
    ...at('geodesy/disc', ['if (radiusMeters < cut) perimeter', /<=/]),
    ...at(
      'geodesy/sublevelIntervals',
      ['if (unproven <= RESOLUTION_METERS ||', /unproven < /],
      ['return { t, excess: Math.abs(excess) <= NOISE_METERS', /</],
      ['if (excess <= 0 === lowInside) {', /excess < 0/],
      ['if (last > 0 && way(joined[last]!, from) < RESOLUTION_METERS)', /./],
    ),
    ...at('geodesy/edge', ['return t < 0.5 ? latA', /=/], ['return t < 0.5 ? lonA', /=/]),
    ...at(
      'geodesy/edgeDistance',
      ['if (probe.first > 0) high = t;', />=/],
      ['else if (next >= high) next =', /> high/],
      ['if (step < LAST_STEP_METERS) break;', /<=/],
      ['if (middle.meters < best) {', /<=/],
    ),
    // Either end may be the first, as long as both directions use the same one.
    ...at(
      'geodesy/edgeSums',
      ['if (latA <= latB) addTo(', /^latA < |^latA > /],
      ['Math.abs(sums.strip) >= Math.abs(strip) ?', /> Math/],
    ),
    // Measured from either pole: latitudes above and below the equator are symmetric.
    ...at('geodesy/ellipsoid', ['const colatitudes = lat + fromLat >= 0 ?', /lat - fromLat/]),
    ...at(
      'geodesy/distanceMeters',
      ['const toPole = sum > 90 ?', /=|^true$|\+90/],
      ['const sinMiddle = toPole >= 0 ?', /^true$|^false$|<=|\+cosine/],
      ['if (!(chordSquared <= mostChordSquared)) return -1;', /< LOCAL/],
    ),
    ...at(
      'geodesy/localEdgeDistance',
      ['const edgeLat = t < 0.5 ?', /=/],
      ['const edgeLon = t < 0.5 ?', /=/],
      ['if ((t === 0 && next <= 0) || (t === 1 && next >= 1)) return', /next < 0|next > 1/],
      ['if (off <= STEP_ERROR) return', /off < /],
      ['t = next > 0 ? Math.min(next, 1) : 0;', />=/],
    ),
    ...at('geodesy/longEdge', ['const nearA = t < 0.5;', /=/], ['const side = end < 0 ? -1 : 1;', /=/]),
    ...at('geodesy/lowerBounds', ['if (foot >= low && foot <= high) return', /foot > |foot < /]),
    ...at('geodesy/sublevelIntervals', ['const lowInside = lowExcess <= 0;', /</]),
    ...at(
      'geodesy/edgeDistance',
      ['return t > 0 ? Math.min(t, 1) : 0;', />=/],
      ['if (next <= low) next =', /</],
      ['let next = probe.second > 0', />=/],
    ),
    ...at('geodesy/edgeSums', ['const side = middle < 0 ? -1 : 1;', /<=/], ['sums.meters >= meters ?', />/]),
    ...at(
      'geodesy/distanceMeters',
      ['const sinMiddle = toPole >= 0 ?', />/],
      ['halfLon < SMALL_RADIANS && halfLon > -SMALL_RADIANS', /=/],
    ),
    ...at('geodesy/localEdgeDistance', ['return foot > 0 ? Math.min(foot, 1) : 0;', />=/]),
    ...at('geodesy/longEdge', ['const x = t < 0.5 ?', /<=/]),
    ...at('geodesy/lowerBounds', ['const t = along > 0 ? Math.min(along, 1) : 0;', />=/]),
  ],
  'changes the first guess, the order or the amount of work, but not the result': [
    ...at(
      'geodesy/fractionsNear',
      // One part of an edge is the edge.
      ['if (partCount > 1) putEdgePart(', /./],
      ['const [space, at] = partCount > 1', /^true$|>=/],
      // Without a proof the piece is sampled.
      ['return isLeft && isRight', /^false$/],
      ['const found: number[] = [];', /Stryker/],
      ['i >= 0 && reached[i]! > from;', /\|\|/],
      ['if (isLeft && isRight && covers(', /^true$/],
      ['const cuts = [', /\|\||^true$|^\[\]$/],
    ),
    ...at(
      'geodesy/nearEdges',
      // All edges under one key.
      ['function keyOf(', /^\{\}$/],
      ['return aLon < bLon ||', /./],
      // Not a number is no edge, and 0 in the list.
      ['let twin = last === undefined', /^false$/],
      ['before[i] = last === undefined', /^false$/],
    ),
    // Not a number is in no span.
    ...at('geodesy/sublevelIntervals', ['if (length > 0) {', /^true$/]),
    // The second derivative only affects the step size.
    ...at('geodesy/edge', [
      '(3 * meridional * ECCENTRICITY_SQUARED * sinLat * cos) / (1 - ECCENTRICITY_SQUARED * sinLat * sinLat);',
      /\* \(1 -|^1 \+|\/ sinLat/,
    ]),
    ...at(
      'geodesy/localEdgeDistance',
      ['const radiusChange =', /\/ square$|^3 \//],
      [
        'const left = off * off *',
        // The bound becomes so large that the curve is followed in small steps.
        /^off \* off \/|\/ FLATNESS|\/ TWIST/,
      ],
      ['const halfLat = Math.abs(latRate) / 2;', /\*/],
    ),
    ...at(
      'geodesy/edgeDistance',
      ['if (probe.meters === 0 ||', /&&/],
      ['if (next <= low) next = low === from ?', /^false$|!==/],
      ['else if (next >= high) next = high === to ?', /^true$|^false$|!==/],
    ),
    ...at(
      'geodesy/disc',
      // Edges that stay too long are halved.
      ['const highLat = Math.min(80,', /./],
      ['const bend = Math.sin(', /./],
      ['const share = (STEP_SHARE', /./],
      // Edges are halved until they fit, long before the limit.
      ['if (depth >= MAX_HALVINGS || edges.fits(from, to)) {', /^false$/],
      ['fill(fromAzimuth, from, azimuth, middle, depth + 1);', /depth - 1/],
      ['fill(azimuth, middle, toAzimuth, to, depth + 1);', /depth - 1/],
    ),
    ...at('geodesy/longEdge', ['return refine(from, middle, left, depth + 1)', /depth - 1/]),
    ...at(
      'geodesy/sublevelIntervals',
      ['while (open.length > 0 && spent < MAX_SAMPLES) {', /^true$|<=/],
      ['if (unproven <= RESOLUTION_METERS || spent >= MAX_SAMPLES) continue;', /spent > /],
      ['for (let round = 0; round < ROOT_ROUNDS; round++) {', /<=|--/],
      ['if (width <= ROOT_FRACTION || width * speed <= ROOT_METERS) break;', /./],
      ['highExcess /= 2;', /\*=/],
      ['lowExcess /= 2;', /\*=/],
    ),
    ...at(
      'geodesy/edgeDistance',
      // Newton's method reaches the same minimum from any start.
      ['function flatFoot(', /^\{\}$/],
      ['if (east > 180) east -= 360;', /./],
      ['else if (east < -180) east += 360;', /./],
      ['const shrink = cosLat(', /./],
      ['const t = (x * east * shrink', /./],
      ['for (let round = 0; round < 60; round++) {', /<=|--/],
      ['const probe = round === 0 ?', /^false$/],
      ['let next = probe.second > 0 ?', /^true$|\(low \+ high\) \* 2|low - high/],
      ['if (t * length < END_METERS)', /^true$/],
      ['if ((1 - t) * length < END_METERS)', /^true$/],
      // The ends are compared again later.
      ['let best = Math.min(start.meters, end.meters);', /max/],
    ),
    ...at(
      'geodesy/localEdgeDistance',
      ['const ratio =', /./],
      ['const x = lonSpan * cosMiddle;', /./],
      ['const y = latSpan * ratio;', /./],
      ['const foot = (x * eastOfA', /./],
      ['return foot > 0 ?', /^false$/],
      ['for (let round = 0; round < ROUNDS; round++) {', /<=|--/],
    ),
    ...at(
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
    ...at(
      'geodesy/localEdgeDistance',
      ['const ratio =', /ECCENTRICITY_SQUARED \/ sinMiddle/],
      ['const foot = (x * eastOfA', /x \/ x/],
    ),
    ...at('geodesy/distanceMeters', [
      'const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;',
      /pair\.length/,
    ]),
    ...at(
      'geodesy/lowerBounds',
      ['newWest < -180 ? wrapLon(newWest) : newWest,', /./],
      ['newEast > 180 ? wrapLon(newEast) : newEast,', /./],
    ),
    ...at('geodesy/sublevelIntervals', ['return { t, excess: Math.abs(excess) <= NOISE_METERS', /^false$/]),
  ],
  'only the last digits change, below the stated accuracy': [
    ...at('geodesy/edgeSums', ['1 - (square / 2) * (1 - (square / 12)', /square \/ 56 \/|1 \+ square \/ 90/]),
    ...at(
      'geodesy/destination',
      ['const meridional =', /./],
      ['((k2 * (k2 + torsion * torsion)', /^k2 - torsion/],
      ['(s * bend * k2 * k2 * sin * c) / 8))));', /\/ k2/],
      ['s * ((2 * change * torsion', /^s \* k2 \/ curvature$|^s \/ k2$/],
    ),
    ...at(
      'geodesy/distanceMeters',
      ['((1 - ECCENTRICITY_SQUARED) * alongAxis', /^1 \+/],
      ['EQUATORIAL_RADIUS * Math.sqrt(chordSquared) *', /^3 \/ 640 -/],
      ['return 1 - (square / 2) * (1 - (square / 12)', /square \/ 12 \/|1 \+ square \/ 30/],
    ),
    // Measured from the other end.
    ...at(
      'geodesy/localEdgeDistance',
      ['const edgeLat = t < 0.5 ?', /./],
      ['const edgeLon = t < 0.5 ?', /./],
    ),
    ...at('geodesy/longEdge', ['const x = t < 0.5 ?', /./], ['const nearA = t < 0.5;', /./]),
  ],
};
