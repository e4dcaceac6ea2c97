/** An issuer of OpenID Connect on a port of its own: description, keys, sign-in without a question, and codes for one use. */

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { NOW } from './testHost.js';

export interface TestIssuer {
  readonly url: string;
  /** Claims of the ID tokens, beside those of the standard, which they may replace. */
  claims: JWTPayload;
  /** How clients may send their secret; undefined: not said. */
  authMethods: readonly string[] | undefined;
  /** Answers in place of the issuer's own, by path. */
  readonly faults: Map<string, (response: ServerResponse) => void>;
  /** Parameters that the browser brought, and that the host has sent for its code. */
  readonly asked: URLSearchParams[];
  readonly redeemed: URLSearchParams[];
  /** Writes ID tokens in place of the issuer. */
  idToken: ((claims: JWTPayload) => Promise<string>) | null;
  /** Signs a token with the published key. */
  sign(claims: JWTPayload): Promise<string>;
  close(): void;
}

export const CLIENT = { id: 'fleet-page', secret: 'a secret of the client' } as const;

export async function testIssuer(): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  /** Parameters of the codes that were not redeemed. */
  const codes = new Map<string, URLSearchParams>();
  const sign = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);

  const send = (response: ServerResponse, body: object, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const routes: Record<string, (response: ServerResponse, sent: URLSearchParams, secret: string) => unknown> =
    {
      '/.well-known/openid-configuration': (response) =>
        send(response, {
          issuer: issuer.url,
          authorization_endpoint: `${issuer.url}/authorize`,
          token_endpoint: `${issuer.url}/token`,
          jwks_uri: `${issuer.url}/keys`,
          end_session_endpoint: `${issuer.url}/end`,
          token_endpoint_auth_methods_supported: issuer.authMethods,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      '/keys': (response) => send(response, { keys: [jwk] }),
      '/authorize': (response, sent) => {
        issuer.asked.push(sent);
        const code = randomUUID();
        codes.set(code, sent);
        const back = new URL(sent.get('redirect_uri')!);
        back.search = new URLSearchParams({ code, state: sent.get('state')! }).toString();
        response.writeHead(303, { location: back.href }).end();
      },
      '/token': async (response, sent, secret) => {
        issuer.redeemed.push(sent);
        const code = sent.get('code')!;
        const asked = codes.get(code);
        codes.delete(code);
        if (secret !== (issuer.authMethods?.includes('client_secret_post') ? 'body' : 'header'))
          return send(response, { error: 'invalid_client' }, 401);
        const challenge = createHash('sha256')
          .update(sent.get('code_verifier') ?? '')
          .digest('base64url');
        const isOf =
          asked?.get('code_challenge') === challenge &&
          asked.get('redirect_uri') === sent.get('redirect_uri');
        if (!isOf) return send(response, { error: 'invalid_grant' }, 400);
        const claims: JWTPayload = {
          iss: issuer.url,
          aud: CLIENT.id,
          sub: 'user-7',
          nonce: asked.get('nonce')!,
          iat: NOW / 1000,
          exp: NOW / 1000 + 300,
          ...issuer.claims,
        };
        send(response, {
          access_token: 'opaque',
          token_type: 'Bearer',
          id_token: await (issuer.idToken ?? sign)(claims),
        });
      },
      '/end': (response, sent) =>
        response.writeHead(303, { location: sent.get('post_logout_redirect_uri')! }).end(),
    };
  const server = createServer((request, response) => {
    void sentBy(request).then(([path, sent, secret]) => {
      const fault = issuer.faults.get(path);
      if (fault !== undefined) fault(response);
      else if (routes[path] === undefined) response.writeHead(404).end();
      else void routes[path](response, sent, secret);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: {},
    authMethods: ['client_secret_basic', 'client_secret_post'],
    faults: new Map(),
    asked: [],
    redeemed: [],
    idToken: null,
    sign,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return issuer;
}

/** The path of a request, the parameters of its address and its form, and where it has the client's secret. */
async function sentBy(
  request: IncomingMessage,
): Promise<[path: string, sent: URLSearchParams, secret: string]> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  const { pathname, search } = new URL(request.url!, 'http://issuer');
  const sent = new URLSearchParams(text === '' ? search : text);
  const [, coded = ''] = (request.headers.authorization ?? '').split('Basic ');
  // RFC 6749 section 2.3.1.
  const pair = new URLSearchParams(Buffer.from(coded, 'base64').toString().replace(':', '='));
  const isInHeader = pair.get(CLIENT.id) === CLIENT.secret;
  const secret = sent.get('client_secret') === CLIENT.secret ? 'body' : isInHeader ? 'header' : '';
  return [pathname, sent, secret];
}
