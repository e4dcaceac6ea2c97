/** Sign-in by a redirect to an issuer ends in the access of a bearer token with the same claims, or at the page with a code. */

import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { HANG_MS } from '../../test/patience.js';
import { issuerRedirects, SIGN_IN_MS } from '../src/auth/issuerRedirects.js';
import { claimedAccess } from '../src/auth/tokens.js';
import { type IssuerSignIn, readSettings } from '../src/settings.js';
import type { Storage } from '../src/storage/storage.js';
import { type Given, NOW, onADatabase, SETTINGS, type TestHost, testHost } from './testHost.js';
import { CLIENT, type TestIssuer, testIssuer } from './testIssuer.js';

const PAGE = 'http://localhost:8080';
const SECRET = 'a secret of the tests, 32 bytes long';

/** A busy machine answers late. */
const signInOf = (
  issuer: string,
  more: Readonly<Record<string, string>> = {},
  answerSeconds = HANG_MS / 1000,
): IssuerSignIn => ({
  ...readSettings({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    PUBLIC_URLS: PAGE,
    ...more,
  }).signIn!,
  answerSeconds,
});

interface Redirect {
  readonly status: number;
  readonly location: string;
  /** The cookie that is set, with its attributes. */
  readonly cookie: string;
}

async function get({ host }: TestHost, url: string, cookie = ''): Promise<Redirect> {
  const { statusCode: status, headers } = await host.app.inject({
    url,
    headers: cookie === '' ? {} : { cookie },
  });
  return { status, location: String(headers.location), cookie: String(headers['set-cookie'] ?? '') };
}

const contentOf = (cookie: string): string => cookie.slice(0, cookie.indexOf(';'));

