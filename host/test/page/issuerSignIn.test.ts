import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill } from '../../../src/report/client/shared/formats.js';
import { CHROMIUM, needs } from '../../../test/needs.js';
import { LONG } from '../../../test/volume.js';
import { wordsIn } from '../../src/page/client/words.js';
import { readSettings } from '../../src/settings.js';
import { embedded } from '../testHost.js';
import { CLIENT, type TestIssuer, testIssuer } from '../testIssuer.js';
import { launchWithMap, openPage, type PageHost, pageHost } from './openPage.js';
import { violationsOf } from './violationsOf.js';

/** A port that was free a moment ago: the issuer sends browsers back to an address that the host knows before it listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

needs(CHROMIUM).describe('the page with an issuer (needs Chromium)', () => {
  let browser: Browser;
  let issuer: TestIssuer;
  let host: PageHost;
  beforeAll(async () => {
    [browser, issuer] = await Promise.all([launchWithMap(), testIssuer()]);
    const port = await freePort();
    const { signIn } = readSettings({
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Fleet ID',
      PUBLIC_URLS: `http://127.0.0.1:${port}`,
    });
    host = await pageHost({ signIn }, embedded(), port);
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
    issuer.close();
  });

  test.for(LONG ? (['en', 'ru'] as const) : (['en'] as const))(
    'signs in and out by redirects, and says why it was refused, in %s',
    async (language) => {
      const words = wordsIn(language);
      const { page, errors, rest } = await openPage(browser, host, null, { width: 390, language });
      const way = page.getByRole('link', { name: fill(words.signInWith, { issuer: 'Fleet ID' }) });
      await way.waitFor();
      expect(await violationsOf(page)).toEqual([]);

      issuer.claims = { company_id: 'nowhere', role: 'EDITOR' };
      await way.click();
      const refusal = page.getByRole('alert');
      await expect.poll(() => refusal.textContent()).toBe(`${words['sign-in-company']} (sign-in-company)`);
      expect(page.url()).toBe(`${host.url}/map`);

      issuer.claims = { company_id: host.owner.companyId, role: 'EDITOR' };
      await way.click();
      await page.getByRole('tab', { name: words.zones }).waitFor();
      expect(page.url()).toBe(`${host.url}/map`);
      // Neither scripts nor later requests have the cookie.
      expect(await page.context().cookies()).toEqual([]);
      await page.reload();
      await page.getByRole('button', { name: words.newZone }).waitFor();

      await rest();
      await page.getByRole('button', { name: words.signOut }).click();
      await way.waitFor();
      expect(page.url()).toBe(`${host.url}/map`);
      await page.reload();
      await way.waitFor();
      const elsewhere = errors.filter((error) => !error.startsWith(`request to ${issuer.url}/`));
      expect(elsewhere).toEqual([]);
      expect(errors.map((error) => error.replace(/^request to |\?.*$/g, ''))).toContain(`${issuer.url}/end`);
      await page.close();
    },
  );
});
