/** Adds a change to those of a run under way. */

import { inputError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import { checkPoints, readChange, tooLate } from './readChanges.js';
import type { ChangeNote, TripChange } from './tripChange.js';

/** The last fixes of a run's unit. */
interface LastFixes {
  /** Time of the last fix that was read, used or not. */
  readonly released: number;
  /** Time of a fix far ahead that waits for its confirmation. */
  readonly ahead: number | null;
}

/**
 * The change that a note and the fields of a method give, and all changes with it in order of `at`. `points`: their number before all changes.
 *
 * Errors: `change-invalid`, `change-late`, `amend-points`.
 */
export function addChange(
  changes: readonly TripChange[],
  note: ChangeNote,
  what: object,
  last: LastFixes,
  points: number,
): { readonly change: TripChange; readonly changes: readonly TripChange[] } {
  const given = guarded('change', () =>
    typeof note === 'object' && note !== null ? { ...note, ...what } : note,
  );
  const change = readChange(given, 'change');
  if (change.type === 'handOver')
    checkHandOver(change.at, Math.max(last.released, last.ahead ?? last.released));
  else if (change.type !== 'excuse' && change.at < last.released)
    throw tooLate(change.at, last.released, 'fix');
  const amended = changes.findLast(({ type }) => type === 'amend')?.at ?? change.at;
  if (change.at < amended) throw tooLate(change.at, amended, 'amendment');
  const sorted = [...changes, change].sort((a, b) => a.at - b.at);
  checkPoints(
    sorted.map((own) => ({ change: own, field: own === change ? 'change' : 'changes' })),
    points,
  );
  return { change, changes: sorted };
}

/** The fixes so far were those of the unit in charge until then. */
function checkHandOver(at: number, last: number): void {
  if (at > last) return;
  throw inputError('change-late', 'change.at', `a time after the last fix, ${last}`, at);
}
