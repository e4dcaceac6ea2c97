import type { TakenOver } from '../src/stream/streamStore.js';

/** The stored row of a partition before its first message. */
export const newPartition: TakenOver = {
  epoch: 0,
  position: 0,
  clock: Number.NEGATIVE_INFINITY,
  replayFrom: 1,
  replayClock: Number.NEGATIVE_INFINITY,
  streamCreated: null,
  stamp: null,
  unproven: 1,
  trying: null,
  tries: 0,
  alarm: null,
  shift: 0,
  states: [],
  aside: new Set(),
  asideUnits: new Map(),
  zones: new Map(),
};
