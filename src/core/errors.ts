/** Coded errors for inputs that cannot be used. */

import type { ErrorCode, FieldReason } from './errorCode.js';

/** One field error in the wire's form, with the library's stable reason. */
export interface FieldError {
  /** The platform's code of a field error. */
  readonly code: 4221;
  /** The path of the field (`geometry[3][1]`). */
  readonly field: string;
  /** Message with the expected and the received value. */
  readonly message: string;
  /** Stable kebab-case code, listed in `docs/errors.md`. */
  readonly reason: FieldReason;
  /** For `ring-self-intersects`: the two segments that meet. Segment i goes from vertex i of the list to the next. */
  readonly segments?: readonly [number, number];
}

/** The platform's error body, the result of `JSON.stringify` for a `WayzoneError`. */
export type WireError =
  | {
      /** 4220 with a list of field errors, or the code of a single error. */
      readonly code: 4220;
      /** Message with the expected and the received value. */
      readonly message: string;
      /** Every field error. */
      readonly errors: readonly FieldError[];
    }
  | { readonly code: number; readonly message: string; readonly field: string };

/** Further properties of an error. */
export interface WayzoneErrorDetails {
  /** All field errors. Default: one, with the code and field of the error. */
  readonly errors?: readonly FieldError[] | undefined;
  /** The HTTP status. Default 422. */
  readonly status?: number | undefined;
  /** The platform's code of a single error without a list (4000, 422, 401). */
  readonly wireCode?: number | undefined;
  /** The error that caused it. */
  readonly cause?: unknown;
}

/**
 * An error in the arguments of a caller.
 *
 * `code` is a stable kebab-case string, `field` the path of the wrong value (`geometry[3][1]`),
 * `errors` the list of all field errors, `status` the HTTP status.
 *
 * `JSON.stringify` gives the platform's body, so the answer is `res.status(error.statusCode).json(error)` in Express and
 * `reply.code(error.statusCode).send(error.toJSON())` in Fastify. Fastify does this itself for a thrown error if the route's response
 * schema of that status is `WireErrorSchema`. Without such a schema it writes another body, so set an error handler.
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
  /** Stable kebab-case code. */
  readonly code: ErrorCode;
  /** Path of the wrong value. */
  readonly field: string;
  /** Every field error. */
  readonly errors: readonly FieldError[];
  /** The HTTP status of the answer. */
  readonly status: number;
  /** Equal to `status`, under the name that Fastify and Express read. */
  readonly statusCode: number;
  /** The platform's code of a single error. Null if `toJSON` lists `errors` under code 4220. */
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
    // No private fields: frameworks call this on objects that only inherit from the error.
    if (this.wireCode !== null) return { code: this.wireCode, message: this.message, field: this.field };
    return { code: 4220, message: this.message, errors: this.errors };
  }
}

/** The message of an input error: "expected …, received …". */
export function expected(what: string, received: unknown): string {
  return `expected ${what}, received ${describe(received)}`;
}

/** A short text for any value. It never throws and never calls methods of the value. */
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

/** A `WayzoneError` with the message "expected `what`, received …". */
export function inputError(code: ErrorCode, field: string, what: string, received: unknown): WayzoneError {
  return new WayzoneError(code, field, expected(what, received));
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Like `Array.isArray`, but returns false for a revoked proxy, where that throws a TypeError. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Kinds of records that have ids. */
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

/** Answer for geozones, their groups and types: that of a delete of an unknown geozone. */
const GEOZONE_ID = { wireCode: 4000, status: 400 } as const;
/** Answer for all other kinds: that of an unknown route or trip, with the text "parameter not found". */
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
 * The platform's error for an unknown id: 4000 (HTTP 400) for a geozone, its groups and custom types, 422 for all others.
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
 * The error of a request that is refused before its content is read, in the platform's form: 401 (unknown caller), 403 (forbidden), 404
 * (unknown address; for an unknown id see `notFound`).
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
