/** Messages between `replay` and its workers. */

import type { FixColumnsData } from '../tracks/fixColumns.js';
import type { UnitOrder } from './openReplay.js';
import type { ReplayResult } from './replayResult.js';

/** Number of fixes sent at a time. */
export const CHUNK_FIXES = 16_384;

/** Fixes of a job; or the job is complete; or the job is dropped. */
export type ReplayMessage =
  | { readonly kind: 'fixes'; readonly job: number; readonly columns: FixColumnsData }
  | { readonly kind: 'finish'; readonly job: number; readonly order: UnitOrder }
  | { readonly kind: 'drop'; readonly job: number };

/** `null` acknowledges fixes. */
export interface ReplayAnswer {
  readonly job: number;
  readonly result: ReplayResult | null;
}
