/** The databases of a host of several: `DATABASES`, names and addresses. A company is in the one that has its row. */

import { WayzoneError } from 'wayzone';

export interface NamedDatabase {
  readonly name: string;
  /** Of PostgreSQL. */
  readonly url: string;
}

const FORM = 'names and addresses as main=postgres://… east=postgres://…';

/** Reads `name=url` pairs, separated by white space. Empty without the variable. Throws `option-value`. */
export function readDatabases(text: string = ''): NamedDatabase[] {
  const databases: NamedDatabase[] = [];
  for (const pair of text.split(/\s+/).filter((one) => one !== '')) {
    const [, name, url] = /^([a-z][a-z0-9-]{0,29})=(postgres(?:ql)?:\/\/.+)$/.exec(pair) ?? [];
    // An address may hold a password, so it is not repeated.
    if (name === undefined || url === undefined || !URL.canParse(url))
      throw wrong(FORM, `${/^[a-z][a-z0-9-]*(?==)/.exec(pair)?.[0] ?? 'a pair'} in another form`);
    if (databases.some((one) => one.name === name)) throw wrong('each name once', `${name} twice`);
    const twin = databases.find((one) => one.url === url);
    if (twin !== undefined) throw wrong('each address once', `that of ${twin.name} for ${name} too`);
    databases.push({ name, url });
  }
  return databases;
}

/**
 * The settings for the database of that name alone. Throws `required` if there are several and none is named, `database-unknown` for another name.
 */
export function ofDatabase<Given extends { readonly databases: readonly NamedDatabase[] }>(
  settings: Given,
  name: unknown,
): Given | (Given & { readonly databaseUrl: string }) {
  const { databases } = settings;
  if (databases.length === 0 && name === undefined) return settings;
  const wanted = `one of ${databases.map((one) => one.name).join(', ') || 'DATABASES'}`;
  if (name === undefined)
    throw new WayzoneError('required', '--database', `expected ${wanted}, received none`);
  const found = databases.find((one) => one.name === name);
  if (found !== undefined) return { ...settings, databaseUrl: found.url };
  const received = JSON.stringify(name).slice(0, 60);
  throw new WayzoneError('database-unknown', '--database', `expected ${wanted}, received ${received}`);
}

function wrong(wanted: string, received: string): WayzoneError {
  return new WayzoneError('option-value', 'DATABASES', `expected ${wanted}, received ${received}`);
}
