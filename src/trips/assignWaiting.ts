/** Visits to points in list order under the policy `wait`: each point by the first visit that may serve it after its predecessor's. */

import type { Offer, Serving } from './serving.js';

/**
 * A point without one keeps all later ones waiting. The first point takes the offer with its own least |deviation|, then the earliest;
 * a visit that may be shared serves as many neighbours as it can.
 */
export function assignWaiting(offers: readonly (readonly Offer[])[]): (Serving | null)[] {
  const assignment: Serving[] = [];
  while (assignment.length < offers.length) {
    const before = assignment.at(-1);
    const open = largestOf(offers[assignment.length]!).filter(
      ({ stay }) =>
        before === undefined ||
        (stay.enter >= before.arrival && !assignment.some((serving) => serving.stay === stay)),
    );
    const chosen = before === undefined ? leastOff(open) : open[0];
    if (chosen === undefined) break;
    assignment.push(...chosen.parts);
  }
  return offers.map((_, i) => assignment[i] ?? null);
}

/** Of each stay the offer for the most points, which comes first. */
function largestOf(offers: readonly Offer[]): Offer[] {
  return offers.filter(({ stay }, i) => offers[i - 1]?.stay !== stay);
}

function leastOff(offers: readonly Offer[]): Offer | undefined {
  let least: Offer | undefined;
  for (const offer of offers) if (least === undefined || offOf(offer) < offOf(least)) least = offer;
  return least;
}

function offOf({ parts }: Offer): number {
  const { arrivalDeviation, departureDeviation } = parts[0]!;
  return Math.abs(arrivalDeviation ?? 0) + Math.abs(departureDeviation ?? 0);
}
