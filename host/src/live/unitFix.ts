import type { Fix } from 'wayzone';

/** A fix of one of the company's units. */
export interface UnitFix {
  readonly unitId: string;
  readonly fix: Fix;
}
