/** The words of the report's page. */

import { RUSSIAN_REPORT } from './reportWordsRussian.js';

export interface ReportWords {
  /** The tag of the language that these words are in. */
  readonly language: string;
  readonly title: string;
  readonly map: string;
  readonly tables: string;
  readonly labels: string;
  readonly colourBySpeed: string;
  readonly home: string;
  readonly footer: string;
  readonly leaflet: string;

  readonly visits: string;
  readonly zones: string;
  readonly units: string;
  readonly tracks: string;
  readonly trips: string;
  readonly timeline: string;
  readonly filesAndIssues: string;

  readonly visited: string;
  readonly fixes: string;
  readonly fixesUsed: string;
  readonly leftOut: string;
  readonly kmDriven: string;
  readonly plannedTrips: string;
  readonly errors: string;
  readonly warnings: string;
  readonly noFixes: string;

  readonly unit: string;
  readonly zone: string;
  readonly trip: string;
  readonly enter: string;
  readonly exit: string;
  readonly open: string;
  readonly duration: string;
  readonly seen: string;
  readonly end: string;
  readonly type: string;
  readonly width: string;
  readonly area: string;
  readonly perimeter: string;
  readonly length: string;
  readonly meters: string;
  readonly squareMeters: string;
  readonly km: string;
  readonly kph: string;
  readonly upTo: string;
  readonly above: string;
  readonly trackBegins: string;
  readonly pieces: string;
  readonly atMostKph: string;

  readonly filter: string;
  readonly filterOf: string;
  readonly allOf: string;
  readonly countOf: string;
  readonly more: string;
  readonly showMore: string;
  readonly showEarlier: string;
  readonly show: string;
  readonly showAll: string;
  readonly hideAll: string;
  readonly noVisits: string;
  readonly noZones: string;
  readonly noUnits: string;
  readonly noTrips: string;
  readonly noMovements: string;
  readonly noFiles: string;
  readonly none: string;

  readonly files: string;
  readonly file: string;
  readonly role: string;
  readonly fixesLeftOut: string;
  readonly issues: string;
  readonly issue: string;
  readonly severity: string;
  readonly where: string;
  readonly message: string;

  readonly movements: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly maxKph: string;
  readonly wholePeriod: string;
  readonly dayIn: string;
  readonly timesIn: string;
  readonly timelineOf: string;
  readonly keyVisit: string;

  readonly chosenTrip: string;
  readonly showOnMap: string;
  readonly date: string;
  readonly status: string;
  readonly passed: string;
  readonly onTime: string;
  readonly violations: string;
  readonly point: string;
  readonly pointNumber: string;
  readonly pointsPassed: string;
  readonly arrival: string;
  readonly departure: string;
  readonly planned: string;
  readonly notSeen: string;
  readonly overdueBy: string;
  readonly expectedAt: string;
  readonly uncertain: string;
  readonly withoutData: string;
  readonly activated: string;
  readonly finished: string;
  readonly inSeconds: string;
  readonly inMinutes: string;
  readonly inHours: string;
  readonly graphOf: string;
  readonly keyWay: string;
  readonly keyWindow: string;
  readonly keyStay: string;
  readonly keyBounds: string;
  readonly keyExpected: string;
  readonly keyEvent: string;

  /** Statuses, kinds and types that results have; others are shown as they are. */
  readonly statuses: Readonly<Record<string, string>>;
}

