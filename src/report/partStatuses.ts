/** What a unit did with a part of a route, in the order of their numbers on the page. */
export const PART_STATUSES = ['covered', 'no_data', 'missed', 'ahead'] as const;
