import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInLink } from '../../src/auth/signInLinks.js';
import { servePage } from '../../src/http/servePages.js';
import { readSettings } from '../../src/settings.js';
import { embedded, NOW, SETTINGS, type TestHost, testHost } from '../testHost.js';

describe('the files of the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-basemap-'));
  const archive = join(folder, 'city.pmtiles');
  let host: TestHost;
  beforeAll(async () => {
    writeFileSync(
      archive,
      Uint8Array.from({ length: 1000 }, (_, i) => i % 251),
    );
    const { storage } = await embedded();
    host = await testHost(storage, {
      basemap: { kind: 'archive', file: archive },
      basemapAttribution: '© <Survey>',
    });
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });
  const get = (url: string, headers: Record<string, string> = {}) => host.host.app.inject({ url, headers });

  test('the page has a policy that allows its own files only, and a tag', async () => {
    const { statusCode, headers, body } = await get('/map');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
    );
    expect(body).not.toMatch(/<script>|\sstyle=|\son\w+=/);
    const tag = String(headers['etag']);
    expect((await get('/map', { 'if-none-match': tag })).statusCode).toBe(304);
    expect((await get('/map/')).statusCode).toBe(200);
  });

  test('every file that the page names exists and is kept for a year, because its name has a hash', async () => {
    const { body } = await get('/map');
    const names = [...body.matchAll(/(?:src|href)="(\/map\/[^"]+)"/g)].map((found) => found[1]!);
    expect(names.length).toBe(3);
    for (const name of names) {
      const { statusCode, headers } = await get(name);
      expect([name, statusCode]).toEqual([name, 200]);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['x-content-type-options']).toBe('nosniff');
      // A worker would otherwise have the policy of the operations, and could load nothing.
      expect(headers['content-security-policy']).toMatch(/connect-src 'self'/);
    }
    expect((await get('/map/index.html')).statusCode).toBe(404);
    expect((await get('/map/..%2f..%2fpackage.json')).statusCode).toBe(404);
  });

  test('the archive of the base map is served in parts', async () => {
    expect((await get('/map/settings.json')).json()).toEqual({
      basemap: { kind: 'archive', url: '/map/basemap.pmtiles' },
      attribution: '© <Survey>',
      issuer: null,
    });
    const part = await get('/map/basemap.pmtiles', { range: 'bytes=250-259' });
    expect(part.statusCode).toBe(206);
    expect(part.headers['content-range']).toBe('bytes 250-259/1000');
    expect([...part.rawPayload]).toEqual([250, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('a link signs in once, as its caller; it is no token, and a token is no link', async () => {
    const { settings, secret } = { settings: SETTINGS, secret: host.host.secret! };
    const access = { companyId: await host.company(), userId: 'u', role: 'EDITOR' } as const;
    const linkAt = async (time: number): Promise<string> =>
      (await signInLink('', secret, settings, access, time)).replace('/map#once=', '');
    const redeem = (link: unknown) =>
      host.host.app.inject({ url: '/map/sign-in', method: 'POST', payload: { link } });
    const me = (token: string) =>
      host.host.app.inject({ url: '/api_v1/me', headers: { authorization: `Bearer ${token}` } });
    const link = await linkAt(NOW);
    expect(await linkAt(NOW)).not.toBe(link);
    expect((await me(link)).statusCode).toBe(401);
    const answer = await redeem(link);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { token } = answer.json<{ token: string }>();
    expect((await me(token)).json()).toMatchObject({ id: 'u' });
    for (const wrong of [link, token, await linkAt(NOW - 3_600_001), 'x', 7, undefined])
      expect((await redeem(wrong)).statusCode).toBe(401);
  });

  test('a tile address is allowed by the policy; wrong settings are refused with their names', async () => {
    for (const [BASEMAP, kind, servers] of [
      ['https://tiles.example/a/{z}/{x}/{y}.png', 'images', 'https://tiles.example'],
      ['https://a.example/s.json https://b.example/x', 'style', 'https://a.example https://b.example'],
    ] as const) {
      const { basemap } = readSettings({ BASEMAP });
      expect(basemap).toMatchObject({ kind });
      const app = Fastify();
      await servePage(app, {
        settings: { basemap, basemapAttribution: '', signIn: null },
        links: null,
        issuerSignIn: null,
        log: app.log as never,
      });
      const { headers } = await app.inject('/map');
      expect(headers['content-security-policy']).toContain(`connect-src 'self' ${servers};`);
      expect((await app.inject('/map/settings.json')).json()).toMatchObject({
        basemap: { kind, url: BASEMAP.split(' ')[0] },
      });
      expect((await app.inject({ url: '/map/sign-in', method: 'POST', payload: {} })).statusCode).toBe(404);
      await app.close();
    }
    expect(readSettings({ BASEMAP: archive }).basemap).toEqual({ kind: 'archive', file: archive });
    for (const [env, field] of [
      [{ BASEMAP: 'https://tiles.example/{z}/{x}.png' }, 'BASEMAP'],
      [{ BASEMAP: 'javascript:{z}{x}{y}' }, 'BASEMAP'],
      [{ BASEMAP: "https://a/{z}/{x}/{y};script-src 'unsafe-inline'" }, 'BASEMAP'],
      [{ BASEMAP: 'https://a/style.json unsafe-inline' }, 'BASEMAP'],
      [{ BASEMAP: join(folder, 'none.pmtiles') }, 'BASEMAP'],
      [{ BASEMAP: folder }, 'BASEMAP'],
      // The former names.
      [{ BASEMAP_URL: 'https://a/{z}/{x}/{y}' }, 'BASEMAP_URL'],
      [{ BASEMAP_PMTILES: archive }, 'BASEMAP_PMTILES'],
    ] as const)
      expect(() => readSettings(env)).toThrow(expect.objectContaining({ code: 'option-value', field }));
  });
});
