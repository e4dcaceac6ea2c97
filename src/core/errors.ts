/** Coded errors: the one way in which wayzone says that an input cannot be used. */

import type { ErrorCode, FieldReason } from './errorCode.js';

/** One field error in the wire's form, with the library's stable reason. */
export interface FieldError {
  /** The platform's code of a field error. */
  readonly code: 4221;
  /** The path of the field (`geometry[3][1]`). */
  readonly field: string;
  /** What was expected and what was received. */
  readonly message: string;
  /** A stable kebab-case word: `docs/errors.md` lists them. */
  readonly reason: FieldReason;
  /** Of `ring-self-intersects`: the two segments that meet; segment i goes from vertex i of the list to the next. */
  readonly segments?: readonly [number, number];
}

/** What `JSON.stringify` makes of a `WayzoneError`: the platform's error body. */
export type WireError =
  | {
      /** 4220 with a list of field errors, or the code of a single error. */
      readonly code: 4220;
      /** What was expected and what was received. */
      readonly message: string;
      /** Every field error. */
      readonly errors: readonly FieldError[];
    }
  | { readonly code: number; readonly message: string; readonly field: string };

/** What an error may say beside its code, field and message. */
export interface WayzoneErrorDetails {
  /** Every field error. Default: one, of the error itself. */
  readonly errors?: readonly FieldError[];
  /** The HTTP status. Default 422. */
  readonly status?: number;
  /** The platform's code of a single error without a list (4000, 422, 401). */
  readonly wireCode?: number;
  /** What led to it. */
  readonly cause?: unknown;
}

/**
 * A caller's mistake.
 *
 * `code` is a stable kebab-case string, `field` the path of what is wrong (`geometry[3][1]`),
 * `errors` every field error (one of them, if there is but one), `status` the HTTP status.
 *
 * `JSON.stringify` gives the platform's body, so `res.status(error.statusCode).json(error)` is the whole answer in Express, as
 * `reply.code(error.statusCode).send(error.toJSON())` is in Fastify. Fastify answers a thrown error so by itself where the route's
 * response schema of that status is `WireErrorSchema`; without one it writes its own body, so set an error handler.
 *
 * @example
 * ```ts
 * import { WayzoneError } from 'wayzone';
 * new WayzoneError('lat-range', 'geometry[3][1]', 'expected a latitude, received 91').errors[0].reason; // 'lat-range'
 * ```
 */
export class WayzoneError extends Error {
  /** Always `WayzoneError`. */
  override readonly name: string = 'WayzoneError';
  /** A stable kebab-case word. */
  readonly code: ErrorCode;
  /** The path of what is wrong. */
  readonly field: string;
  /** Every field error. */
  readonly errors: readonly FieldError[];
  /** The HTTP status of an answer with it. */
  readonly status: number;
  /** `status` by the name that Fastify and Express look for. */
  readonly statusCode: number;
  /** The platform's code of a single error; null: `toJSON` lists `errors` under 4220. */
  readonly wireCode: number | null;

  constructor(code: ErrorCode, field: string, message: string, details: WayzoneErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.field = field;
    this.errors = details.errors ?? [{ code: 4221, field, message, reason: code }];
    this.status = details.status ?? 422;
    this.statusCode = this.status;
    this.wireCode = details.wireCode ?? null;
  }

  /** The wire's shape: `{code: 4220, message, errors}` for input, `{code, message, field}` for an unknown id. */
  toJSON(): WireError {
    // No private field: frameworks call this on objects that only inherit from the error.
    if (this.wireCode !== null) return { code: this.wireCode, message: this.message, field: this.field };
    return { code: 4220, message: this.message, errors: this.errors };
  }
}

/** "expected …, received …": the message of every input error says both. */
export function expected(what: string, received: unknown): string {
  return `expected ${what}, received ${describe(received)}`;
}

