import { at, type Reasons } from './reasons.js';

export const PLANAR: Reasons = {
  'a quick rejection: what it lets pass, the exact test behind it rejects': [
    ...at(
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
    ...at('planar/leftRay', [
      'if ((boxes[box] as number) > x || (boxes[box + 1] as number) > y || (boxes[box + 3] as number) < y)',
      /^false$|&&/,
    ]),
    ...at(
      'planar/ringsMeet',
      ['if ((boxes[box] as number) > maxX || (boxes[box + 2] as number) < minX) continue;', /^false$|&&/],
      ['if ((boxes[box + 1] as number) > maxY || (boxes[box + 3] as number) < minY) continue;', /^false$|&&/],
      ['(boxes[4 * p] as number) > (boxes[4 * q + 2] as number) ||', /^false$|&&/],
    ),
    ...at(
      'planar/segments',
      ['if (apart(ax, bx, cx, dx) || apart(ay, by, cy, dy)) return', /^false$|&&/],
      ['flushTiny(Math.max(a, b)) < flushTiny(Math.min(c, d)) ||', /^false$|&&/],
      ['flushTiny(Math.max(c, d)) < flushTiny(Math.min(a, b))', /^false$/],
    ),
    ...at(
      'planar/selfIntersection',
      [
        'if (boxes[box]! > east || boxes[box + 2]! < west || boxes[box + 1]! > north || boxes[box + 3]! < south)',
        /^false$|&&/,
      ],
      ['if (j === i + 1 && flushedTurn(ax, ay, bx, by, dx, dy) !== 0) continue;', /^false$/],
      ['(boxes[p + 1] as number) <= (boxes[q + 3] as number) &&', /^true$/],
      ['let north = -Infinity;', /Infinity/],
    ),
  ],
  'a quick way to what the general one gives too': [
    ...at(
      'planar/selfIntersection',
      ['if (x < west) west = x;', /./],
      ['if (x > east) east = x;', /./],
      ['if (y < south) south = y;', /./],
      ['if (y > north) north = y;', /./],
      ['if (side === 0 || side > 0 !== isLeft) return false;', /^true$/],
      ['if (ay < middleY !== by < middleY && ay < middleY === isLeft) turns++;', /=/],
      ['if (limit > 1) joinWithin(search, 1);', /^limit >= 1$/],
    ),
    ...at(
      'planar/side',
      [
        'if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;',
        /^false$|>=/,
      ],
      ['if (Math.abs(determinant) > DIGITS_BOUND * size) return determinant;', /^false$|>=/],
    ),
    ...at(
      'planar/turn',
      [
        'if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;',
        /^false$|>=/,
      ],
      ['const ERROR_BOUND: number =', /./],
    ),
    ...at('planar/sortPoints', 'if (count < FEW) return order.sort(byPlace);', [
      'for (let i = 0; i < count; i++) keys[i] =',
      /^i >= count$|^false$/,
    ]),
    ...at('planar/windingRings', [
      'curveCount === 1 ? 0 : windingNumber(curves, tree, x, y, (edge) => find(rootOfEdge(edge)) !== root);',
      /^false$/,
    ]),
  ],
  'at a tie both ways give the same': [
    ...at(
      'planar/crossings',
      ['(boxes[4 * q + 1] as number) <= (boxes[4 * p + 3] as number)', /</],
      ['if ((cx < ax && dx < ax) || (cx > bx && dx > bx)) return;', /=/],
      ['} else if ((cx < bx && dx < bx) || (cx > ax && dx > ax)) return;', /=/],
      ['if ((cy < ay && dy < ay) || (cy > by && dy > by)) return;', /=/],
      ['if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;', /=/],
      ['if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;', /=/],
    ),
    ...at(
      'planar/curves',
      ['if (y < minY) minY = y;', /<=/],
      ['if (x < minX) minX = x;', /<=/],
      ['if (x > maxX) maxX = x;', />=/],
      ['if (y > maxY) maxY = y;', />=/],
    ),
    ...at(
      'planar/leftRay',
      ['if ((boxes[box] as number) > x ||', /[<>]=/],
      ['if (best === null || at > best.x)', />=/],
    ),
    ...at(
      'planar/segments',
      ["if (meeting === 'overlap') return atC < atD", /<=/],
      ['const alongX = Math.abs(qx - px) >= Math.abs(qy - py);', />/],
      ['if (r < p === p < q) return -1;', /<=/],
      ['if (r > q === p < q) return 2;', /=/],
      ['const ab = order(ax, ay, bx, by) <= 0;', /</],
      ['const cd = order(cx, cy, dx, dy) <= 0;', /</],
      ['const start = order(lowX, lowY, fromX, fromY) >= 0', />/],
      ['const end = order(highX, highY, toX, toY) <= 0', /</],
      ['if (a === 0 && b === 0 && c === 0 && d === 0) return collinearMeeting', /^true$/],
    ),
    ...at(
      'planar/seams',
      ['onEdge.sort((p, q) => (to > from ?', /to >= from/],
      ['for (let k = 2; k < xy.length; k += 2) {', /<=/],
      ['while (out.length > 2 && out[0]', />=/],
    ),
    ...at('planar/pointInRing', ['for (let i = 0; i < end; i += 2) {', /<=/]),
  ],
  'beyond the end of a typed array nothing is read or written': [
    ...at('planar/selfIntersection', ['for (let run = 0; run < runs; run++) {', /<=/]),
    ...at('planar/windingRings', ['for (let c = 0; c < curveCount; c++) {', /<=/]),
    ...at('planar/edgeSweep', ['for (let rank = 0; rank < count; ) {', /<=/]),
    ...at('planar/curves', ['while (leaves < runs) leaves *= 2;', /<=/]),
  ],
  'a first guess, the order or the amount of the work, not its result': [
    ...at(
      'planar/ringsMeet',
      ['if (p === q && xy[2 * i] === xy[2 * i + 2]', /^true$/],
      ['for (let j = p === q ? i + 1 : q; j < q + RUN; j++) {', /^true$/],
    ),
    ...at(
      'planar/curves',
      ['const hasEdge = isLast[k] === 0;', /^true$/],
      ['if (hasEdge || joined) {', /^true$/],
    ),
    ...at(
      'planar/edgeSweep',
      ['#pass(x: number, y: number, comes: number, goes: number): boolean {', /^\{\}$/],
      ['if (comesEnds || goesEnds) {', /^false$/],
      ['goes >= 0 &&', /^goes [<>] 0$/],
      ['comes >= 0 &&', /^comes [<>] 0$/],
      ['if (vertices.length + (pass < 0 ? 0 : 1) < 2) return;', /^false$/],
    ),
  ],
};
