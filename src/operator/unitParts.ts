/** The parts of an operator. */

import type { RunKind } from './followedRuns.js';
import { ROUTE_KIND } from './routeKind.js';
import type { RunPart } from './runScope.js';
import { TRIP_KIND } from './tripKind.js';
import type { TrackedPart } from './unitAnalyses.js';
import type { UnitPart } from './unitOutput.js';

/** What is followed of runs, in the order of their events at one moment. */
export const RUN_KINDS: { readonly [Part in RunPart]: RunKind<Part> } = {
  trips: TRIP_KIND,
  routes: ROUTE_KIND,
};

/** The names of the parts of units, in the order of their events at one moment. */
export const TRACKED_PARTS: readonly TrackedPart[] = ['visits', 'movement', 'speeding'];

/** The names of all parts, in the order of their events at one moment. */
export const UNIT_PARTS: readonly UnitPart[] = [...TRACKED_PARTS, 'trips', 'routes'];
