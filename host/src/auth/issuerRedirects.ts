/**
 * Sign-in by a redirect to an issuer: the authorization code flow of OpenID Connect with PKCE (RFC 7636), state and nonce, by `openid-client`.
 * An encrypted cookie of the browser keeps all between the two redirects, so that each process of the host can end what another began.
 */

import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as oidc from 'openid-client';
import { WayzoneError } from 'wayzone';
import { MINUTE_MS } from '../durations.js';
import type { IssuerSignIn, Settings } from '../settings.js';
import type { Storage } from '../storage/storage.js';
import { signInLink, useOnce } from './signInLinks.js';
import { claimedAccess } from './tokens.js';

/** Where the issuer sends browsers back; below the path of the cookie. */
export const RETURN_PATH = '/map/sign-in/return';
/** Time to sign in at the issuer. */
export const SIGN_IN_MS: number = 10 * MINUTE_MS;
/** Time after which the issuer's description is read again. */
const DESCRIPTION_MS = 60 * MINUTE_MS;

export interface IssuerRedirects {
  /** The address at the issuer, and the content of the cookie. Throws `sign-in-issuer` if the issuer does not answer. */
  begin(): Promise<{ readonly location: string; readonly cookie: string }>;
  /**
   * The address that signs in at the page, once, within a minute. `query`: with its question mark. Throws `sign-in-state`,
   * `sign-in-refused`, `sign-in-code`, `sign-in-answer`, `sign-in-issuer`, `sign-in-company` or `sign-in-role`.
   */
  end(query: string, cookie: string): Promise<string>;
  /** Where a browser signs out at the issuer; the page if the issuer offers nothing. */
  leave(): Promise<string>;
}

