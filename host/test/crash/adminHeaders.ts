import { signToken } from '../../src/auth/tokens.js';
import { readSettings } from '../../src/settings.js';
import { SECRET } from './cluster.js';

/** HTTP headers of an administrator of the company, for the API processes of a cluster. Valid for a day. */
export async function adminHeaders(companyId: string): Promise<{ readonly authorization: string }> {
  const token = await signToken(
    new TextEncoder().encode(SECRET),
    readSettings({ TOKEN_SECRET: SECRET }),
    { companyId, userId: 'u', role: 'ADMIN' },
    Date.now() + 86_400_000,
  );
  return { authorization: `Bearer ${token}` };
}
