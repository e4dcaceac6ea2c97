import { at, type Reasons } from './reasons.js';

export const GEODESY: Reasons = {
  'a quick rejection: what it lets pass, the exact test behind it rejects': [
    ...at('geodesy/inverse', [
      'if (!(meters >= 0)) return inverseMeters(lon1, lat1, lon2, lat2);',
      /^meters > 0$/,
    ]),
    ...at('geodesy/localEdgeDistance', [
      'if (inside && off < chord / 10 && left <= STEP_ERROR * chord) {',
      /^false$/,
    ]),
    ...at('geodesy/distance', [
      'const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;',
      /^false$/,
    ]),
  ],
  'a quick way to what the general one gives too': [
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
    ...at('geodesy/inverse', [
      'if (Math.abs(meters - limit) > localErrorBound(meters)) return meters;',
      />=/,
    ]),
    ...at('geodesy/destination', ['distance <= LOCAL_DESTINATION_METERS', /^distance < /]),
    ...at(
      'geodesy/discStays',
      ['Math.abs(edge.latSpan) <= SHORT_LAT_DEGREES', /./],
      ['const proven = length - Math.abs(start.excess) - Math.abs(end.excess) <= RESOLUTION_METERS;', /./],
      ['if (proven && start.excess <= 0 === end.excess <= 0) return', /./],
      ['stalled = high - low > width / 2;', /./],
      ['const margin = Math.min(width / 4,', /./],
    ),
    ...at('geodesy/longEdge', [
      'if (change <= TOLERANCE * halves || change <= (TOLERANCE / 10) * whole || depth >= MAX_DEPTH)',
      /./,
    ]),
    ...at(
      'geodesy/disc',
      ['if (radiusMeters >= MERIDIAN_HALF)', /^radiusMeters > /],
      ['if (depth >= MAX_HALVINGS || fits(from, to)) {', />/],
    ),
  ],
  'a bound that is only made looser, or met by no number': [
    ...at(
      'geodesy/ellipsoid',
      ['return Math.sqrt(north * north + east * east) * (1 + 1e-12);', /1 - 1e-12/],
      ['const colatitudes = lat + fromLat >= 0', /lat \+ fromLat > 0/],
    ),
    ...at(
      'geodesy/expandBbox',
      ['if (!(sine < 1)) return whole;', /<=/],
      ['const polar = steepest + reach', /<=/],
    ),
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
  'at a tie both ways give the same': [
    ...at('geodesy/discStays', ['const lowInside = lowExcess <= 0;', /</]),
    ...at(
      'geodesy/edgeDistance',
      ['return t > 0 ? Math.min(t, 1) : 0;', />=/],
      ['if (next <= low) next =', /</],
      ['let next = probe.second > 0', />=/],
    ),
    ...at('geodesy/edgeSums', ['const side = middle < 0 ? -1 : 1;', /<=/], ['sums.meters >= meters ?', />/]),
    ...at(
      'geodesy/localDistance',
      ['const sinMiddle = toPole >= 0 ?', />/],
      ['halfLon < SMALL_RADIANS && halfLon > -SMALL_RADIANS', /=/],
    ),
    ...at('geodesy/localEdgeDistance', ['let t = foot > 0 ? Math.min(foot, 1) : 0;', />=/]),
    ...at('geodesy/longEdge', ['const x = t < 0.5 ?', /<=/]),
    ...at('geodesy/lowerBounds', ['const t = along > 0 ? Math.min(along, 1) : 0;', />=/]),
  ],
  'a first guess, the order or the amount of the work, not its result': [
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
    ...at('geodesy/distance', [
      'const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;',
      /pair\.length/,
    ]),
    ...at('geodesy/disc', ['const to = i + 1 === count ? at(0) : at(toAzimuth);', /i - 1/]),
    ...at(
      'geodesy/expandBbox',
      ['newWest < -180 ? wrapLon(newWest) : newWest,', /./],
      ['newEast > 180 ? wrapLon(newEast) : newEast,', /./],
    ),
    ...at('geodesy/discStays', ['const middle: Sample =', /^false$/]),
  ],
};
