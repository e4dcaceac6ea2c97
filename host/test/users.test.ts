import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { signToken } from '../src/auth/tokens.js';
import { readSettings } from '../src/settings.js';
import { type Answer, type Given, NOW, onBothDatabases } from './testHost.js';

/** The caller's own fields and settings, the company that a token has switched to, and keys for users. */

const SETTINGS = readSettings({});
const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };

function contract(given: () => Given): void {
  let companies: string[];
  beforeAll(async () => {
    const { hosted } = given();
    companies = [await hosted.company(), await hosted.company(), await hosted.company()];
  });
  type Send = (method: string, url: string, body?: unknown, headers?: object) => Promise<Answer>;
  /** Sends with credentials of its own, through the checks of a caller without any. */
  const sender = async (headers: Readonly<Record<string, string>>): Promise<Send> => {
    const client = await given().hosted.as(companies[0]!, null);
    return (method, url, body, more = {}) => client.send(method, url, body, { ...headers, ...more });
  };
  const user = async (
    userId: string,
    role: 'READER' | 'EDITOR' | 'ADMIN' | 'NO_ACCESS' = 'EDITOR',
    [companyId, ...further] = companies.slice(0, 1),
  ): Promise<Send> => {
    const access = { companyId: companyId!, companies: further, userId, role, name: 'Given', email: 'a@b.c' };
    const token = await signToken(given().hosted.host.secret!, SETTINGS, access, NOW + 3_600_000);
    return sender({ authorization: `Bearer ${token}` });
  };
  const fieldsOf = ({ status, body }: Answer): unknown[] => [
    status,
    ...((body as { errors?: { field: string }[] }).errors ?? []).map(({ field }) => field),
  ];

  test('PUT /me sets the fields that are sent and keeps the others; what was read may be sent back', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    const send = await user(id);
    expect((await send('GET', '/me')).body).toMatchObject({ id, name: 'Given', email: 'a@b.c' });
    const fields = {
      name: 'Anna',
      phone: '+7 900',
      telegram_chat_id: 7,
      is_driver: true,
      settings_web: { map: { zoom: 12, layers: ['a', null] } },
    };
    const put = await send('PUT', '/me', { ...fields, language: { key: 'ru' } });
    const language = { key: 'ru', type: 'languages', value: 'Русский' };
    expect([put.status, put.body]).toMatchObject([200, { ...fields, language, email: 'a@b.c' }]);
    expect((await send('PUT', '/me', { phone: '' })).body).toMatchObject({ ...fields, phone: '', language });
    const { body: read } = await send('GET', '/me');
    expect((await send('PUT', '/me', read)).body).toEqual(read);
    expect((await (await user(other))('GET', '/me')).body).toMatchObject({ id: other, name: 'Given' });

    for (const [wrong, field] of [
      [{ role: { key: 'ADMIN', value: 'ADMIN' } }, 'role'],
      [{ password: 'secret' }, 'password'],
      [{ name: 7 }, 'name'],
      [{ language: { key: 'xx' } }, 'language.key'],
      [{ settings_ios: [] }, 'settings_ios'],
      [{ nmae: 'x' }, 'nmae'],
      [{ phone: 'a\0b' }, 'phone'],
    ] as const)
      expect([wrong, ...fieldsOf(await send('PUT', '/me', wrong))]).toEqual([wrong, 422, field]);
    expect((await send('PUT', '/me', { settings_web: { a: 'x'.repeat(300_000) } })).status).toBe(422);
    expect((await send('GET', '/me')).body).toEqual(read);
    expect((await (await user(id, 'READER'))('PUT', '/me', fields)).status).toBe(403);
    expect((await (await user(''))('PUT', '/me', fields)).status).toBe(403);
  });

  test('/me takes 60 requests a minute of a user; others are not counted with them', async () => {
    const [one, two] = [await user(randomUUID()), await user(randomUUID())];
    const statuses: number[] = [];
    for (let i = 0; i < 61; i++) statuses.push((await one('GET', '/me')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    const refused = await one('GET', '/me');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.anything()]);
    expect((await two('GET', '/me')).status).toBe(200);
  });

  test('settings are kept by key, of the user alone or of a company, with their versions', async () => {
    const id = randomUUID();
    const [send, other] = [await user(id, 'NO_ACCESS', companies.slice(0, 2)), await user(randomUUID())];
    expect((await send('GET', '/me/settings')).body).toEqual([]);
    await send('POST', '/me/settings', { key: 'zoom.web', value: '5' });
    await send('POST', '/me/settings', { key: 'zoom.web', value: '6' });
    await send('POST', '/me/settings', { key: 'zoom.web', value: '7', company_id: companies[1] });
    const { body: all } = await send('POST', '/me/settings', { key: 'a', value: '', version: 9 });
    const own = { id: expect.any(String) as string, user_id: id };
    const ofCompany = { ...own, key: 'zoom.web', value: '7', version: 1, company_id: companies[1] };
    expect(all).toHaveLength(3);
    expect(all).toEqual(
      expect.arrayContaining([
        { ...own, key: 'a', value: '', version: 9 },
        { ...own, key: 'zoom.web', value: '6', version: 2 },
        ofCompany,
      ]),
    );
    expect((await send('GET', '/me/settings')).body).toEqual(all);
    expect((await send('GET', `/me/settings?company_id=${companies[1]}`)).body).toEqual([ofCompany]);
    expect((await other('GET', '/me/settings')).body).toEqual([]);
    for (const [wrong, field] of [
      [{ key: '', value: 'a' }, 'key'],
      [{ key: 'a' }, 'value'],
      [{ key: 'a', value: 5 }, 'value'],
      [{ key: 'a', value: 'b', version: 0.5 }, 'version'],
      [{ key: 'a', value: 'b\0' }, 'value'],
    ] as const)
      expect([wrong, ...fieldsOf(await send('POST', '/me/settings', wrong))]).toEqual([wrong, 422, field]);
    const foreign = await send('POST', '/me/settings', { key: 'a', value: 'b', company_id: companies[2] });
    expect([foreign.status, foreign.body]).toMatchObject([422, { code: 4022, field: 'company_id' }]);
    expect((await send('GET', '/me/settings?company_id=none')).status).toBe(422);
  });

  test('a key for any user id does not reach what the user of a token with that id has', async () => {
    const id = randomUUID();
    const send = await user(id);
    await send('POST', '/me/settings', { key: 'private', value: 'x' });
    await send('PUT', '/me', { phone: '+7 900' });
    const admin = await user(randomUUID(), 'ADMIN');
    const made = await admin('POST', `/users/${id}/create_token`, {
      valid_to: String(NOW + 60_000),
      role: 'EDITOR',
    });
    const { user_company_api_key: key } = made.body as { user_company_api_key: string };
    const ofKey = await sender({ user_company_api_key: key });
    expect((await ofKey('GET', '/me/settings')).body).toEqual([]);
    expect((await ofKey('GET', '/me')).body).not.toHaveProperty('phone');
    await ofKey('PUT', '/me', { phone: 'other' });
    expect((await send('GET', '/me')).body).toMatchObject({ phone: '+7 900' });
  });

  test('a token that switches its company acts in the other one from then on, alone', async () => {
    const id = randomUUID();
    const [send, still] = [
      await user(id, 'EDITOR', companies),
      await user(randomUUID(), 'EDITOR', companies),
    ];
    const activeOf = async (of: Send): Promise<unknown> =>
      ((await of('GET', '/me')).body as { active_company: { id: string } }).active_company.id;
    const before = await send('GET', '/geozones');
    const tag = String(before.headers['etag']);
    expect(await send('GET', `/switchcompany/${companies[1]}`)).toMatchObject({
      status: 200,
      body: { id: companies[1] },
    });
    expect([await activeOf(send), await activeOf(still)]).toEqual([companies[1], companies[0]]);
    // Both companies have the same version, and the other one its own list.
    expect((await send('GET', '/geozones', undefined, { 'if-none-match': tag })).status).toBe(200);
    const made = await send('POST', '/geozones', ZONE);
    const { id: zone } = made.body as { id: string };
    expect((await still('GET', `/geozones?ids=${zone}`)).status).toBe(404);
    for (const foreign of [await given().hosted.company(), 'none', '%20'])
      expect(await send('GET', `/switchcompany/${foreign}`)).toMatchObject({
        status: 422,
        body: { code: 4022, field: 'id' },
      });
    expect(await activeOf(send)).toBe(companies[1]);
    await send('GET', `/switchcompany/${companies[0]}`);
    expect(await activeOf(send)).toBe(companies[0]);
    expect((await send('GET', `/geozones?ids=${zone}`)).status).toBe(404);
    const single = await user(randomUUID());
    expect((await single('GET', `/switchcompany/${companies[0]}`)).status).toBe(200);
    expect((await single('GET', `/switchcompany/${companies[1]}`)).status).toBe(422);
  });

  test('a key is issued for users of this company alone with a role below ADMIN, with a link that carries it', async () => {
    const id = randomUUID();
    const admin = await user(id, 'ADMIN');
    const [reader, high, both, elsewhere] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    for (const [one, role, of] of [
      [reader, 'READER', companies.slice(0, 1)],
      [high, 'ADMIN', companies.slice(0, 1)],
      [both, 'READER', companies.slice(0, 2)],
      [elsewhere, 'EDITOR', companies.slice(1, 2)],
    ] as const)
      await (await user(one, role === 'READER' ? 'EDITOR' : role, [...of]))('GET', '/me');
    const body = { valid_to: String(NOW + 60_000) };
    for (const one of [id, high, both, elsewhere])
      expect(fieldsOf(await admin('POST', `/users/${one}/create_token`, body))).toEqual([422, 'id']);
    for (const one of [reader, 'never-seen']) {
      const { status, body: issued } = await admin('POST', `/users/${one}/create_token`, body);
      const { url, user_company_api_key: key } = issued as Record<'url' | 'user_company_api_key', string>;
      expect([status, url]).toEqual([200, `/?user_company_api_key=${key}`]);
      expect((await (await sender({ user_company_api_key: key }))('GET', '/geozones')).status).toBe(200);
    }
  });
}

onBothDatabases(contract);
