/** The words of the report's page. */

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

  /** Words for statuses, kinds and types. Values without a word are shown unchanged. */
  readonly statuses: Readonly<Record<string, string>>;
}
