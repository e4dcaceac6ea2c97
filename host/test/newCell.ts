import type { LoadedCell } from '../src/stream/cellStore.js';

/** The stored row of a cell before its first message. */
export const newCell: LoadedCell = {
  cell: 0,
  part: { modulus: 1, residue: 0 },
  companyId: 'c',
  version: 0,
  position: 0,
  clock: Number.NEGATIVE_INFINITY,
  replayFrom: 1,
  replayClock: Number.NEGATIVE_INFINITY,
  unproven: 1,
  trying: null,
  alarm: null,
  states: [],
  aside: new Set(),
  asideUnits: new Map(),
  zones: new Map(),
};