/** A short, safe text for any value; it never throws and never calls into the value. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > 60
        ? `${JSON.stringify(value.slice(0, 57))}… (${value.length} characters)`
        : JSON.stringify(value);
    case 'number':
      return Object.is(value, -0) ? '0' : String(value);
    case 'bigint':
      return 'a BigInt';
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'symbol':
      return 'a symbol';
    case 'function':
      return 'a function';
    default:
      return value === null ? 'null' : isArray(value) ? 'an array' : 'an object';
  }
}

/** `Array.isArray`, but false for a revoked proxy instead of a TypeError. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** What an id may be of. */
export type NotFoundKind =
  | 'geozone'
  | 'geozone_group'
  | 'custom_geozone_type'
  | 'route'
  | 'trip'
  | 'unit'
  | 'trailer'
  | 'user'
  | 'company';

/** Geozones and what belongs to them: as the platform answers the delete of an unknown geozone. */
const GEOZONE_ID = { wireCode: 4000, status: 400 } as const;
/** All others: as the platform answers an unknown route or trip, whose text is "parameter not found". */
const PARAMETER = { wireCode: 422, status: 422 } as const;

const NOT_FOUND: Readonly<
  Record<NotFoundKind, readonly [code: ErrorCode, form: typeof GEOZONE_ID | typeof PARAMETER]>
> = {
  geozone: ['geozone-not-found', GEOZONE_ID],
  geozone_group: ['geozone-group-not-found', GEOZONE_ID],
  custom_geozone_type: ['custom-geozone-type-not-found', GEOZONE_ID],
  route: ['route-not-found', PARAMETER],
  trip: ['trip-not-found', PARAMETER],
  unit: ['unit-not-found', PARAMETER],
  trailer: ['trailer-not-found', PARAMETER],
  user: ['user-not-found', PARAMETER],
  company: ['company-not-found', PARAMETER],
};

/**
 * The platform's error for an id that is not there: 4000 (HTTP 400) for a geozone, its groups and custom types, 422 for all others.
 *
 * `field` is the path of the id in the request. The error's `code` is `geozone-not-found`, `geozone-group-not-found` and so on.
 *
 * Errors: `option-value` (field `kind`) is thrown for another kind.
 *
 * @example
 * ```ts
 * import { notFound } from 'wayzone';
 * notFound('geozone', 'a').toJSON(); // { code: 4000, message: 'geozone "a" not found', field: 'id' }
 * notFound('unit', 'u', 'unit.id').toJSON(); // { code: 422, message: 'parameter not found: unit "u"', field: 'unit.id' }
 * ```
 */
export function notFound(kind: NotFoundKind, id: string, field: string = 'id'): WayzoneError {
  if (!Object.hasOwn(NOT_FOUND, kind)) {
    const kinds = Object.keys(NOT_FOUND).join(', ');
    throw new WayzoneError('option-value', 'kind', expected(`one of ${kinds}`, kind));
  }
  const [code, form] = NOT_FOUND[kind];
  const name = kind.replaceAll('_', ' ');
  const message =
    form === PARAMETER ? `parameter not found: ${name} ${describe(id)}` : `${name} ${describe(id)} not found`;
  return new WayzoneError(code, field, message, form);
}

const REQUEST_ERRORS = {
  401: ['unauthorized', 'expected a valid access token, received none'],
  403: ['forbidden', 'expected a right to this, received a request without it'],
  404: ['not-found', 'expected a known address, received another'],
} as const;

/**
 * The error of a request that is refused before its content counts, in the platform's single form: 401 (who asks is not known), 403
 * (may not), 404 (no such address; for an unknown id see `notFound`).
 *
 * Errors: `option-value` (field `status`) is thrown for another status.
 *
 * @example
 * ```ts
 * import { requestError } from 'wayzone';
 * requestError(403, 'company is not yours', 'company_id').toJSON(); // { code: 403, message: 'company is not yours', field: 'company_id' }
 * ```
 */
export function requestError(status: 401 | 403 | 404, message?: string, field: string = ''): WayzoneError {
  if (!Object.hasOwn(REQUEST_ERRORS, status)) {
    throw new WayzoneError('option-value', 'status', expected('401, 403 or 404', status));
  }
  const [code, text] = REQUEST_ERRORS[status];
  return new WayzoneError(code, field, message ?? text, { status, wireCode: status });
}
