/** The parts of an operator. */

import type { RunKind } from './followedRuns.js';
import { ROUTE_KIND } from './routeKind.js';
import type { RunPart } from './runScope.js';
import { TRIP_KIND } from './tripKind.js';
import type { TrackedPart } from './unitAnalyses.js';
import type { UnitPart } from './unitOutput.js';

/** The ways to follow runs, in the order of their events of one moment. */
export const RUN_KINDS: { readonly [Part in RunPart]: RunKind<Part> } = {
  trips: TRIP_KIND,
  routes: ROUTE_KIND,
};

/** The parts of a unit, in the order of their events of one moment. */
export const TRACKED_PARTS: readonly TrackedPart[] = ['visits', 'movement', 'speeding'];

/** All parts, in the order of their events of one moment. */
export const UNIT_PARTS: readonly UnitPart[] = [...TRACKED_PARTS, 'trips', 'routes'];