const ENGLISH: ReportWords = {
  language: 'en',
  title: 'Visits, trips and movement',
  map: 'Map',
  tables: 'Tables',
  labels: 'Labels',
  colourBySpeed: 'Colour by speed',
  home: 'Whole map',
  footer:
    "Times are in {zone}. A visit's times are where the straight way between two fixes crosses the zone's boundary. " +
    'Drawn lines are thinned: a track by at most {track} m, a zone by at most {outline} m; gaps longer than {gap} s are not drawn. ' +
    'The tables and the other files of the report are exact; times in those files are UTC.',
  leaflet: 'Map: Leaflet (BSD-2-Clause), without tiles.',

  visits: 'Visits',
  zones: 'Zones',
  units: 'Units',
  tracks: 'Tracks',
  trips: 'Trips',
  timeline: 'Timeline',
  filesAndIssues: 'Files and issues',

  visited: 'Zones visited',
  fixes: 'Fixes',
  fixesUsed: 'Fixes used',
  leftOut: 'Left out',
  kmDriven: 'km driven',
  plannedTrips: 'Planned trips',
  errors: 'Errors',
  warnings: 'Warnings',
  noFixes: 'No fixes.',

  unit: 'Unit',
  zone: 'Zone',
  trip: 'Trip',
  enter: 'Enter',
  exit: 'Exit',
  open: 'still there',
  duration: 'Duration',
  seen: 'Seen',
  end: 'End',
  type: 'Type',
  width: 'Width',
  area: 'Area',
  perimeter: 'Perimeter',
  length: 'Length',
  meters: 'm',
  squareMeters: 'm²',
  km: 'km',
  kph: 'km/h',
  upTo: 'up to {kph}',
  above: 'above {kph}',
  trackBegins: 'The track begins here',
  pieces: 'Pieces of the track: {count}',
  atMostKph: 'at most {kph} km/h',

  filter: 'Filter…',
  filterOf: 'Filter the {what}',
  allOf: '{what}: all',
  countOf: '{count} of {all}',
  more: 'Show more',
  showMore: 'Show more ({count})',
  showEarlier: 'Show earlier rows ({count})',
  show: 'Show {what}',
  showAll: 'Show all',
  hideAll: 'Hide all',
  noVisits: 'No unit visited a zone.',
  noZones: 'No zone was read.',
  noUnits: 'No unit was read.',
  noTrips: 'No trip was read.',
  noMovements: 'No unit moved or rested for long enough.',
  noFiles: 'Nothing was read.',
  none: 'none',

  files: 'Files',
  file: 'File',
  role: 'As',
  fixesLeftOut: 'Fixes left out',
  issues: 'Issues',
  issue: 'Issue',
  severity: 'Severity',
  where: 'Where',
  message: 'Message',

  movements: 'trips, parkings and stops',
  kind: 'Kind',
  from: 'From',
  to: 'To',
  maxKph: 'Max km/h',
  wholePeriod: 'Whole period',
  dayIn: 'Day ({zone})',
  timesIn: 'times in {zone}',
  timelineOf: '{unit}: {trips} trips, {parkings} parkings, {stops} stops, {visits} visits',
  keyVisit: 'visit, in the colour of its zone',

  chosenTrip: 'The chosen trip',
  showOnMap: 'Show on the map',
  date: 'Date',
  status: 'Status',
  passed: 'Passed',
  onTime: 'On time',
  violations: 'Violations',
  point: 'Point',
  pointNumber: 'Point {number}',
  pointsPassed: '{count} of {all} points passed',
  arrival: 'Arrival',
  departure: 'Departure',
  planned: 'planned',
  notSeen: 'between {from} and {to}, not seen',
  overdueBy: 'overdue {time}',
  expectedAt: 'expected {time}',
  uncertain: 'Uncertain',
  withoutData: 'Without data',
  activated: 'activated',
  finished: 'finished',
  inSeconds: '{seconds} s',
  inMinutes: '{minutes} min',
  inHours: '{hours} h {minutes} min',
  graphOf: 'Distance over time of {trip}; the table below has its figures',
  keyWay: 'distance driven',
  keyWindow: 'planned window',
  keyStay: 'stay',
  keyBounds: 'between these times, not seen',
  keyExpected: 'expected arrival',
  keyEvent: 'activated, finished',

  statuses: {
    strict: 'strict order',
    arbitrary: 'any order',
    assumed: 'start assumed',
  },
};

/** Russian for `ru` and its regions, else English. */
export function reportWords(language: string): ReportWords {
  return /^ru\b/i.test(language) ? RUSSIAN_REPORT : ENGLISH;
}
