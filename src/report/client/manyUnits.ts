/** Limits for fleets that are too large for a map of all tracks. */

/**
 * Largest number of units whose tracks are drawn in colours. With more, tracks are thin lines of one colour, and a selected unit is drawn
 * above them.
 */
export const MANY_UNITS = 30;
/** Zoom from which speed limits are drawn and, with many units, arrowheads. */
export const NEAR_ZOOM = 14;
