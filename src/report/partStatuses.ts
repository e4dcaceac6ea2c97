/** Statuses of a part of a route for a unit, in the order of their numbers on the page. */
export const PART_STATUSES = ['covered', 'no_data', 'missed', 'ahead'] as const;
