/** Requirements of some tests beside Node: programs of the system, real data, other versions of Node. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, type SuiteAPI, type TestAPI, test } from 'vitest';
import { hasData } from './interchange/realData.js';

export interface Need {
  readonly name: string;
  readonly isThere: boolean;
  /** Whether `.ci/run` installs it. */
  readonly isInstalled?: boolean;
}

/** Set by `.ci/run`: a missing program fails the file instead of skipping its tests. */
const IS_COMPLETE = process.env['WAYZONE_NEEDS'] === 'all';

/** `test` and `describe` that skip if a requirement is missing. Titles contain `needs NAME`, which the summary shows. */
export function needs(...list: readonly Need[]): { readonly test: TestAPI; readonly describe: SuiteAPI } {
  for (const { name, isThere, isInstalled } of list)
    if (IS_COMPLETE && isInstalled && !isThere)
      throw new Error(`expected ${name}, which .ci/run installs, received none`);
  const skips = list.some(({ isThere }) => !isThere);
  return {
    test: (skips ? test.skip : test) as TestAPI,
    describe: (skips ? describe.skip : describe) as SuiteAPI,
  };
}

function program(name: string, command: string, ...args: readonly string[]): Need {
  return { name, isThere: spawnSync(command, args).error === undefined, isInstalled: true };
}

/** The path of Chromium; the environment may give another. */
export const CHROMIUM_PATH: string = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
export const CHROMIUM: Need = { name: 'Chromium', isThere: existsSync(CHROMIUM_PATH), isInstalled: true };

export const XMLLINT: Need = program('xmllint', 'xmllint', '--version');
export const OGR2OGR: Need = program('ogr2ogr', 'ogr2ogr', '--version');
export const CS2CS: Need = program('cs2cs', 'cs2cs', '--version');
export const SCRIPT: Need = program('script', 'script', '--version');

export const NATS_SERVER: Need = program('nats-server', 'nats-server', '--version');

export const HELM: Need = { ...program('helm', 'helm', 'version'), isInstalled: false };

/** Debian puts it where the path of most users does not lead. */
export const MOSQUITTO_PATH: string = '/usr/sbin/mosquitto';
export const MOSQUITTO: Need = { name: 'mosquitto', isThere: existsSync(MOSQUITTO_PATH), isInstalled: true };

/** Brokers of a Kafka cluster, `kafka://host:port`, whose topics a test may write. */
export const KAFKA_URL: string | undefined = process.env['WAYZONE_KAFKA'];
export const KAFKA: Need = { name: 'WAYZONE_KAFKA', isThere: KAFKA_URL !== undefined };

/** What `npm run test:kafka` installs by Maven: Kafka's own jars. */
export const KAFKA_JARS_PATH: string = resolve(import.meta.dirname, '../out/kafka');
export const KAFKA_JARS: Need = { name: 'npm run test:kafka', isThere: existsSync(KAFKA_JARS_PATH) };

const POSTGRES = '/usr/lib/postgresql';
const version = existsSync(POSTGRES) ? readdirSync(POSTGRES).sort().at(-1) : undefined;
/** The folder of PostgreSQL's server programs in Debian's packages. */
export const POSTGRES_PATH: string = `${POSTGRES}/${version}/bin`;
export const POSTGRESQL: Need = {
  name: 'PostgreSQL',
  isThere: existsSync(`${POSTGRES_PATH}/initdb`),
  isInstalled: true,
};

const EXTENSIONS = `/usr/share/postgresql/${version}/extension`;
export const POSTGIS: Need = {
  name: 'PostGIS',
  isThere: POSTGRESQL.isThere && existsSync(`${EXTENSIONS}/postgis.control`),
};

/** A folder with the generators of clients and the linters of the document that `.ci/run` installs. */
export const GENERATORS_PATH: string | undefined = process.env['WAYZONE_GENERATORS'];
export const GENERATORS: Need = {
  name: 'WAYZONE_GENERATORS',
  isThere: GENERATORS_PATH !== undefined,
  isInstalled: true,
};

/** A package of the folder of generators. */
export const generator = (name: string): unknown =>
  createRequire(resolve(GENERATORS_PATH!, 'package.json'))(name);

/** The folder of Valhalla; see `npm run test:valhalla`. */
export const VALHALLA_PATH: string | undefined = process.env['WAYZONE_VALHALLA'];
export const VALHALLA: Need = {
  name: 'WAYZONE_VALHALLA',
  isThere: VALHALLA_PATH !== undefined,
  isInstalled: true,
};

/** What `npm run test:spark` installs: `spark-submit` of PySpark. */
export const SPARK_PATH: string = resolve(import.meta.dirname, '../out/spark/bin/spark-submit');
export const SPARK: Need = { name: 'npm run test:spark', isThere: existsSync(SPARK_PATH) };

/** What `npm run test:restate` installs: Restate, its SDK and Node 22. */
export const RESTATE_PATH: string = resolve(import.meta.dirname, '../adapters/restate/node_modules');
export const RESTATE: Need = {
  name: 'Restate',
  isThere: existsSync(`${RESTATE_PATH}/@restatedev/restate-server-linux-x64/bin/restate-server`),
};

/** A file or folder of the real data beside the repository, which most machines lack. */
export function sharedData(path: string): Need {
  return { name: `../shared/data/${path}`, isThere: hasData(path) };
}
