import { at, type Reasons } from './reasons.js';

export const INDEX: Reasons = {
  'a filter before an exact test that decides: it lets more through, or differs at a tie that boxes rounded outwards never have':
    [...at('zones/index/query/nearestZones', ['const west = Math.max(-180, box[0]!);', /min/])],
  'memory is allocated sooner, in larger amounts or in another order; its content is the same': [
    ...at('zones/index/boxes/boxTree', [
      'if (items.length > BULK_SHARE * this.#size) this.#tree.load(items);',
      /<|>/,
    ]),
  ],
  'the long way and the short way give the same result': [
    ...at(
      'zones/index/query/pointQuery',
      ['function isPlainPosition(', /^\{\}$/],
      ['(lat >= TINY_DEGREES || lat <= -TINY_DEGREES)', /^false$/],
    ),
  ],
  'differs only at a tie, at a value that never occurs, or in the last case of a choice': [
    ...at('zones/index/query/nearestZones', [
      'if (top === undefined || last === undefined',
      /&& last === undefined/,
    ]),
  ],
};
