/** Roles of users, and the least role of each operation. */

/** The ordered roles, lowest first. */
export const RANKED_ROLES = [
  'NO_ACCESS',
  'OBSERVER',
  'READER',
  'OPERATOR',
  'EDITOR',
  'ADMIN',
  'SUPERVISOR',
] as const;

/** A role that an operation may require as its minimum. */
export type MinRole = (typeof RANKED_ROLES)[number];

/** The roles beside the order. A setting gives each the rank of an ordered role. */
type SideRole = 'TARIFF_EDITOR' | 'CONTROLLER';

export type Role = MinRole | SideRole;

/** The rank of each role beside the order. */
export type SideRanks = Readonly<Record<SideRole, MinRole>>;

export const ROLES: readonly Role[] = [...RANKED_ROLES, 'TARIFF_EDITOR', 'CONTROLLER'];

export function isRole(value: unknown): value is Role {
  return ROLES.includes(value as Role);
}

/** The ordered role whose rank a role has. */
export function rankOf(role: Role, sides: SideRanks): MinRole {
  return role === 'TARIFF_EDITOR' || role === 'CONTROLLER' ? sides[role] : role;
}

/** Whether `role` has at least the rank of `minimum`. */
export function satisfies(role: Role, minimum: MinRole, sides: SideRanks): boolean {
  return RANKED_ROLES.indexOf(rankOf(role, sides)) >= RANKED_ROLES.indexOf(minimum);
}

interface OperationRole {
  readonly role: MinRole;
  /** `METHOD path` of the document's row. */
  readonly of?: string;
}

