/** Paths of the entries of dictionaries in the wire's rows: one table, from which validators, lists and answers follow. */

import type { Dictionaries } from './dictionaries.js';

/** Kinds of rows with entries. */
export type EntryKind = 'geozone' | 'route' | 'trip' | 'unit' | 'sensorSettings';

/** The dictionary of each entry by its path; `[]` stands for the items of a list. */
export const ENTRY_FIELDS: Readonly<Record<EntryKind, Readonly<Record<string, keyof Dictionaries>>>> = {
  geozone: { type: 'geozoneTypes', color: 'colors', icon: 'icons' },
  route: { 'points[].type': 'geozoneTypes' },
  trip: {
    'points[].type': 'geozoneTypes',
    activation_type: 'activationTypes',
    passage_order_type: 'passageOrderTypes',
    'changes[].trip.points[].type': 'geozoneTypes',
    'changes[].trip.activation_type': 'activationTypes',
    'changes[].trip.passage_order_type': 'passageOrderTypes',
  },
  unit: {
    type: 'unitTypes',
    terminal_type: 'terminalTypes',
    icon: 'unitIcons',
    'sensors[].type': 'sensorTypes',
    'sensors[].formula': 'formulas',
  },
  sensorSettings: { '[].icon': 'icons' },
};
