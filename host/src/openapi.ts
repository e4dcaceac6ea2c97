/** The parts of the published document that no operation declares: title, licence, groups of operations, credentials. */

/** Tags of operations, each with a description. */
const TAGS: Readonly<Record<string, string>> = {
  geozones: 'Areas on the map: read, write, list, import, export, hours',
  'geozone groups': 'Named sets of geozones',
  'custom geozone types': 'A company’s own kinds of geozones, with their pictures',
  routes: 'Sequences of points, and tracks matched to them',
  trips: 'Planned passages of units, and their reports',
  tiles: 'Geozones as vector tiles',
  fleet: 'What all units of a company did in a period',
  tracks: 'Computations on tracks that the request carries',
  routing: 'A way through points',
  dictionaries: 'Closed lists of values in the caller’s language',
  access: 'The caller: role, companies, allowed actions',
  company: 'Properties and roles of a company',
  history: 'Who changed what and when',
  keys: 'API keys of a company',
  units: 'Tracked objects: fields, tracks, visits, movement',
  positions: 'Fixes of units',
  events: 'Live events of a company',
  deliveries: 'Events sent to other systems, and rules that choose them',
  locators: 'The position of a unit, shared for a limited time',
};

export const OPENAPI: object = {
  openapi: '3.1.0',
  info: {
    title: 'Geozones, routes and trips',
    version: '1.5.0',
    summary: 'Geozones, routes and trips of a fleet',
    description:
      'Operations of the fleet platform. Every error has the form `Error`. Times are `yyyy-MM-dd HH:mm:ss` on the company’s clock, or epoch milliseconds where the field says so. `GET` answers have an `ETag`; with `If-None-Match` an unchanged answer is 304.',
    contact: { name: 'wayzone', url: 'https://git.example.org/wayzone/issues' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A signed token' },
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'user_company_api_key',
        description: 'A key of POST /users/{id}/create_token',
      },
      ticket: {
        type: 'apiKey',
        in: 'query',
        name: 'ticket',
        description: 'A ticket of POST /tickets; opens one stream',
      },
    },
  },
};