/** `isKnown`: whether a company exists. */
export function issuerRedirects(
  storage: Storage,
  secret: Uint8Array,
  settings: Pick<Settings, 'issuer' | 'audience' | 'sideRanks'> & { readonly signIn: IssuerSignIn },
  now: () => number,
  isKnown: (companyId: string) => Promise<boolean>,
): IssuerRedirects {
  const { signIn } = settings;
  const { issuer, origin } = signIn;
  const redirectUri = `${origin}${RETURN_PATH}`;
  const cookies = cookieCodec(secret, now);
  const client = clientOf(signIn, now);
  return {
    async begin() {
      const asked = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const location = oidc.buildAuthorizationUrl(await client(), {
        redirect_uri: redirectUri,
        scope: signIn.scope,
        state: asked.state,
        nonce: asked.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(asked.verifier),
        code_challenge_method: 'S256',
      });
      return { location: location.href, cookie: await cookies.write(asked) };
    },
    async end(query, cookie) {
      const asked = await cookies.read(cookie);
      if (asked === null)
        throw wrong('sign-in-state', 'state', 'the cookie of a sign-in', 'none, or one that has expired');
      const { state, nonce, verifier } = asked;
      if (new URLSearchParams(query).get('state') !== state)
        throw wrong('sign-in-state', 'state', 'the state of this browser’s sign-in', 'another');
      if (!(await useOnce(storage, state, now() + SIGN_IN_MS, now())))
        throw wrong('sign-in-state', 'state', 'the first return of a sign-in', 'another');
      const found = await client();
      const answer = await oidc
        .authorizationCodeGrant(found, new URL(`${redirectUri}${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        })
        .catch((error: unknown) => {
          throw refusalOf(error, issuer);
        });
      const access = claimedAccess(answer.claims()!, signIn, settings.sideRanks);
      if (!(await isKnown(access.companyId)))
        throw wrong('sign-in-company', signIn.companyClaim, 'the id of a company', 'another');
      // The page signs out at the issuer too.
      return `${await signInLink('', secret, settings, access, now(), MINUTE_MS)}&issuer`;
    },
    async leave() {
      const found = await client();
      if (found.serverMetadata().end_session_endpoint === undefined) return '/map';
      return oidc.buildEndSessionUrl(found, { post_logout_redirect_uri: `${origin}/map` }).href;
    },
  };
}

/** The client by the issuer's description, which is read when it is first needed. */
function clientOf(
  { issuer, clientId, clientSecret, answerSeconds }: IssuerSignIn,
  now: () => number,
): () => Promise<oidc.Configuration> {
  const read = (): Promise<oidc.Configuration> =>
    oidc
      .discovery(
        issuer,
        clientId,
        // The clock of the host, also where a test has stopped it.
        { [oidc.clockSkew]: Math.round((now() - Date.now()) / 1000) },
        authOf(clientSecret),
        {
          timeout: answerSeconds,
          execute: [
            // The signature of the ID token is checked, although it comes from the issuer itself.
            oidc.enableNonRepudiationChecks,
            // `readSettings` admits http only of this machine.
            ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
          ],
        },
      )
      .catch((error: unknown) => {
        throw refusalOf(error, issuer);
      });
  let found: Promise<oidc.Configuration> | null = null;
  let readAt = 0;
  return async () => {
    if (found === null || now() - readAt > DESCRIPTION_MS) {
      readAt = now();
      found = read();
    }
    try {
      return await found;
    } catch (error) {
      found = null;
      throw error;
    }
  };
}

/** The client's secret in the body of a request where the issuer takes it so, else in a header (the default of OpenID Connect). */
function authOf(secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = [] } = server;
    return (methods.includes('client_secret_post') ? inBody : inHeader)(server, ...rest);
  };
}

interface Asked {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface CookieCodec {
  write(asked: Asked): Promise<string>;
  /** null for a text that is not of this host, or has expired. */
  read(text: string): Promise<Asked | null>;
}

function cookieCodec(secret: Uint8Array, now: () => number): CookieCodec {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'wayzone sign-in cookie', 32));
  return {
    write: (asked) =>
      new EncryptJWT({ ...asked })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor((now() + SIGN_IN_MS) / 1000))
        .encrypt(key),
    read: (text) =>
      jwtDecrypt<Asked>(text, key, {
        currentDate: new Date(now()),
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }).then(
        ({ payload }) => payload,
        () => null,
      ),
  };
}

/** Codes of `openid-client` for an answer that is there but is not what the standard says. */
const INVALID_ANSWERS = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
];

/** The cause of a failure as one of the host's errors. An error that is not of the issuer is left as it is. */
function refusalOf(error: unknown, issuer: URL): unknown {
  if (error instanceof oidc.AuthorizationResponseError)
    return wrong('sign-in-refused', 'error', 'the consent of the issuer', error.error);
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
    return wrong('sign-in-code', 'code', 'a code that the issuer knows and that was not used', 'another');
  const isOfIssuer =
    error instanceof oidc.ClientError || error instanceof oidc.ResponseBodyError || isFailedFetch(error);
  if (!isOfIssuer) return error;
  const { code = '', message, cause } = error as Error & { readonly code?: string };
  const reason = [code, message, cause instanceof Error ? cause.message : ''].join(' ').trim();
  return INVALID_ANSWERS.includes(code)
    ? wrong('sign-in-answer', 'id_token', 'an ID token of this issuer for this sign-in', reason)
    : wrong('sign-in-issuer', 'OIDC_ISSUER', `an answer of ${issuer.href}`, reason);
}

/** What `fetch` throws for a server that is away. */
function isFailedFetch(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

type SignInCode =
  | 'sign-in-answer'
  | 'sign-in-code'
  | 'sign-in-company'
  | 'sign-in-issuer'
  | 'sign-in-refused'
  | 'sign-in-state';

function wrong(code: SignInCode, field: string, wanted: string, received: string): WayzoneError {
  return new WayzoneError(code, field, `expected ${wanted}, received ${received.slice(0, 200)}`);
}
