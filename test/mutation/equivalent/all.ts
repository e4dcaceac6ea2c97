import { CONDUCT } from './conduct.js';
import { GEODESY } from './geodesy.js';
import { INDEX } from './index.js';
import { PLANAR } from './planar.js';
import type { Equivalent } from './reasons.js';
import { TRACKS } from './tracks.js';
import { TRIPS } from './trips.js';
import { ZONES } from './zones.js';

/** Known equivalent mutants of all targets, each with its reason. */
export const EQUIVALENT: readonly (readonly [reason: string, readonly Equivalent[]])[] = [
  PLANAR,
  GEODESY,
  TRIPS,
  ZONES,
  INDEX,
  TRACKS,
  CONDUCT,
].flatMap((reasons) => Object.entries(reasons));
