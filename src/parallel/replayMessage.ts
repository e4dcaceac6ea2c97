/** Messages between `replay` and its workers. */

import type { FixColumnsData } from '../tracks/fixColumns.js';
import type { UnitOrder } from './openReplay.js';
import type { ReplayResult } from './replayResult.js';

/** Number of fixes sent at a time. */
export const CHUNK_FIXES = 16_384;

/** Fixes of a job, its completion, or its cancellation. */
export type ReplayMessage =
  | { readonly kind: 'fixes'; readonly job: number; readonly columns: FixColumnsData }
  | { readonly kind: 'finish'; readonly job: number; readonly order: UnitOrder }
  | { readonly kind: 'drop'; readonly job: number };

/** A worker's answer. `null` acknowledges fixes. */
export interface ReplayAnswer {
  readonly job: number;
  readonly result: ReplayResult | null;
}
