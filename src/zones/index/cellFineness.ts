/** How finely cells are cut up: as finely as the room for their words allows. */

import type { CellArena } from './cellArena.js';
import { DISC_WEIGHT } from './cellContent.js';
import type { ShapeStore } from './shapeStore.js';

/** The weight that a cell may have without being cut up, at the finest and at the coarsest. */
const LEAF_WEIGHT = 10;
const MOST_LEAF_WEIGHT = 150;

/** Words that cells take for each vertex, by experience, at the finest. */
const WORDS_PER_VERTEX = 9.25;

/** By how much cells are coarsened at once, and by experience the part of the words that they then still take. */
const STEP = 1.2;
const SPARED = 0.9;

/** Of all that there is, so much is worked out before the words that the rest will take are told from it. */
const SAMPLE = 1 / 64;

export class CellFineness {
  readonly #arena: CellArena;
  /** The weight of all that there is. */
  readonly #weight: number;
  /** The weight that a cell may have without being cut up. */
  leafWeight: number = LEAF_WEIGHT;
  /** The part of the words that cells take by experience, coarsened as they are. */
  #spared = 1;
  /** When all cells are worked out: the weight to take in before the next forecast; what the last one saw. */
  #window = 0;
  #taken = 0;
  #used = 0;
  /** The words that cells have taken since then, had nothing been coarsened. */
  #finest = 0;

  constructor(store: ShapeStore, arena: CellArena, maxWords: number) {
    this.#arena = arena;
    this.#weight = store.vertexCount + DISC_WEIGHT * store.discCount - store.deadVertices;
    this.#fitInto(maxWords, WORDS_PER_VERTEX * store.vertexCount);
  }

  /** Cuts up less from now on; false when it is at the coarsest. What is known already must be forgotten. */
  coarsen(): boolean {
    if (this.leafWeight >= MOST_LEAF_WEIGHT) return false;
    this.leafWeight *= STEP;
    this.#spared *= SPARED;
    return true;
  }

  /** All cells that are not known are worked out from here on. */
  begin(): void {
    // Of cells of which some are known nobody tells how many words the rest will take.
    this.#window = this.#arena.isEmpty ? SAMPLE * this.#weight : Infinity;
    this.#used = this.#arena.used;
    this.#taken = 0;
    this.#finest = 0;
  }

  /** After the weight `taken` since the beginning: the words so far tell those of the rest, which is coarsened to fit. */
  look(taken: number): void {
    if (taken - this.#taken < this.#window) return;
    const { used, maxWords } = this.#arena;
    this.#finest += (used - this.#used) / this.#spared;
    this.#used = used;
    this.#taken = taken;
    const rest = (this.#finest * Math.max(0, this.#weight - taken)) / taken;
    this.#fitInto(maxWords - used, rest * this.#spared);
  }

  /** Coarsens until what would take `words` as it is takes no more than `maxWords`, or for as long as that helps. */
  #fitInto(maxWords: number, words: number): void {
    for (let expected = words; expected > maxWords && this.coarsen(); ) expected *= SPARED;
  }
}
