/** Work on one unit, so that its failure concerns no other. */

/**
 * Does the work on a unit, unless the unit is set aside. A failure of the work sets the unit aside; a failure of the database or the log is
 * thrown.
 */
export type EachUnit = (
  unit: { readonly companyId: string; readonly unitId: string },
  work: () => Promise<void>,
) => Promise<void>;
