import { at, type Reasons } from './reasons.js';

export const PLANAR: Reasons = {
  'a quick rejection before an exact test that decides': [
    ...at(
      'planar/crossings',
      ['if (this.#boxesMeet(2 * node, 2 * node + 1))', /^true$/],
      ['if (this.#boxesMeet(p2 + 1, q2)) this.#between(p2 + 1, q2);', /^true$/],
      ['if (this.#boxesMeet(p2 + 1, q2 + 1)) this.#between(p2 + 1, q2 + 1);', /^true$/],
      ['(boxes[4 * p] as number) <= (boxes[4 * q + 2] as number) &&', /^true$|\|\||&& boxes/],
      ['(boxes[4 * q] as number) <= (boxes[4 * p + 2] as number) &&', /^true$/],
      ['(boxes[4 * p + 1] as number) <= (boxes[4 * q + 3] as number) &&', /^true$/],
      [
        'this.#betweenRuns(CURVE_RUN * (p - this.#leaves), CURVE_RUN * (q - this.#leaves), 4 * q);',
        /^4 \/ q$/,
      ],
    ),
    // A larger box.
    ...at(
      'planar/curves',
      ['const end = Math.min(xy.length >> 1, CURVE_RUN * run + CURVE_RUN);', /max/],
      ['for (let k = CURVE_RUN * run; k < end; k++) {', /<=/],
    ),
    ...at(
      'planar/ringsMeet',
      ['(boxes[4 * q] as number) > (boxes[4 * p + 2] as number) ||', /^false$/],
      ['(boxes[4 * p + 1] as number) > (boxes[4 * q + 3] as number) ||', /^false$/],
      ['(boxes[4 * q + 1] as number) > (boxes[4 * p + 3] as number)', /^false$/],
    ),
    ...at(
      'planar/selfIntersections',
      ['if ((cx < west && dx < west) || (cx > east && dx > east)) continue;', /^false$|&& cx > east/],
      ['if ((cy < south && dy < south) || (cy > north && dy > north)) continue;', /^false$|&& cy > north/],
      ['if (j === i + 1 && sideOf(ax, ay, bx, by, dx, dy) !== 0) continue;', /^i - 1$/],
      ['for (let start = i + 1 - ((i + 1) % RUN); start < count; start += RUN) {', /^i - 1$/],
      ['const box = (4 * start) / RUN;', /./],
      ['const boxes = new Float64Array(4 * runs);', /./],
      ['let east = -Infinity;', /Infinity/],
      ['const end = Math.min(ends.length, 4 * RUN * (run + 1));', /max/],
      ['for (let at = 4 * RUN * run; at < end; at += 2) {', /<=/],
      ['boxes[box + 2] = isEmpty ? -Infinity :', /^\+Infinity$/],
      ['boxes[box + 3] = isEmpty ? -Infinity :', /^\+Infinity$/],
      ['(boxes[p] as number) <= (boxes[q + 2] as number) &&', /^true$|\|\||&& boxes/],
      ['(boxes[q] as number) <= (boxes[p + 2] as number) &&', /^true$/],
      ['(boxes[q + 1] as number) <= (boxes[p + 3] as number)', /^true$/],
    ),
    ...at('planar/orient2d', ['} else if (ay >= bottom || by >= bottom) {', /^true$/]),
    ...at('planar/orient2d', ['if (ay < bottom && by < bottom) return false;', /^false$/]),
    ...at(
      'planar/crossings',
      ['if (this.#boxesMeet(p2, q2)) this.#between(p2, q2);', /^true$/],
      ['if (this.#boxesMeet(p2, q2 + 1)) this.#between(p2, q2 + 1);', /^true$/],
      ['(boxes[4 * q + 1] as number) <= (boxes[4 * p + 3] as number)', /^true$/],
      ['if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;', /^false$|&& ax > maxX/],
      ['if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;', /^false$|&& ay > maxY/],
      ['if ((cx < lowX && dx < lowX) || (cx > highX && dx > highX)) return;', /^false$/],
      ['if ((cy < lowY && dy < lowY) || (cy > highY && dy > highY)) return;', /^false$/],
    ),
    ...at(
      'planar/ringsMeet',
      [
        'if (boxes[box]! > maxX || boxes[box + 2]! < minX || boxes[box + 1]! > maxY || boxes[box + 3]! < minY)',
        /^false$|&&/,
      ],
      ['(boxes[4 * p] as number) > (boxes[4 * q + 2] as number) ||', /^false$|&&/],
    ),
    ...at(
      'planar/orient2d',
      ['if (apart(ax, bx, cx, dx) || apart(ay, by, cy, dy)) return', /^false$|&&/],
      ['flushTiny(Math.max(a, b)) < flushTiny(Math.min(c, d)) ||', /^false$|&&/],
      ['flushTiny(Math.max(c, d)) < flushTiny(Math.min(a, b))', /^false$/],
    ),
    ...at(
      'planar/selfIntersections',
      [
        'if (boxes[box]! > east || boxes[box + 2]! < west || boxes[box + 1]! > north || boxes[box + 3]! < south)',
        /^false$|&&/,
      ],
      ['if (j === i + 1 && sideOf(ax, ay, bx, by, dx, dy) !== 0) continue;', /^false$/],
      ['(boxes[p + 1] as number) <= (boxes[q + 3] as number) &&', /^true$/],
      ['let north = -Infinity;', /Infinity/],
    ),
  ],
  'a quick way to the result of the general way': [
    ...at('planar/crossings', [
      'if (j === i + 1 || (ax === dx && ay === dy) || (bx === cx && by === cy)) return;',
      /^false$|^i - 1$/,
    ]),
    ...at(
      'planar/orient2d',
      ['if (end === 0) return -1;', /^false$/],
      ['if (ay > top && by > top) {', /^false$/],
    ),
    ...at('planar/orient2d', ['if (ay > top && by > top) return true;', /^false$/]),
    ...at('planar/sideOf', [
      'if (ERROR_BOUND * span < FRACTION_ERROR * (a + b)) return clampInside(a / (a + b));',
      /^false$|<=/,
    ]),
    ...at(
      'planar/selfIntersections',
      ['if (count <= FEW_EDGES) return allPairs(edges, limit);', /./],
      ['if (limit > 1) joinWithin(search, 1);', /^true$/],
    ),
    ...at(
      'planar/sideOf',
      ['export const ERROR_BOUND: number =', /./],
      // Splits the bits elsewhere; both halves stay short enough for exact products.
      ['const SPLITTER: number = 2 ** 27 + 1;', /- 1$/],
    ),
    ...at(
      'planar/sweepLine',
      ['if (low === high) return order.sort(byPlace);', /^true$/],
      ['let high = -Infinity;', /./],
      ['if (value > high) high = value;', /^false$|<=/],
      ['while (to < count && keys[sorted[to]!]! === key) to++;', /^true$/],
    ),
    // The general branch also handles a point that no other edge passes through.
    ...at(
      'planar/sweepEdges',
      ['if (comesEnds || goesEnds) {', /&&|^\{\}$/],
      ['if (line.foundOn >= 0) return false;', /^true$/],
      ['else if (!areOfOneRing) {', /^true$/],
      ['const areOfOneRing = ring === null || ring[p] === ring[q];', /^false$/],
    ),
    ...at(
      'planar/selfIntersections',
      ['if (x < west) west = x;', /./],
      ['if (x > east) east = x;', /./],
      ['if (y < south) south = y;', /./],
      ['if (y > north) north = y;', /./],
      ['if (limit > 1) joinWithin(search, 1);', /^limit >= 1$/],
    ),
    ...at(
      'planar/sideOf',
      [
        'if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;',
        /^false$|>=/,
      ],
      ['export const ERROR_BOUND: number =', /./],
      ['if (Math.abs(determinant) > DIGITS_BOUND * size) return determinant;', /^false$|>=/],
    ),
    ...at('planar/sweepLine', 'if (count < FEW) return order.sort(byPlace);', [
      'for (let i = 0; i < count; i++) keys[i] =',
      /^i >= count$|^false$/,
    ]),
    ...at('planar/windingRings', ['const around =', /^false$/]),
  ],
  'both choices give the same result at a tie': [
    ...at('planar/compareCrossings', ['if (Math.abs(tF - tG) > CLOSE) return tF - tG;', />=/]),
    ...at(
      'planar/crossings',
      ['const lowX =', /<=/],
      ['const highX =', /<=/],
      ['const lowY =', /<=/],
      ['const highY =', /<=/],
    ),
    // A vertex at the height of the point either equals it, which its other edge detects, or lies beside it.
    ...at(
      'planar/orient2d',
      ['if (ay > top && by > top) {', />=/],
      ['} else if (ay >= bottom || by >= bottom) {', /ay > bottom/],
      ['if (ax >= left && ay > top !== by > top) return 0;', />=/],
    ),
    ...at('planar/ringEdges', ['const isForward = ax < bx || (ax === bx && ay < by);', /<=/]),
    // An edge of length 0 is found by itself or by the edge after it.
    ...at('planar/ringsMeet', ['return sideOf(ax, ay, bx, by, cx, cy) === 0 &&', /< 0$/]),
    ...at('planar/joinBySeams', ['if (xy[k]! < xy[2 * point]! ||', /<=/]),
    ...at(
      'planar/sweepLine',
      ['if (value < low) low = value;', /<=/],
      ['if (value > high) high = value;', />=/],
      ['if (byPlace(p, q) > 0) {', />=/],
    ),
    ...at(
      'planar/windingRings',
      ['for (let k = first + 1; k < end - 1; k++) {', /<=/],
      [
        'if (nextX > x || (nextX === x && xy[2 * k + 1]! >= xy[2 * best + 1]!)) continue;',
        /y\[2 \* k \+ 1\]! > /,
      ],
    ),
    ...at(
      'planar/crossings',
      ['(boxes[4 * q + 1] as number) <= (boxes[4 * p + 3] as number)', /</],
      ['if ((cx < lowX && dx < lowX) || (cx > highX && dx > highX)) return;', /=/],
      ['if ((cy < lowY && dy < lowY) || (cy > highY && dy > highY)) return;', /=/],
      ['if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;', /=/],
      ['if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;', /=/],
    ),
    ...at(
      'planar/curves',
      ['if (y < minY) minY = y;', /<=/],
      ['if (x < minX) minX = x;', /<=/],
      ['else if (x > maxX) maxX = x;', />=/],
      ['else if (y > maxY) maxY = y;', />=/],
    ),
    ...at('planar/nearestOnLeft'),
    ...at(
      'planar/sideOf',
      ['const alongX = Math.abs(qx - px) >= Math.abs(qy - py);', />/],
      ['if (r < p === p < q) return -1;', /<=/],
      ['if (r > q === p < q) return 2;', /=/],
    ),
    ...at(
      'planar/orient2d',
      ['const ab = order(ax, ay, bx, by) <= 0;', /</],
      ['const cd = order(cx, cy, dx, dy) <= 0;', /</],
      ['const start = order(lowX, lowY, fromX, fromY) >= 0', />/],
      ['const end = order(highX, highY, toX, toY) <= 0', /</],
      ['if (a === 0 && b === 0 && c === 0 && d === 0) return collinearMeeting', /^true$/],
    ),
    ...at(
      'planar/joinBySeams',
      ['onEdge.sort((p, q) => (to > from ?', /to >= from/],
      ['for (let k = 2; k < xy.length; k += 2) {', /<=/],
      ['while (out.length > 2 && out[0]', />=/],
    ),
    ...at('planar/orient2d', ['for (let i = 0; i < end; i += 2) {', /<=/]),
  ],
  'reads and writes beyond the end of a typed array have no effect': [
    ...at(
      'planar/curves',
      ['for (let c = 1; c < starts.length; c++) isLast', /<=/],
      ['for (let run = 0; run < leaves; run++) {', /<=/],
    ),
    ...at('planar/sweepEdges', ['while (next < count && x[order[next]!] === px', /^true$|<=/]),
    ...at('planar/ringEdges', ['for (let i = 0; i < count; i++) {', /<=/]),
    ...at('planar/ringsMeet', ['for (let c = 0; c < rings.length; c++) {', /<=/]),
    ...at(
      'planar/selfIntersections',
      ['for (let i = 0; i < count; i++) {', /<=/],
      ['for (let start = i + 1 - ((i + 1) % RUN); start < count; start += RUN) {', /<=/],
      ['for (let node = 2 * leaves - 1; node >= 1; node--) {', /^2 \* leaves \+ 1$/],
    ),
    ...at(
      'planar/sweepLine',
      ['for (let i = 0; i < count; i++)', /<=/],
      ['for (let from = 0; from < count; ) {', /<=/],
      ['while (to < count && keys[sorted[to]!]! === key) to++;', /\|\||<=/],
      ['for (let bucket = 0; bucket < BUCKETS; bucket++) {', /<=/],
    ),
    ...at(
      'planar/closeEdges',
      ['const curveCount = starts.length - 1;', /./],
      ['for (let e = 1; e < ends.length; e++)', /<=/],
      ['for (let c = 0; c <= curveCount; c++) from[c]', /</],
      ['for (let i = low; i < high; i++) {', /<=/],
    ),
    ...at(
      'planar/windingRings',
      ['const curveCount = starts.length - 1;', /./],
      ['for (let r = 0; r < after.length; r++) {', /<=/],
      ['for (let root = 0; root < curveCount; root++) {', /<=/],
      ['for (let c = 0; c + 1 < starts.length; c++) {', /./],
      ['for (let i = 0; i < order.length; i++) {', /<=/],
      ['if (end > begin && out[end - 2] === x && out[end - 1] === y) continue;', />=/],
    ),
    ...at('planar/selfIntersections', ['for (let run = 0; run < runs; run++) {', /<=/]),
    ...at('planar/windingRings', ['for (let c = 0; c < curveCount; c++) {', /<=/]),
    ...at('planar/sweepEdges', ['for (let rank = 0; rank < count; ) {', /<=/]),
    ...at('planar/curves', ['while (leaves < runs) leaves *= 2;', /<=/]),
  ],
  'changes the first guess, the order or the amount of work, but not the result': [
    ...at(
      'planar/crossings',
      ['if (this.isOver) return;', /^false$/],
      ['for (let i = from; i < from + CURVE_RUN - 2; i++) {', /./],
    ),
    ...at('planar/curves', ['const runs = Math.ceil(points / CURVE_RUN);', /./]),
    ...at(
      'planar/ringsMeet',
      // The edge after a run belongs to the next run, or does not exist.
      ['for (let j = from; j < from + CURVE_RUN; j++) {', /<=/],
      ['for (let j = p === q ? i + 1 : q; j < q + CURVE_RUN; j++) {', /<=/],
    ),
    ...at(
      'planar/selfIntersections',
      ['comparisons: limit === Infinity ?', /^true$/],
      // Pairs are found in this order for each i.
      ['return found.sort(([i, j], [k, l]) => i - k || j - l);', /^j \+ l$/],
      ['const count = ends.length / 4;', /./],
      ['const runs = Math.ceil(count / RUN);', /./],
      ['while (leaves < number.length) leaves *= 2;', /<=/],
      ['if (node >= search.tree.leaves || isOver(search)) return;', /node > /],
      ['search.comparisons--;', /./],
      // The box at the root is never read.
      ['for (let node = 2 * leaves - 1; node >= 1; node--) {', /node > 1/],
      ['return found.length >= limit || comparisons <= 0;', /^false$|< 0/],
    ),
    ...at(
      'planar/sweepLine',
      ['} else if (to > from + 2) sorted.subarray(from, to).sort(byPlace);', /./],
      ['for (let digit = 1; digit < 2 ** 33; digit *= BUCKETS) {', /<=/],
    ),
    ...at(
      'planar/sweepLine',
      ['const count = ends.length / 4;', /./],
      ['const blocks = Math.ceil(count / HALF) + 2;', /./],
      // One block holds all edges and grows beyond its end.
      ['if (this.#size[block] === BLOCK) {', /^false$|^\{\}$/],
      ['#cut(block: number): void {', /^\{\}$/],
      // The other shifted entries are overwritten, or lie behind the end.
      ['for (let i = start + size; i > start + index; i--)', />=/],
      ['for (let i = start + this.#indexIn(block, edge); i < start + size; i++)', /<=/],
    ),
    // Any two edges through the point are a correct answer; the first finding is kept.
    ...at(
      'planar/sweepEdges',
      ["this.#found('meeting', known, other >= 0", /./],
      ['return true;', /^false$/],
      ['if (p < 0 || q < 0 || this.#finding !== null) return;', /^false$/],
      ['if (this.#sides === null || !this.#isHome || this.#finding !== null) return;', /^false$/],
      ['if (last === below) this.#meet(below, edge);', /^true$/],
    ),
    // Groups are joined by crossings; without them the ray to the left finds the same for each group.
    ...at(
      'planar/windingRings',
      ['for (let k = 0; k < crossings.count; k++) {', /^false$|^\{\}$/],
      ['while (group[root] !== root) {', /^false$/],
      ['if (rootE === rootF) {', /^false$|^\{\}$/],
      ['} else {', /^\{\}$/],
      ['while (group[c] !== root && c !== root) {', /./],
      // Values computed without a group are never read.
      ['if (k < 0) continue;', /^false$/],
    ),
    ...at(
      'planar/ringsMeet',
      ['if (p === q && xy[2 * i] === xy[2 * i + 2]', /^true$/],
      ['for (let j = p === q ? i + 1 : q; j < q + CURVE_RUN; j++) {', /^true$/],
    ),
    ...at(
      'planar/sweepEdges',
      ['#pass(x: number, y: number, vertex: number): boolean {', /^\{\}$/],
      ['if (comesEnds || goesEnds) {', /^false$/],
      ['if (vertices.length + (pass < 0 ? 0 : 1) < 2) return;', /^false$/],
    ),
  ],
  'a number that never occurs there, because an earlier case returns': [
    ...at('planar/compareCrossings', ['return fWhole > 0n === gWhole > 0n ? sign : -sign;', />=/]),
    ...at('planar/orient2d', ['if (side < 0 === aIsLeft) inside = !inside;', /<=/]),
    ...at('planar/orient2d', ['return side === 0 ? onEdgeCounts : side < 0 === aIsLeft;', /<=/]),
    ...at('planar/ringsMeet', ['if (i < j ? this.#edgesMeet(i, j) :', /<=/]),
    ...at(
      'planar/sweepEdges',
      ['const low = side > 0 ? comes : goes;', />=/],
      ['const high = side > 0 ? goes : comes;', />=/],
      // At the first vertex the sweep line is empty.
      ['#isHome = false;', /^true$/],
      // Two edges through the point were neighbours before it, so they were already reported.
      ['if (through.length > 1) {', /^false$|^\{\}$/],
      ["this.#found('meeting', through[0]!, through[1]!);", /./],
      // A ring that passes twice has ended the sweep, so there are several rings.
      ['if (this.#sides !== null && seen.size > 1 &&', /^true$|>=/],
      ['if (pass >= 0) see(pass, -1);', /^\+1$/],
      // Every ring arrives at the point as often as it leaves. If all edges below agree, this one agrees.
      ['if (above >= 0) this.#compareSides(last, above);', /^false$|> 0/],
    ),
    ...at(
      'planar/orient2d',
      // If both ends of one edge are on the other's line, all four ends are.
      ['if (a === 0 && b === 0 && c === 0 && d === 0) return collinearMeeting', /\|\|/],
    ),
    ...at(
      'planar/sweepLine',
      ['foundBelow = -1;', /./],
      ['foundOn = -1;', /./],
      ['if (side > 0) {', />=/],
      ['if (side > 0) from = middle + 1;', />=/],
    ),
    ...at('planar/sideOf', ['return Math.abs(fine) > FINE_BOUND * size ?', />=/]),
    ...at('planar/closeEdges', ['if (compared < 0) break;', /<=/]),
    ...at(
      'planar/windingRings',
      // Consistent crossings leave one continuation for each stretch of the boundary.
      [
        "linkRings(curves, crossings, records, closeEdges(curves, crossings, records, margin)) ?? 'inconsistent'",
        /^""$/,
      ],
      ['if (used[r] === 1 || after[r] !== 0) return null;', /^false$|&&/],
    ),
  ],
  'fewer rings are detected as stars; the others take the general way': [
    ...at(
      'planar/selfIntersections',
      ['function isStarShaped(', /^\{\}$/],
      ['let east = -Infinity;', /./],
      // Any point inside can be the middle.
      // The count is that of all edges, of both directions, or 0, never 1. Edges that begin below (left) or above (right) number at least `turns`.
      ['return turns === 1;', /^false$/],
    ),
    // The edge before ends where this one begins.
    ...at('planar/selfIntersections', ['const cy = ends[4 * j + 1]!;', /^4 \* j - 1$/]),
  ],
};
