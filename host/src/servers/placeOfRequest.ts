/** The database that a request is for: that of the company of its credential. */

import type { IncomingMessage } from 'node:http';
import { keyHash } from '../auth/apiKeys.js';
import { tokenOf } from '../auth/inSwitchedCompany.js';
import type { TokenVerifier } from '../auth/tokens.js';
import type { CompanyPlaces, Place } from './companyPlaces.js';

const MOST_KEYS = 10_000;

/**
 * null: the request has no credential that counts, so any host may answer it. Throws what `CompanyPlaces.of` does, and `company-elsewhere` for a token
 * of companies in two databases.
 */
export function placeOfRequest<P extends Place>(
  places: CompanyPlaces<P>,
  tokens: TokenVerifier,
): (request: IncomingMessage) => Promise<P | null> {
  /** The companies of API keys by their hashes. The host of the company checks the key again. */
  const companies = new Map<string, string>();

  const companyOfKey = async (hash: string): Promise<string | null> => {
    const known = companies.get(hash);
    if (known !== undefined) return known;
    const hits = await places.search((db) =>
      db.selectFrom('api_keys').select('company_id').where('key_hash', '=', hash).executeTakeFirst(),
    );
    const [hit] = hits;
    if (hit === undefined) return null;
    if (companies.size >= MOST_KEYS) companies.clear();
    companies.set(hash, hit[1].company_id);
    return hit[1].company_id;
  };

  return async (request) => {
    const { headers, url = '' } = request;
    const ticket = /[?&]ticket=([^&#]+)/.exec(url)?.[1];
    if (ticket !== undefined) {
      const hash = keyHash(decoded(ticket));
      const hits = await places.search((db) =>
        db.selectFrom('tickets').select('hash').where('hash', '=', hash).executeTakeFirst(),
      );
      if (hits[0] !== undefined) return hits[0][0];
    }
    const { user_company_api_key: key } = headers;
    if (typeof key === 'string') {
      const companyId = await companyOfKey(keyHash(key));
      return companyId === null ? null : places.of(companyId);
    }
    const token = tokenOf(request);
    if (token === undefined) return null;
    const access = await tokens.verify(token).catch((error: unknown) => {
      // The host words the refusal of a token that is not valid.
      if ((error as { readonly status?: unknown }).status === 401) return null;
      throw error;
    });
    return access === null ? null : places.of(access.companyId);
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
