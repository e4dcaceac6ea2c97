/** Work on one unit, so that its failure concerns no other. */

export interface UnitOfCompany {
  readonly companyId: string;
  readonly unitId: string;
}

/**
 * Does the work on a unit, unless the unit is set aside. A failure of the work sets the unit aside; a failure of the database or the log is
 * thrown.
 */
export type EachUnit = (unit: UnitOfCompany, work: () => Promise<void>) => Promise<void>;