export const OPERATION_ROLES: Readonly<Record<string, OperationRole>> = {
  'GET /geozones': { role: 'READER', of: 'GET /geozones?ids=' },
  'POST /geozones': { role: 'EDITOR', of: 'POST /geozones' },
  'PUT /geozones/:id': { role: 'EDITOR', of: 'PUT geozone by id' },
  'DELETE /geozones/:id': { role: 'EDITOR', of: 'DELETE geozone by id' },
  'DELETE /admin/geozones/:id': {
    role: 'SUPERVISOR',
    of: 'DELETE geozone by id in all companies (admin panel)',
  },
  'GET /geozones/map': { role: 'READER', of: 'GET geozones as map features' },
  'POST /geozones/filter': { role: 'READER', of: 'POST geozones filter' },
  'POST /geozones/line_to_polygon': { role: 'EDITOR', of: 'POST line to polygon' },
  'POST /geozones/export_kml': { role: 'READER', of: 'POST export as KML' },
  'POST /geozones/import': { role: 'EDITOR' },
  'POST /geozones/suggest': { role: 'READER' },
  'GET /geozones/:id/hours': { role: 'READER' },
  'GET /geozones/:id/visits': { role: 'READER' },
  'GET /positions/:position/geozones': { role: 'READER' },
  'POST /geozonesgroup': { role: 'EDITOR', of: 'POST create geozone group' },
  'PUT /geozonesgroup/:id': { role: 'EDITOR', of: 'PUT /api_v1/geozonesgroup/{id}' },
  'DELETE /geozonesgroup/:id': { role: 'EDITOR' },
  'POST /geozonesgroup/filter': { role: 'READER', of: 'POST list geozone groups' },
  'GET /custom_geozone_types': { role: 'READER' },
  'POST /custom_geozone_types': { role: 'EDITOR' },
  'PUT /custom_geozone_types/:id': { role: 'EDITOR' },
  'DELETE /custom_geozone_types/:id': { role: 'EDITOR' },
  'POST /upload_photos/geozones': { role: 'EDITOR' },
  'GET /photos/:id/:size': { role: 'READER' },
  'GET /tiles': { role: 'READER' },
  'GET /tiles/:z/:x/:y': { role: 'READER' },
  'GET /routes': { role: 'READER', of: 'GET /routes?ids=' },
  'POST /routes': { role: 'EDITOR', of: 'POST /routes' },
  'PUT /routes/:id': { role: 'EDITOR', of: 'PUT route by id' },
  'DELETE /routes/:id': { role: 'EDITOR', of: 'DELETE route by id' },
  'POST /routes/filter': { role: 'READER', of: 'POST routes filter' },
  'POST /routes/:id/match': { role: 'READER' },
  'GET /trips': { role: 'READER', of: 'GET /trips?ids=' },
  'POST /trips': { role: 'EDITOR', of: 'POST /trips' },
  'PUT /trips/:id': { role: 'EDITOR', of: 'PUT trip by id' },
  'DELETE /trips/:id': { role: 'EDITOR', of: 'DELETE trip by id' },
  'POST /trips/filter': { role: 'READER', of: 'POST trips filter' },
  'GET /trips/:id/report': { role: 'READER' },
  'POST /trips/:id/excuse': { role: 'EDITOR' },
  'POST /trips/:id/cancel': { role: 'EDITOR' },
  'POST /trips/:id/amend': { role: 'EDITOR' },
  'POST /trips/:id/hand_over': { role: 'EDITOR' },
  'POST /tracks/ledger': { role: 'READER' },
  'POST /tracks/speeding': { role: 'READER' },
  'GET /work_types': { role: 'READER', of: 'GET /work_types' },
  'GET /routing/:points': { role: 'READER', of: 'GET /routing/{points}' },
  'GET /dictionaries': { role: 'READER' },
  'GET /dictionaries/:type': { role: 'READER' },
  'GET /properties': { role: 'READER' },
  'GET /properties/:type': { role: 'READER' },
  'GET /roles': { role: 'READER' },
  'GET /actions': { role: 'READER' },
  'GET /custom_fields': { role: 'READER' },
  'GET /me': { role: 'OBSERVER', of: 'GET /api_v1/me' },
  'PUT /me': { role: 'EDITOR', of: 'PUT /api_v1/me' },
  'GET /me/access': { role: 'OBSERVER' },
  // The document states no role: whoever is signed in has settings of his own, and may switch.
  'GET /me/settings': { role: 'NO_ACCESS' },
  'POST /me/settings': { role: 'NO_ACCESS' },
  'GET /switchcompany/:id': { role: 'NO_ACCESS' },
  'GET /company/:id/roles': { role: 'ADMIN', of: 'GET /api_v1/company/{id}/roles' },
  'GET /company/:id/properties': { role: 'ADMIN', of: 'GET /api_v1/company/{id}/properties' },
  'PUT /company/:id/properties': { role: 'ADMIN', of: 'PUT /api_v1/company/{id}/properties' },
  'PUT /company/:id/properties/copy': { role: 'ADMIN', of: 'PUT /api_v1/company/{id}/properties/copy' },
  'POST /company/history': { role: 'ADMIN', of: 'POST change history' },
  'POST /company/:id/history': { role: 'SUPERVISOR', of: 'POST change history from admin panel' },
  'POST /users/:id/create_token': { role: 'ADMIN', of: 'POST /users/{id}/create_token' },
  'GET /keys': { role: 'ADMIN' },
  'POST /keys/:id/rotate': { role: 'ADMIN' },
  'DELETE /keys/:id': { role: 'ADMIN' },
  'GET /units': { role: 'READER', of: 'GET /units?ids=a,b' },
  // Stated below the table: "at EDITOR and above".
  'POST /units': { role: 'EDITOR' },
  'PUT /units/:id': { role: 'EDITOR' },
  'DELETE /units/:id': { role: 'EDITOR' },
  'GET /units/:id/track': { role: 'READER' },
  'GET /units/:id/visits': { role: 'READER' },
  'GET /units/:id/movement': { role: 'READER' },
  'POST /positions': { role: 'OPERATOR' },
  'POST /tickets': { role: 'READER' },
  'GET /events': { role: 'READER' },
  'GET /event_sinks': { role: 'ADMIN' },
  'POST /event_sinks': { role: 'ADMIN' },
  'PUT /event_sinks/:id': { role: 'ADMIN' },
  'DELETE /event_sinks/:id': { role: 'ADMIN' },
  'POST /event_sinks/:id/replay': { role: 'ADMIN' },
  'GET /event_sinks/:id/dead_letters': { role: 'ADMIN' },
  'POST /event_sinks/:id/dead_letters/retry': { role: 'ADMIN' },
  'GET /notification_rules': { role: 'ADMIN' },
  'POST /notification_rules': { role: 'ADMIN' },
  'PUT /notification_rules/:id': { role: 'ADMIN' },
  'DELETE /notification_rules/:id': { role: 'ADMIN' },
  'GET /fleet/day': { role: 'READER' },
  'GET /locators': { role: 'READER' },
  'POST /locators': { role: 'EDITOR' },
  'DELETE /locators/:id': { role: 'EDITOR' },
  'GET /locator/:id': { role: 'READER' },
};
