/** Proposes a zone for times without one, by rough boxes of countries. It is only a proposal: borders and fleets do not follow boxes. */

import type { TimedPosition } from '../../core/fix.js';

/** West, south, east and north, degrees, with the zone of most fleets there. The first box that contains the fixes counts. */
const BOXES: readonly (readonly [number, number, number, number, string])[] = [
  [-11, 49.5, 2, 61, 'Europe/London'],
  [-10, 36, -6.2, 42.2, 'Europe/Lisbon'],
  [-9.5, 35.5, 4, 43.5, 'Europe/Madrid'],
  [-5, 42, 8, 51.2, 'Europe/Paris'],
  [5.8, 47.2, 15.1, 55.1, 'Europe/Berlin'],
  [6.5, 36, 18.6, 47.2, 'Europe/Rome'],
  [14, 49, 24, 55, 'Europe/Warsaw'],
  [26, 35.8, 45, 42.2, 'Europe/Istanbul'],
  [22, 44, 35, 52, 'Europe/Kyiv'],
  [27, 41, 50, 70, 'Europe/Moscow'],
  [52, 50, 70, 70, 'Asia/Yekaterinburg'],
  [68, 8, 90, 33, 'Asia/Kolkata'],
  [100, 18, 125, 45, 'Asia/Shanghai'],
  [129, 30, 146, 46, 'Asia/Tokyo'],
  [140, -44, 154, -10, 'Australia/Sydney'],
  [-125, 32, -114, 49, 'America/Los_Angeles'],
  [-114, 31, -102, 49, 'America/Denver'],
  [-102, 25, -85, 49, 'America/Chicago'],
  [-85, 24, -66, 49, 'America/New_York'],
  [-53, -30, -34, -5, 'America/Sao_Paulo'],
];

/** The zone to propose for fixes; `UTC` if no box contains them. */
export function likelyZone(points: readonly TimedPosition[]): string {
  const middle = points[points.length >> 1];
  if (middle === undefined) return 'UTC';
  const { lon, lat } = middle;
  return (
    BOXES.find(
      ([west, south, east, north]) => lon >= west && lon <= east && lat >= south && lat <= north,
    )?.[4] ?? 'UTC'
  );
}
