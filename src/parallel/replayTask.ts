/** What `replay` and its workers tell each other. */

import type { FixColumnsData } from '../tracks/fixColumns.js';
import type { UnitOrder, UnitReplay } from './replayUnit.js';

/** Fixes that travel at a time. */
export const CHUNK_FIXES = 16_384;

/** Fixes of a job; or that it is complete and is to be worked out; or that nobody wants it any more. */
export type ReplayMessage =
  | { readonly kind: 'fixes'; readonly job: number; readonly columns: FixColumnsData }
  | { readonly kind: 'finish'; readonly job: number; readonly order: UnitOrder }
  | { readonly kind: 'drop'; readonly job: number };

/** `null` says that fixes were taken. */
export interface ReplayAnswer {
  readonly job: number;
  readonly result: UnitReplay | null;
}
