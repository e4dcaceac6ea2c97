/**
 * Sums over the steps of a track, as a tree over blocks of them: prefix sums of all steps would cost more than the steps, and a short span late
 * in a long track would lose digits. A node is computed when a span first needs it.
 */

import type { Sums } from './measure.js';
import { BLOCK, type StepColumns } from './stepColumns.js';
import { GAP, IDLING, MOVING } from './stepMeter.js';

/** Numbers of a node: milliseconds moving, idling and parked, metres, those of moving steps, metres of gaps. */
const WIDTH = 6;

export class StepSums {
  readonly #steps: StepColumns;
  /** Number of whole blocks: the leaves, which come after the other nodes. */
  readonly #count: number;
  /** The numbers of node k begin at `WIDTH * k`. */
  readonly #nodes: Float64Array;
  readonly #isKnown: Uint8Array;

  constructor(steps: StepColumns) {
    this.#steps = steps;
    this.#count = Math.max(0, Math.floor((steps.length - 1) / BLOCK));
    this.#nodes = new Float64Array(2 * WIDTH * this.#count);
    this.#isKnown = new Uint8Array(2 * this.#count);
  }

  /** Adds the steps from fix a to fix b. */
  addBetween(sums: Sums, a: number, b: number): void {
    const [first, last] = [Math.ceil(a / BLOCK), Math.floor(b / BLOCK)];
    if (first >= last) {
      this.#addSteps(sums, a, b);
      return;
    }
    this.#addSteps(sums, a, first * BLOCK);
    const count = this.#count;
    for (let low = first + count, high = last + count; low < high; low >>= 1, high >>= 1) {
      if (low % 2 === 1) this.#addNode(sums, low++);
      if (high % 2 === 1) this.#addNode(sums, --high);
    }
    this.#addSteps(sums, last * BLOCK, b);
  }

  #addNode(sums: Sums, node: number): void {
    this.#know(node);
    const nodes = this.#nodes;
    const at = WIDTH * node;
    sums.movingMs += nodes[at]!;
    sums.idlingMs += nodes[at + 1]!;
    sums.parkedMs += nodes[at + 2]!;
    sums.meters += nodes[at + 3]!;
    sums.movingMeters += nodes[at + 4]!;
    sums.gapMeters += nodes[at + 5]!;
  }

  /** Computes a node from its steps or its children, unless it is known. */
  #know(node: number): void {
    if (this.#isKnown[node] === 1) return;
    this.#isKnown[node] = 1;
    const nodes = this.#nodes;
    const at = WIDTH * node;
    if (node >= this.#count) {
      const first = (node - this.#count) * BLOCK;
      const own = { movingMs: 0, idlingMs: 0, parkedMs: 0, meters: 0, movingMeters: 0, gapMeters: 0 };
      this.#addSteps(own, first, first + BLOCK);
      nodes[at] = own.movingMs;
      nodes[at + 1] = own.idlingMs;
      nodes[at + 2] = own.parkedMs;
      nodes[at + 3] = own.meters;
      nodes[at + 4] = own.movingMeters;
      nodes[at + 5] = own.gapMeters;
      return;
    }
    this.#know(2 * node);
    this.#know(2 * node + 1);
    const [left, right] = [2 * at, 2 * at + WIDTH];
    for (let i = 0; i < WIDTH; i++) nodes[at + i] = nodes[left + i]! + nodes[right + i]!;
  }

  #addSteps(sums: Omit<Sums, 'maxKph'>, from: number, to: number): void {
    this.#steps.measure(from, to);
    const { time, kind, meters } = this.#steps;
    for (let i = from; i < to; i++) {
      const stepKind = kind[i];
      const milliseconds = time[i + 1]! - time[i]!;
      if (stepKind === GAP) {
        sums.gapMeters += meters[i]!;
        continue;
      }
      sums.meters += meters[i]!;
      if (stepKind === MOVING) {
        sums.movingMs += milliseconds;
        sums.movingMeters += meters[i]!;
      } else if (stepKind === IDLING) sums.idlingMs += milliseconds;
      else sums.parkedMs += milliseconds;
    }
  }
}
