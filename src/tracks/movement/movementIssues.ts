/** Issues with counts: contradictions of a track's witnesses, and distances that are not measured. */

import type { Issue } from '../../core/fix.js';
import { mileageColumn } from '../mileageColumn.js';
import type { MovementRules } from '../movementRules.js';
import type { MovementCounts } from './wayState.js';

/** Fewer fixes in parkings that report motion are no issue. */
const LEAST_MOVING = 6;

/** `isMissing`: no fix of the track has the mileage that measures distances. */
export function movementIssues(counts: MovementCounts, rules: MovementRules, isMissing: boolean): Issue[] {
  const { steps, restSteps, offSteps, parkedFixes, movingFixes, contradictedTrips, trips, jumps } = counts;
  const issues: Issue[] = [];
  const warn = (issue: Omit<Issue, 'severity'>): void => {
    issues.push({ ...issue, severity: 'warning' });
  };
  const column = mileageColumn(rules.mileage);
  if (column !== null && (isMissing || counts.unmeasured > 0)) {
    const received = isMissing ? 'a track without it' : `${counts.unmeasured} steps without a usable one`;
    const message = `expected ${column} for ${rules.mileage}, received ${received}; these count by position`;
    warn({ code: 'mileage-missing', field: `track.${column}`, message });
  }
  if (contradictedTrips > 0)
    warn({
      code: 'mileage-contradicts',
      field: `track.${column}`,
      count: contradictedTrips,
      of: trips,
      message:
        `expected a mileage between half and twice the way by position, received ${quotients(counts)} of it for ${contradictedTrips} of ` +
        `${trips} trips, which count by position; 0 is a mileage that nobody connected, 0.001 one in kilometres`,
    });
  if (restSteps > 0)
    warn({
      code: 'speed-contradicts',
      field: 'track.speedKph',
      count: restSteps,
      of: steps,
      received: 'rest',
      message:
        `expected speeds that explain the displacement, received less than ${rules.minSpeedKph} km/h at both ends of ${restSteps} of ${steps} ` +
        'steps on which the unit drove; the positions decide',
    });
  if (movingFixes >= LEAST_MOVING && 2 * movingFixes > parkedFixes)
    warn({
      code: 'speed-contradicts',
      field: 'track.speedKph',
      count: movingFixes,
      of: parkedFixes,
      received: 'motion',
      message:
        `expected speeds below ${rules.minSpeedKph} km/h in parkings, received higher ones for ${movingFixes} of ${parkedFixes} fixes; the ` +
        'positions decide',
    });
  if (offSteps > 0)
    warn({
      code: 'ignition-contradicts',
      field: 'track.ignition',
      count: offSteps,
      of: steps,
      message:
        `expected the ignition on while the unit moves, received off for ${offSteps} of ${steps} steps of trips: the unit was towed or on a ` +
        'ferry, or its ignition wire is not connected',
    });
  if (jumps > 0)
    warn({
      code: 'jump-plausible',
      field: 'settings.tripdetector_maxdistancemsg',
      message:
        `expected steps up to ${rules.maxStepMeters} m, received ${jumps} longer ones up to ${rules.plausibleKph} km/h, ` +
        `which cut trips; raise tripdetector_maxdistancemsg or pass jump: 'speed'`,
    });
  return issues;
}

function quotients({ leastQuotient, mostQuotient }: MovementCounts): string {
  const [least, most] = [leastQuotient, mostQuotient].map((value) => Number(value.toPrecision(2)));
  return least === most ? `${least}` : `${least} to ${most}`;
}