/** A browser that the host sends to the issuer, and the issuer back: the address of its return, with the cookie. */
async function goThere(hosted: TestHost): Promise<{ url: string; cookie: string }> {
  const { location, cookie } = await get(hosted, '/map/sign-in/issuer');
  const answer = await fetch(location, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location')!);
  expect(back.origin).toBe(PAGE);
  return { url: back.pathname + back.search, cookie: contentOf(cookie) };
}

async function signedIn(hosted: TestHost): Promise<string> {
  const { url, cookie } = await goThere(hosted);
  return (await get(hosted, url, cookie)).location;
}

/** The token for which the page exchanges its link. */
async function tokenOf({ host }: TestHost, location: string): Promise<string> {
  const [, link] = /^\/map#once=([^&]+)&issuer$/.exec(location) ?? [];
  const answer = await host.app.inject({ url: '/map/sign-in', method: 'POST', payload: { link } });
  expect([answer.statusCode, location]).toEqual([200, expect.anything()]);
  return answer.json<{ token: string }>().token;
}

async function me({ host }: TestHost, token: string): Promise<unknown> {
  const answer = await host.app.inject({ url: '/api_v1/me', headers: { authorization: `Bearer ${token}` } });
  return answer.statusCode === 200 ? answer.json() : answer.statusCode;
}

function contract(given: () => Given): void {
  let storage: Storage;
  let issuer: TestIssuer;
  let hosted: TestHost;
  let second: TestHost;
  let companyId: string;
  beforeAll(async () => {
    // Each host closes its own.
    storage = { ...given().database.storage, close: async () => {} };
    issuer = await testIssuer();
    const signIn = signInOf(issuer.url);
    // A second process has its own data folder, and the same secret.
    [hosted, second] = [await testHost(storage, { signIn }), await testHost(storage, { signIn })];
    companyId = await hosted.company();
  });
  afterEach(() => {
    issuer.claims = { company_id: companyId, role: 'EDITOR' };
    issuer.idToken = null;
    issuer.authMethods = ['client_secret_post'];
    issuer.faults.clear();
  });
  afterAll(async () => {
    issuer.close();
    await hosted.close();
    await second.close();
  });

  test('a sign-in is the access of a bearer token with the same claims', async () => {
    const further = await hosted.company();
    const claims = {
      company_id: companyId,
      role: 'EDITOR',
      companies: [further],
      name: 'Ада',
      email: 'ada@fleet.example',
    };
    issuer.claims = claims;
    const token = await tokenOf(hosted, await signedIn(hosted));
    // A host that takes the issuer's own tokens.
    const bearer = await testHost(storage, {
      secret: null,
      published: { url: `${issuer.url}/keys`, algorithms: ['RS256'] },
      issuer: issuer.url,
      audience: CLIENT.id,
    });
    const standard = { iss: issuer.url, aud: CLIENT.id, sub: 'user-7', exp: NOW / 1000 + 300 };
    const signed = await issuer.sign({ ...standard, ...claims });
    // The keys may come late.
    await expect
      .poll(() => me(bearer, signed))
      .toMatchObject({ name: 'Ада', email: 'ada@fleet.example', role: { key: 'EDITOR' } });
    expect(await me(hosted, token)).toEqual(await me(bearer, signed));
    await bearer.close();
  });

  test('the issuer is asked for a code by PKCE, state and nonce, and the cookie is the browser’s alone', async () => {
    issuer.claims = { company_id: companyId, role: 'EDITOR' };
    const { status, location, cookie } = await get(hosted, '/map/sign-in/issuer');
    expect(status).toBe(303);
    expect(location.startsWith(`${issuer.url}/authorize?`)).toBe(true);
    const asked = Object.fromEntries(new URL(location).searchParams);
    expect(asked).toEqual({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: `${PAGE}/map/sign-in/return`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(cookie).toMatch(
      /^wayzone-sign-in=[\w.-]+; Path=\/map\/sign-in; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    // Encrypted: it shows none of what it keeps.
    const parts = contentOf(cookie)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    for (const secret of [asked['state']!, asked['nonce']!]) expect(parts.join()).not.toContain(secret);
    const { url, cookie: own } = await goThere(hosted);
    const end = await get(hosted, url, own);
    expect(end).toMatchObject({ status: 303, cookie: expect.stringContaining('wayzone-sign-in=; ') });
    expect(end.cookie).toContain('Max-Age=0');
    expect(issuer.redeemed.at(-1)!.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });

  test.for([[['client_secret_basic']], [undefined]] as const)(
    'the client’s secret is in a header where the issuer says so, or says nothing: %j',
    async ([methods]) => {
      issuer.authMethods = methods;
      const other = await testHost(storage, { signIn: signInOf(issuer.url) });
      expect(await signedIn(other)).toMatch(/^\/map#once=/);
      await other.close();
    },
  );

  test('behind https the cookie is for https alone', async () => {
    const signIn = signInOf(issuer.url, { PUBLIC_URLS: 'https://fleet.example/' });
    const secure = await testHost(storage, { signIn });
    const { location, cookie } = await get(secure, '/map/sign-in/issuer');
    expect(cookie).toMatch(/; Secure$/);
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(
      'https://fleet.example/map/sign-in/return',
    );
    await secure.close();
  });

  test('what one process begins another ends, once in all', async () => {
    const { url, cookie } = await goThere(hosted);
    const { location } = await get(second, url, cookie);
    const token = await tokenOf(hosted, location);
    expect(await me(second, token)).toMatchObject({ id: 'user-7' });
    for (const one of [hosted, second])
      expect((await get(one, url, cookie)).location).toBe('/map#refused=sign-in-state');
  });

  const elsewhere = async (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign((await generateKeyPair('RS256')).privateKey);
  const base64 = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const unsigned = async (claims: JWTPayload): Promise<string> =>
    `${base64({ alg: 'none' })}.${base64(claims)}.`;
  const symmetric = async (claims: JWTPayload): Promise<string> => {
    const text = `${base64({ alg: 'HS256' })}.${base64(claims)}`;
    return `${text}.${createHmac('sha256', CLIENT.secret).update(text).digest('base64url')}`;
  };
  test.for<[name: string, code: string, given: { claims?: object; idToken?: TestIssuer['idToken'] }]>([
    ['another nonce', 'answer', { claims: { nonce: 'x' } }],
    ['no nonce', 'answer', { claims: { nonce: undefined } }],
    ['another issuer', 'answer', { claims: { iss: 'https://other.example' } }],
    ['another audience', 'answer', { claims: { aud: 'other' } }],
    ['several audiences, for another one', 'answer', { claims: { aud: [CLIENT.id, 'b'], azp: 'b' } }],
    ['an expired token', 'answer', { claims: { exp: NOW / 1000 - 60 } }],
    ['a token without expiry', 'answer', { claims: { exp: undefined } }],
    ['a token without a user', 'answer', { claims: { sub: undefined } }],
    ['the algorithm none', 'answer', { idToken: unsigned }],
    ['the client’s secret as a key', 'answer', { idToken: symmetric }],
    ['a signature of another key', 'answer', { idToken: elsewhere }],
    ['no token', 'answer', { idToken: async () => '' }],
    ['no company', 'company', { claims: { company_id: undefined } }],
    ['an empty company', 'company', { claims: { company_id: '' } }],
    ['a company that is not a text', 'company', { claims: { company_id: { id: 1 } } }],
    ['an unknown company', 'company', { claims: { company_id: randomUUID() } }],
    ['a company that no database stores', 'company', { claims: { company_id: 'a\0b' } }],
    ['no role', 'role', { claims: { role: undefined } }],
    ['an unknown role', 'role', { claims: { role: 'BOSS' } }],
    ['an inherited role', 'role', { claims: { role: '__proto__' } }],
  ])('%s is refused', async ([, code, { claims = {}, idToken = null }]) => {
    issuer.claims = { company_id: companyId, role: 'EDITOR', ...claims };
    issuer.idToken = idToken;
    expect(await signedIn(hosted)).toBe(`/map#refused=sign-in-${code}`);
  });

  test('a return is refused without its cookie, with that of another sign-in, and with another state', async () => {
    const { url, cookie } = await goThere(hosted);
    const other = await goThere(hosted);
    const foreign = issuerRedirects(
      storage,
      new Uint8Array(32),
      { ...SETTINGS, signIn: signInOf(issuer.url) },
      () => NOW,
      async () => true,
    );
    const made = `wayzone-sign-in=${(await foreign.begin()).cookie}`;
    const wrong = url.replace(/state=[^&]+/, 'state=wrong');
    const sent = issuer.redeemed.length;
    for (const [to, own] of [
      [url, ''],
      [url, 'wayzone-sign-in='],
      [url, 'wayzone-sign-in=a.b.c.d.e'],
      [url, other.cookie],
      [url, made],
      [wrong, cookie],
      [url.replace(/&?state=[^&]+/, ''), cookie],
      ['/map/sign-in/return', cookie],
    ] as const)
      expect((await get(hosted, to, own)).location, `${to} ${own}`).toBe('/map#refused=sign-in-state');
    // None of them has asked the issuer.
    expect(issuer.redeemed).toHaveLength(sent);
    expect((await get(hosted, url, `a=b; ${cookie}; c=d`)).location).toMatch(/^\/map#once=/);
  });

  test('a sign-in that takes more than ten minutes is refused', async () => {
    let now = NOW;
    const redirects = issuerRedirects(
      storage,
      new TextEncoder().encode(SECRET),
      { ...SETTINGS, signIn: signInOf(issuer.url) },
      () => now,
      async () => true,
    );
    const { location, cookie } = await redirects.begin();
    const back = (await fetch(location, { redirect: 'manual' })).headers.get('location')!;
    now += SIGN_IN_MS + 1000;
    await expect(redirects.end(new URL(back).search, cookie)).rejects.toMatchObject({
      code: 'sign-in-state',
      field: 'state',
    });
  });

  test('a code that the issuer does not know is refused, and one that it has seen', async () => {
    const first = await goThere(hosted);
    const next = await goThere(hosted);
    const codeOf = (url: string): string => new URL(url, PAGE).searchParams.get('code')!;
    const swapped = next.url.replace(codeOf(next.url), codeOf(first.url));
    // The code of another sign-in has another challenge.
    expect((await get(hosted, swapped, next.cookie)).location).toBe('/map#refused=sign-in-code');
    // It is used up by now.
    expect((await get(hosted, first.url, first.cookie)).location).toBe('/map#refused=sign-in-code');
  });

  test('what the issuer refuses is said', async () => {
    const { url, cookie } = await goThere(hosted);
    const refused = url.replace(/code=[^&]+/, 'error=access_denied&error_description=%0Ano');
    expect((await get(hosted, refused, cookie)).location).toBe('/map#refused=sign-in-refused');
  });

  test('no parameter leads elsewhere', async () => {
    const evil = 'next=https://evil.example&redirect_uri=https://evil.example&return_to=//evil.example';
    const { location } = await get(hosted, `/map/sign-in/issuer?${evil}`);
    expect(location).not.toContain('evil');
    const { url, cookie } = await goThere(hosted);
    expect((await get(hosted, `${url}&${evil}`, cookie)).location).toMatch(/^\/map#once=[\w.-]+&issuer$/);
    expect((await get(hosted, `/map/sign-out?${evil}`)).location).not.toContain('evil');
  });

  describe('an issuer that is away', () => {
    type Fault = Parameters<TestIssuer['faults']['set']>[1];
    const answer =
      (status: number, type: string, text: string): Fault =>
      (response) =>
        void response.writeHead(status, { 'content-type': type }).end(text);
    const breaksOff: Fault = (response) => void response.destroy();
    const fails = answer(503, 'text/plain', 'later');
    const otherPage = answer(200, 'text/html', '<h1>Soon</h1>');
    test.for<[path: string, name: string, fault: Fault]>([
      ['/.well-known/openid-configuration', 'breaks off', breaksOff],
      ['/.well-known/openid-configuration', 'fails', fails],
      ['/.well-known/openid-configuration', 'has another page', otherPage],
      ['/token', 'breaks off', breaksOff],
      ['/token', 'fails', fails],
      ['/token', 'has another page', otherPage],
      ['/token', 'refuses the client', answer(401, 'application/json', '{"error":"invalid_client"}')],
      ['/keys', 'breaks off', breaksOff],
      ['/keys', 'fails', fails],
    ])('%s %s', async ([path, , fault]) => {
      // A host that has read neither description nor keys.
      const fresh = await testHost(storage, { signIn: signInOf(issuer.url) });
      issuer.faults.set(path, fault);
      const isThere = path.startsWith('/.well-known');
      const said = isThere ? (await get(fresh, '/map/sign-in/issuer')).location : await signedIn(fresh);
      expect(said).toBe('/map#refused=sign-in-issuer');
      // It is asked again.
      issuer.faults.clear();
      expect(await signedIn(fresh)).toMatch(/^\/map#once=/);
      await fresh.close();
    });

    test('an issuer that never answers', async () => {
      const silent = await testHost(storage, { signIn: signInOf(issuer.url, {}, 1) });
      issuer.faults.set('/.well-known/openid-configuration', () => {});
      expect((await get(silent, '/map/sign-in/issuer')).location).toBe('/map#refused=sign-in-issuer');
      await silent.close();
    });

    test('another issuer behind the address is refused', async () => {
      const signIn = signInOf(issuer.url.replace('127.0.0.1', 'localhost'));
      const other = await testHost(storage, { signIn });
      expect((await get(other, '/map/sign-in/issuer')).location).toBe('/map#refused=sign-in-issuer');
      await other.close();
    });
  });

  test('a user signs out at the issuer, or at the page alone', async () => {
    const { location } = await get(hosted, '/map/sign-out');
    expect(location).toBe(
      `${issuer.url}/end?post_logout_redirect_uri=${encodeURIComponent(`${PAGE}/map`)}&client_id=${CLIENT.id}`,
    );
    issuer.faults.set(
      '/.well-known/openid-configuration',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ issuer: issuer.url, authorization_endpoint: `${issuer.url}/authorize` })),
    );
    const bare = await testHost(storage, { signIn: signInOf(issuer.url) });
    expect((await get(bare, '/map/sign-out')).location).toBe('/map');
    await bare.close();
  });

  test('a host of published keys takes the issuer’s tokens and those that it signs itself, each by its own key', async () => {
    const both = await testHost(storage, {
      signIn: signInOf(issuer.url),
      published: { url: `${issuer.url}/keys`, algorithms: ['RS256'] },
      issuer: issuer.url,
      audience: CLIENT.id,
    });
    const token = await tokenOf(both, await signedIn(both));
    expect(await me(both, token)).toMatchObject({ id: 'user-7' });
    const claims = {
      iss: issuer.url,
      aud: CLIENT.id,
      sub: 'u',
      exp: NOW / 1000 + 300,
      company_id: companyId,
      role: 'ADMIN',
    };
    const signed = await issuer.sign(claims);
    await expect.poll(() => me(both, signed)).toMatchObject({ id: 'u' });
    for (const forged of [await elsewhere(claims), await unsigned(claims), await symmetric(claims)])
      expect(await me(both, forged)).toBe(401);
    await both.close();
  });
}

onADatabase(contract);

test('without an issuer there is no way to one', async () => {
  expect(readSettings({}).signIn).toBe(null);
});

describe('settings', () => {
  const good = {
    OIDC_ISSUER: 'https://id.example/realms/fleet',
    OIDC_CLIENT_ID: 'page',
    PUBLIC_URLS: 'https://fleet.example',
  };
  test('name the issuer, the client and the claims', () => {
    const { signIn } = readSettings({ ...good, OIDC_COMPANIES: 'a=b=1, c=2', OIDC_ROLES: '*=READER' });
    expect(signIn).toMatchObject({
      clientSecret: null,
      name: 'id.example',
      scope: 'openid profile email',
      origin: 'https://fleet.example',
      companyClaim: 'company_id',
      roleClaim: 'role',
    });
    expect(signIn!.issuer.href).toBe(good.OIDC_ISSUER);
    expect([...signIn!.companies!]).toEqual([
      ['a=b', '1'],
      ['c', '2'],
    ]);
    expect([...signIn!.roles!]).toEqual([['*', 'READER']]);
  });

  test('read the client’s secret from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-issuer-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'secret');
    writeFileSync(file, 'a secret\n');
    expect(readSettings({ ...good, OIDC_CLIENT_SECRET_FILE: file }).signIn!.clientSecret).toBe('a secret');
  });

  test.for<[field: string, more: Readonly<Record<string, string | undefined>>]>([
    ['OIDC_ISSUER', { OIDC_ISSUER: 'id.example' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example' }],
    ['OIDC_CLIENT_ID', { OIDC_CLIENT_ID: undefined }],
    ['PUBLIC_URLS', { PUBLIC_URLS: undefined }],
    ['PUBLIC_URLS', { PUBLIC_URLS: 'http://fleet.example' }],
    ['OIDC_ROLES', { OIDC_ROLES: 'admins=BOSS' }],
    ['OIDC_ROLES', { OIDC_ROLES: 'ADMIN' }],
    ['OIDC_COMPANIES', { OIDC_COMPANIES: 'a=' }],
    ['OIDC_COMPANIES', { OIDC_COMPANIES: '=a' }],
    ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: 'a', OIDC_CLIENT_SECRET_FILE: 'b' }],
    ['OIDC_CLIENT_SECRET_FILE', { OIDC_CLIENT_SECRET_FILE: '/no/such/file' }],
    ['TOKEN_SECRET', { TOKEN_SECRET: 'short', TOKEN_JWKS_URL: 'https://id.example/keys' }],
  ])('%s: %o', ([field, more]) => {
    expect(() => readSettings({ ...good, ...more })).toThrow(
      expect.objectContaining({ code: 'option-value', field }),
    );
  });
});

describe('claims', () => {
  const of = (claims: JWTPayload, more: Readonly<Record<string, string>> = {}) => {
    const { companyId, companies, role, userId } = claimedAccess(
      { sub: 'u', exp: 1, ...claims },
      signInOf('https://id.example', more),
      SETTINGS.sideRanks,
    );
    expect(userId).toBe('u');
    return [companyId, companies, role];
  };

  test('of Keycloak: roles of a client within an object, groups as companies', () => {
    const more = {
      OIDC_COMPANY_CLAIM: 'groups',
      OIDC_COMPANIES: '/fleets/north=1, /fleets/south=2',
      OIDC_ROLE_CLAIM: 'resource_access.wayzone.roles',
    };
    const resource_access = { wayzone: { roles: ['READER', 'uma_protection', 'EDITOR'] } };
    expect(of({ groups: ['/staff', '/fleets/south', '/fleets/north'], resource_access }, more)).toEqual([
      '2',
      ['1'],
      'EDITOR',
    ]);
  });

  test('of Entra: the tenant as the company, roles of the application', () => {
    const more = { OIDC_COMPANY_CLAIM: 'tid', OIDC_COMPANIES: 'b9c1=7', OIDC_ROLE_CLAIM: 'roles' };
    expect(of({ tid: 'b9c1', roles: ['OPERATOR', 'CONTROLLER', 'OBSERVER'] }, more)).toEqual([
      '7',
      [],
      'OPERATOR',
    ]);
  });

  test('of Google: the domain as the company, one role for all', () => {
    const more = { OIDC_COMPANY_CLAIM: 'hd', OIDC_COMPANIES: 'fleet.example=7', OIDC_ROLES: '*=READER' };
    expect(of({ hd: 'fleet.example' }, more)).toEqual(['7', [], 'READER']);
    expect(() => of({ hd: 'other.example' }, more)).toThrow(
      expect.objectContaining({ code: 'sign-in-company', field: 'hd' }),
    );
    // An account without a domain.
    expect(() => of({}, more)).toThrow(expect.objectContaining({ code: 'sign-in-company', field: 'hd' }));
  });

  test('an address as the name of a claim, and a star that is no value', () => {
    const claim = 'https://fleet.example/company.id';
    expect(of({ [claim]: '5', role: 'ADMIN' }, { OIDC_COMPANY_CLAIM: claim })).toEqual(['5', [], 'ADMIN']);
    const more = { OIDC_ROLES: 'boss=ADMIN, *=READER' };
    for (const [role, found] of [
      ['boss', 'ADMIN'],
      ['*', 'READER'],
      ['ADMIN', 'READER'],
    ] as const)
      expect(of({ company_id: '5', role }, more)).toEqual(['5', [], found]);
    expect(() => of({ company_id: '*', role: 'x' }, { OIDC_COMPANIES: 'a=1' })).toThrow(
      expect.objectContaining({ code: 'sign-in-company' }),
    );
  });
});
