/** The caller: role, companies, and what the role lets him edit. */

import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import { companiesOf, switchCompany } from '../auth/inSwitchedCompany.js';
import { OPERATION_ROLES, RANKED_ROLES, ROLES, type Role, satisfies } from '../auth/roles.js';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { TEXT, WITH_ID } from '../schemaParts.js';
import { changeUser, readUserFields, storedUser, USER_FIELDS } from './userFields.js';

const TAG = 'access';
const TEXTS = { type: 'array', items: TEXT };
export const ROLE: object = {
  type: 'object',
  required: ['key', 'value'],
  properties: { key: TEXT, value: TEXT },
};
const ACTION = { type: 'object', required: ['id', 'key'], properties: { id: TEXT, key: TEXT } };
const COMPANY = {
  type: 'object',
  required: ['id', 'name', 'timezone'],
  properties: { id: TEXT, name: TEXT, timezone: TEXT },
};
const EDIT_CLASSES = {
  type: 'array',
  items: { type: 'object', required: ['type', 'fields'], properties: { type: TEXT, fields: TEXTS } },
};
const EDIT_OBJECTS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'id', 'fields'],
    properties: { type: TEXT, id: TEXT, fields: TEXTS },
  },
};

/** The fields that a caller may set, by class, with the operation that sets them. */
const CLASSES: readonly (readonly [type: string, operation: string, fields: readonly string[]])[] = [
  [
    'geozones',
    'PUT /geozones/:id',
    ['name', 'type', 'geometry', 'parts', 'width', 'color', 'icon', 'is_show_on_map', 'companies'],
  ],
  ['routes', 'PUT /routes/:id', ['name', 'points']],
  [
    'trips',
    'PUT /trips/:id',
    [
      'name',
      'unit',
      'trailer',
      'user_id',
      'activation_type',
      'passage_order_type',
      'dates',
      'work_types',
      'points',
    ],
  ],
  [
    'units',
    'PUT /units/:id',
    [
      'name',
      'type',
      'terminal_type',
      'imei',
      'phonenumber',
      'phonenumber2',
      'icon',
      'custom_fields',
      'drivers',
      'trailers',
      'services',
      'sensors',
    ],
  ],
];

export function namedRole(role: Role): object {
  return { key: role, value: role };
}

export function accessResource(app: FastifyInstance, { storage, settings, now }: Context): void {
  const actionsOf = (role: Role): string[] =>
    Object.entries(OPERATION_ROLES).flatMap(([operation, { role: minimum }]) =>
      satisfies(role, minimum, settings.sideRanks) ? [operation] : [],
    );
  const classesOf = (role: Role): object[] =>
    CLASSES.flatMap(([type, operation, fields]) =>
      actionsOf(role).includes(operation) ? [{ type, fields }] : [],
    );
  const actionOf = (key: string): object => ({ id: key, key });

  const me = {
    url: '/me',
    tags: [TAG],
    // The limit of the platform's document.
    perMinute: 60,
    countsUsers: true,
    answer: {
      type: 'object',
      required: ['id', 'role', 'actions', 'companies', 'active_company'],
      properties: {
        ...USER_FIELDS,
        id: TEXT,
        name: TEXT,
        email: TEXT,
        role: ROLE,
        actions: { type: 'array', items: ACTION },
        companies: { type: 'array', items: COMPANY },
        active_company: { anyOf: [COMPANY, { type: 'null' }] },
        edit_classes_fields: EDIT_CLASSES,
        edit_objects_fields: EDIT_OBJECTS,
      },
    },
  } as const;
  const meOf = async (access: Access): Promise<object> => {
    const { userId: id, name, email, role, companyId } = access;
    const rows = await storage.db
      .selectFrom('companies')
      .select(['id', 'name', 'time_zone as timezone'])
      .where('id', 'in', companiesOf(access))
      .orderBy('name')
      .orderBy('id')
      .execute();
    return {
      name,
      email,
      ...(await storedUser(storage, access)),
      id,
      role: namedRole(role),
      actions: actionsOf(role).map(actionOf),
      companies: rows,
      active_company: rows.find((row) => row.id === companyId) ?? null,
      edit_classes_fields: classesOf(role),
      edit_objects_fields: [],
    };
  };
  declare(app, {
    ...me,
    method: 'GET',
    summary: 'The caller, with what the role may edit',
    handler: ({ access }) => meOf(access),
  });
  declare(app, {
    ...me,
    method: 'PUT',
    summary: 'Sets fields of the caller; absent ones are kept',
    description:
      'The role is that of the token, and the host has no passwords: another role and a password are refused. Fields that the host computes are ignored.',
    body: { type: 'object', properties: { ...USER_FIELDS, role: ROLE } },
    async handler({ access, body }) {
      await changeUser(storage, access, readUserFields(access, body));
      return meOf(access);
    },
  });
  declare(app, {
    method: 'GET',
    url: '/switchcompany/:id',
    summary: 'Makes another company of the caller the active one, for this token or key',
    tags: [TAG],
    params: WITH_ID,
    answer: WITH_ID,
    async handler(request) {
      const { access, params } = request;
      const { id } = params;
      const known = companiesOf(access).includes(id)
        ? await storage.db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
        : undefined;
      if (known === undefined)
        throw new WayzoneError(
          'company-foreign',
          'id',
          `expected one of the caller’s companies, received ${JSON.stringify(id).slice(0, 60)}`,
          { status: 422, wireCode: 4022 },
        );
      await switchCompany(storage, request, access, id, now());
      return { id };
    },
  });
  declare(app, {
    method: 'GET',
    url: '/me/access',
    summary: 'What the caller may edit, by class and by object, and the keys of the allowed actions',
    tags: [TAG],
    answer: {
      type: 'object',
      required: ['edit_classes_fields', 'edit_objects_fields', 'actions'],
      properties: { edit_classes_fields: EDIT_CLASSES, edit_objects_fields: EDIT_OBJECTS, actions: TEXTS },
    },
    // No object of the host has exclusive access.
    handler: ({ access: { role } }) => ({
      edit_classes_fields: classesOf(role),
      edit_objects_fields: [],
      actions: actionsOf(role),
    }),
  });
  declare(app, {
    method: 'GET',
    url: '/roles',
    summary: 'Every role',
    tags: [TAG],
    answer: { type: 'array', items: ROLE },
    handler: () => ROLES.map(namedRole),
  });
  declare(app, {
    method: 'GET',
    url: '/actions',
    summary: 'Every action: the operations of the host',
    tags: [TAG],
    answer: { type: 'array', items: ACTION },
    handler: () => actionsOf(RANKED_ROLES.at(-1)!).map(actionOf),
  });
}
