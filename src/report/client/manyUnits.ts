/** When a fleet is too large for a map of all its tracks. */

/** With more units than this the tracks are thin lines of one colour, as a picture of where the fleet drives. A selected unit is drawn above them. */
export const MANY_UNITS = 30;
/** Limits, and with many units arrowheads, are drawn from this zoom on. */
export const NEAR_ZOOM = 14;
