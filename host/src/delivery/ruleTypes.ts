/** The types of notification rules: the facts that checks, the published document and the evaluation read. */

export interface RuleType {
  /** The events that trigger the rule, in words, for the document. */
  readonly text: string;
  /** Types of events that the rule matches; `[]` for a rule that looks at the clock. */
  readonly events: readonly string[];
  /** Whether `minutes` is required. */
  readonly hasMinutes: boolean;
  /** Whether the rule may be limited to geozones. */
  readonly hasZones: boolean;
}

export const RULE_TYPE_NAMES = [
  'zone_enter',
  'zone_exit',
  'dwell',
  'trip_late',
  'trip_overdue',
  'unit_silent',
  'speeding',
] as const;
export type RuleTypeName = (typeof RULE_TYPE_NAMES)[number];

export const RULE_TYPES: Readonly<Record<RuleTypeName, RuleType>> = {
  zone_enter: { text: 'A unit enters a geozone', events: ['enter'], hasMinutes: false, hasZones: true },
  zone_exit: { text: 'A unit leaves a geozone', events: ['exit'], hasMinutes: false, hasZones: true },
  dwell: {
    text: 'A unit is in a geozone for `minutes`',
    events: [],
    hasMinutes: true,
    hasZones: true,
  },
  trip_late: {
    text: 'A unit arrives or departs late on a trip, or is expected to',
    events: ['arrival_late', 'departure_late', 'late_expected'],
    hasMinutes: false,
    hasZones: false,
  },
  trip_overdue: {
    text: 'A unit has not arrived at a point of a trip in time',
    events: ['arrival_overdue'],
    hasMinutes: false,
    hasZones: false,
  },
  unit_silent: {
    text: 'A unit that has sent fixes sends none for `minutes`',
    events: [],
    hasMinutes: true,
    hasZones: false,
  },
  speeding: { text: 'A unit exceeds its limit', events: ['speeding'], hasMinutes: false, hasZones: true },
};
