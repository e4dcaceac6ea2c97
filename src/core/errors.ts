/** Coded errors: the one way in which wayzone says that an input cannot be used. */

/** One field error in the wire's form, with the library's stable reason. */
export interface FieldError {
  /** The platform's code of a field error. */
  readonly code: 4221;
  /** The path of the field (`geometry[3][1]`). */
  readonly field: string;
  /** What was expected and what was received. */
  readonly message: string;
  /** A stable kebab-case word: see the README's table. */
  readonly reason: string;
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
  /** The platform's code of a single error without a list (4000, 422). */
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
  readonly code: string;
  /** The path of what is wrong. */
  readonly field: string;
  /** Every field error. */
  readonly errors: readonly FieldError[];
  /** The HTTP status of an answer with it. */
  readonly status: number;
  readonly #wireCode: number | undefined;

  constructor(code: string, field: string, message: string, details: WayzoneErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.field = field;
    this.errors = details.errors ?? [{ code: 4221, field, message, reason: code }];
    this.status = details.status ?? 422;
    this.#wireCode = details.wireCode;
  }

  /** The wire's shape: `{code: 4220, message, errors}` for input, `{code, message, field}` for an unknown id. */
  toJSON(): WireError {
    if (this.#wireCode !== undefined) {
      return { code: this.#wireCode, message: this.message, field: this.field };
    }
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

const NOT_FOUND = {
  geozone: { wireCode: 4000, status: 400 },
  route: { wireCode: 422, status: 422 },
  trip: { wireCode: 422, status: 422 },
} as const;

/**
 * The platform's error for an id that is not there: 4000 (HTTP 400) for a geozone, 422 for a route or trip.
 *
 * @example
 * ```ts
 * import { notFound } from 'wayzone';
 * notFound('geozone', 'a').toJSON(); // { code: 4000, message: 'geozone "a" not found', field: 'id' }
 * ```
 */
export function notFound(kind: 'geozone' | 'route' | 'trip', id: string): WayzoneError {
  const { wireCode, status } = NOT_FOUND[kind];
  return new WayzoneError(`${kind}-not-found`, 'id', `${kind} ${describe(id)} not found`, {
    wireCode,
    status,
  });
}
