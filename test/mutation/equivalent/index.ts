import { at, type Reasons } from './reasons.js';

export const INDEX: Reasons = {
  'a filter before an exact test, which alone decides: it lets more through, or a tie that the boxes rounded outwards never have':
    [
      ...at(
        'zones/index/calm',
        ['if (chunkBoxes[box]! > east', /&&/],
        ['if (chunkBoxes[box + 1]! > north', /\+ 3\]! <= south$/],
        ['if (discs[at + 2] === 0 || x > MAX_LON) return false;', />=/],
        ['if ((ax > half && bx > half)', /^ax >= half$/],
        // The only caller keeps away from the ends of the map by itself.
        ['if (!(Math.abs(lon) < MAX_LON', /^true$/],
      ),
      ...at('zones/index/cellContent', ['if (chunkBoxes[box + 3]! < south', /\+ 3\]! <= south$/]),
      ...at('zones/index/cellContent', ['const wraps = (store.ringMarks[ring]! & WRAPS) !== 0;', /^true$/]),
      ...at(
        'zones/index/polygonAt',
        ['const wraps = (marks & WRAPS) !== 0;', /^true$/],
        ['if (!wraps && (chunkBoxes[box]! > lon', /&&/],
      ),
      ...at(
        'zones/index/polygonCuts',
        ['if (chunkBoxes[box]! > east', /^false$/],
        ['if (chunkBoxes[box + 1]! > north', /^false$/],
        ['if (!((c > rounding && d > rounding)', /d <= -rounding/],
      ),
      ...at('zones/index/roundStays', [
        'if (lonLeast * px * px + latLeast * py * py > discs[at + 7]!) return 0;',
        /px - latLeast/,
      ]),
      ...at(
        'zones/index/surroundings',
        ['if (boxes[box]! > east || boxes[box + 2]! < west) continue;', /^false$/],
        ['segment[SOUTH]! >= this.south &&', />/],
        ['if (boxes[box + 1]! > north', /\+ 1\]! >= north$/],
      ),
      ...at(
        'zones/index/cellRound',
        ['if (near > beyond * beyond) continue;', />=/],
        ['if (isFar) {', /^false$/],
      ),
      ...at('zones/index/nearest', ['Math.max(-180, west),', /min/]),
    ],
  'the memory is asked for sooner, more of it or in another order; what stands in it is the same': [
    ...at(
      'zones/index/candidates',
      ['if (items.length >= BULK) this.#overlay.load(items);', /<|>/],
      ['if (this.#waiting.count > 0) this.#insertWaiting();', /^true$/],
    ),
    ...at('zones/index/cellBatch', ['const last = words.length - 1;', /\+ 1/]),
    ...at('zones/index/cellBatch', 'for (let k = 0; heads >= LONG_RECORD', 'if (slot <= EMPTY) continue;'),
    ...at('zones/index/cellBatch', 'const end = Math.min(last, record +'),
    ...at('zones/index/cellBatch', ['for (let k = 0; k < listed; k++) {', /^k >= listed$/]),
    ...at('zones/index/cells', ['if (PIECES_PER_POSITION * this.#asked', /PIECES_PER_POSITION \/ this/]),
    ...at('zones/index/rowTable', ['let rowBytes: Uint8Array = new Uint8Array(128 * count);', /\//]),
    ...at(
      'zones/index/shapeStore',
      ['this.#isShared = false;', /^true$/],
      ['if (at >= this.pieceZone.length || at >= this.pieceSize.length) {', /^at < this\.pieceZone\.length$/],
    ),
    ...at('zones/index/packedTree', ['for (let i = 0; i < 4 * count; i += 4) {', /^false$/]),
    ...at('zones/index/cellWriter', ['if (needed <= this.words.length) return;', /needed < /]),
    ...at('zones/index/packedTree', ['if (hits === found.length) {', /^true$/]),
    ...at('zones/index/shapeStore', ['if (piece >= this.pieceMoved.length) {', /^true$/]),
    ...at('zones/index/polygonCuts', ['if (along.length > 0) along.length = 0;', />=/]),
    ...at('zones/index/rowTable', ['while (buckets < 2 * this.size) buckets *= 2;', /<=/]),
    // A word beyond the record is free, and the next record begins there.
    ...at('zones/index/cellLearner', ['for (let i = 0; i < length; i++) target[at++]', /<=/]),
    // Of the marks of rows before: all are emptied before one is set.
    ...at('zones/index/cellPolygon', [
      'for (let row = fromY; row <= toY; row++) marks.fill(0,',
      /row \* stride - fromX/,
    ]),
    // Of the order along the curve: with another one nodes are larger, and hold the same.
    ...at('zones/index/packedTree', [
      'let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];',
      /\+Infinity/,
    ]),
  ],
  'the long way gives what the short way gives': [
    ...at(
      'zones/index/cellBatch',
      ['function isPlainPosition(', /^\{\}$/],
      ['(lat >= TINY_DEGREES || lat <= -TINY_DEGREES)', /^false$/],
      ['if (lat >= 90 || lat <= -90) slots[i] = PLAIN;', /lat > -90/],
    ),
    ...at(
      'zones/index/cellGrid',
      ['(Math.max(-180, west) - this.west)', />=/],
      ['(Math.max(-90, south) - this.south)', /\+ASIDE/],
      // No box reaches more cells than there are, which the work left never falls below then; so all are marked one by one.
      ['work -= this.forget(', /\+=/],
      // More cells are forgotten than must be, or none.
      ['if (toX < fromX || toY < fromY) return 0;', /&&/],
    ),
    ...at('zones/index/cellRound', ['const part = Math.floor(place - side * ROOM);', /side \/ ROOM/]),
    ...at('zones/index/readPlain', ['if (i > 0 && lon === coords[at - 2]', /^true$/]),
    ...at('zones/index/safeReach', ['if (!(x >= fromX && x < toX)) continue;', /^true$/]),
    // A cell that is known already has nothing below it to learn.
    ...at('zones/index/cellLearner', ['if (below !== UNKNOWN && (below & 1) === 0) continue;', /^false$/]),
    // Marks of rows beyond those of the piece are emptied before they are read; what runs on above B is met as often, whichever of its ends are
    // paired.
    ...at('zones/index/cellPolygon', [
      'if (row < this.#cell.fromY || row > this.#cell.toY) return;',
      /^false$/,
    ]),
    ...at('zones/index/edgeCutter', ['for (; at > 0 && values[at - 1]! > value; at--)', /at > 0 \|\|/]),
    ...at('zones/index/cellPolygon', ['if (isAnchored && west <= meridian + NEAR', /\|\|/]),
    // An edge is dealt to more parts than it reaches, and cut away there.
    ...at(
      'zones/index/cellPolygon',
      ['const isFlat = bottom === top', /!==/],
      ['if (!isFlat) {', /^true$/],
      ['if (low < west) low = west;', /^false$|<=/],
    ),
    // Where no place was found, an edge beside B runs on along its side and above it, which no position of the cell sees.
    ...at('zones/index/edgeCutter', ['if (ax < low || ax > high) return at;', /&&/]),
  ],
  'nothing at a tie, a value that never comes, a kind that is the last of a choice': [
    ...at(
      'zones/index/cellPolygon',
      ['const place = row * stride + (after < fromX', /after <= fromX/],
      ['const p = south < under ?', /<=/],
    ),
    ...at('zones/index/cellWriter', ['else if (edge >= 0) at = cutter.take(', /^true$/]),
    ...at('zones/index/edgeCutter', ['const bIsIn = bx >= low', /by < high/], ['fromNorth = dy < 0;', /<=/]),
    ...at('zones/index/indexOptions', [
      "const boundary = readChoice(options.boundary, 'options.boundary',",
      /^""$/,
    ]),
    ...at('zones/index/nearest', ['if (top === undefined || last === undefined', /&& last === undefined/]),
    ...at('zones/index/locator', ['#version = -1;', /\+1/]),
    ...at('zones/index/nearest', [": { bound, kind: 'overlay', node: child },", /""/]),
    ...at('zones/index/ordinalSet', ['for (let ordinal = 0; ordinal < this.#marks.length; ordinal++)', /<=/]),
    ...at('zones/index/packedTree', ['if (count === 0) return 0;', /^false$/]),
  ],
  'how finely cells are cut up, which no answer depends on': [
    ...at('zones/index/cellArena', ['return this.#used <= FIRST_WORD;', /^true$/]),
    ...at(
      'zones/index/cellFineness',
      ['if (taken - this.#taken < this.#window) return;', /<=/],
      ['this.#fitInto(maxWords - used', /\+ used/],
    ),
    ...at('zones/index/cellLearner', ['const isStuck = weight > 0.75 * above;', />=/]),
    ...at('zones/index/cells', [
      'if (!this.#edited && !this.#fineness.coarsen())',
      /^this\.#fineness\.coarsen\(\)$/,
    ]),
  ],
};
