/** Requests to the host with the caller's token. */

import type { FieldError } from 'wayzone';

const PREFIX = '/api_v1';

/** A refusal of the host. Status 0: the host did not answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[];

  constructor(status: number, message: string, errors: readonly FieldError[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

export interface Answer<Body> {
  readonly body: Body;
  /** The entity tag; null if the answer has none. */
  readonly tag: string | null;
}

export interface Api {
  readonly token: string;
  get<Body>(path: string, signal?: AbortSignal): Promise<Answer<Body>>;
  send<Body>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<Body>>;
  /** The answer before its body is read. */
  open(path: string, signal?: AbortSignal): Promise<Response>;
}

/** The header of a token, or of an API key, which has no dots. */
export function credential(token: string): [name: string, value: string] {
  return token.includes('.') ? ['authorization', `Bearer ${token}`] : ['user_company_api_key', token];
}

/** `signedOut` is called when the host no longer accepts the token. */
export function createApi(token: string, language: string, signedOut: () => void): Api {
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set(...credential(token));
    headers.set('accept-language', language);
    let response: Response;
    try {
      response = await fetch(PREFIX + path, { ...init, headers });
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw error;
      throw new ApiError(0, '', []);
    }
    if (response.ok) return response;
    if (response.status === 401) signedOut();
    const { message = response.statusText, errors = [] } = (await response.json().catch(() => ({}))) as {
      readonly message?: string;
      readonly errors?: readonly FieldError[];
    };
    throw new ApiError(response.status, message, errors);
  };
  const answerOf = async <Body>(response: Response): Promise<Answer<Body>> => ({
    body: (await response.json()) as Body,
    tag: response.headers.get('etag'),
  });
  return {
    token,
    open: (path, signal) => request(path, signal === undefined ? {} : { signal }),
    get: async (path, signal) => answerOf(await request(path, signal === undefined ? {} : { signal })),
    async send(method, path, body, headers = {}) {
      const isForm = body instanceof FormData;
      const init: RequestInit = { method, headers: { ...headers } };
      if (isForm) init.body = body;
      else if (body !== undefined) {
        init.body = JSON.stringify(body);
        init.headers = { ...headers, 'content-type': 'application/json' };
      }
      return answerOf(await request(path, init));
    },
  };
}
