/** A link signs in once, whatever its text; a token's claims reach the database only as it can store them. */

import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { signInLink, signInLinks } from '../src/auth/signInLinks.js';
import { SAMPLES } from './samples.js';
import { type Given, NOW, onBothDatabases, SETTINGS } from './testHost.js';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function contract(given: () => Given): void {
  let companyId: string;
  let secret: Uint8Array;
  beforeAll(async () => {
    const { hosted } = given();
    companyId = await hosted.company();
    secret = hosted.host.secret!;
  });
  const links = () => signInLinks(given().database.storage, secret, SETTINGS, () => NOW);
  const statusOf = (link: string): Promise<unknown> =>
    links()
      .redeem(link)
      .then(
        () => 200,
        ({ status, field }: { status: number; field: string }) => [status, field],
      );
  const signed = (claims: object, audience: string): Promise<string> =>
    new SignJWT({ company_id: companyId, role: 'ADMIN', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(SETTINGS.issuer)
      .setAudience(audience)
      .setExpirationTime(NOW / 1000 + 3600)
      .sign(secret);

  test('no text of the signature of a used link signs in again', async () => {
    const access = { companyId, userId: 'u', role: 'ADMIN' } as const;
    const address = await signInLink('http://host', secret, SETTINGS, access, NOW);
    const link = address.split('#once=')[1]!;
    expect(await statusOf(link)).toBe(200);
    // The last digit of 32 bytes has two bits without a meaning.
    const last = DIGITS.indexOf(link.at(-1)!);
    const others = [1, 2, 3].map((bits) => link.slice(0, -1) + DIGITS[last ^ bits]!);
    for (const text of [link, ...others, `${link}=`, `${link} `, `${link}\n`, `${link}\t\n`])
      expect([JSON.stringify(text.slice(-3)), await statusOf(text)]).toEqual([
        expect.anything(),
        [401, 'link'],
      ]);
  });

  test('a link without an id, and every other token, is refused by its field', async () => {
    const audience = `${SETTINGS.audience}/sign-in`;
    expect(await statusOf(await signed({ jti: randomUUID() }, audience))).toBe(200);
    for (const claims of [{}, { jti: '' }, { jti: 5 }, { jti: { toString: 1 } }])
      expect(await statusOf(await signed(claims, audience))).toEqual([401, 'link']);
    expect(await statusOf(await signed({ jti: randomUUID() }, SETTINGS.audience))).toEqual([401, 'link']);
    for (const text of ['', 'a.b.c', 'x'.repeat(10_000)]) expect(await statusOf(text)).toEqual([401, 'link']);
  });

  test('claims that the database cannot store are no 500, and no user is called as another', async () => {
    const { hosted } = given();
    const client = await hosted.as(companyId, null);
    const statuses = async (claims: object): Promise<number[]> => {
      const authorization = `Bearer ${await signed(claims, SETTINGS.audience)}`;
      const owner = {
        ...client,
        send: (method: string, url: string, body?: unknown, headers = {}) =>
          client.send(method, url, body, { ...headers, authorization }),
      };
      const sent: number[] = [];
      for (const name of ['get /me', 'put /me', 'post /me/settings', 'post /tickets', 'post /routes']) {
        const [method = '', path = ''] = name.split(' ');
        const sample = (await SAMPLES[name]?.(owner)) ?? { url: path };
        sent.push((await owner.send(method.toUpperCase(), sample.url, sample.body)).status);
      }
      return sent;
    };
    for (const name of ['a\0b', '\ud800', 'b\udc00c', '\0\0'])
      expect(await statuses({ sub: randomUUID(), name, email: name }), JSON.stringify(name)).toEqual(
        Array(5).fill(200),
      );
    for (const sub of ['a\0b', '\ud800', '\udc00x', '\0'])
      expect(await statuses({ sub }), JSON.stringify(sub)).toEqual(Array(5).fill(401));
  });
}

onBothDatabases(contract);
