/** The routing engine chosen by the options of `wayzone route`. Only this module uses the network, timers and Valhalla's package. */

import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expected, inputError, messageOf, WayzoneError } from '../../../core/errors.js';
import {
  type HttpOptions,
  osrmEngine,
  type RoutingEngine,
  straightLineEngine,
  type ValhallaActor,
  valhallaEngine,
} from '../../../routing/index.js';

export interface EngineFlags {
  readonly engine?: 'straight' | 'osrm' | 'valhalla';
  readonly url?: string;
  readonly tiles?: string;
  readonly profile?: string;
  readonly speed?: number;
  readonly timeout: number;
}

const PACKAGE = '@valhallajs/valhallajs';

/** The engine: `--tiles` without `--engine` means Valhalla; without both it is `straight`. `folder`: the working directory. */
export async function routeEngine(flags: EngineFlags, folder: string): Promise<RoutingEngine> {
  const { engine = flags.tiles === undefined ? 'straight' : 'valhalla', url, tiles, profile } = flags;
  if (engine === 'straight') {
    return straightLineEngine(flags.speed === undefined ? {} : { speedKph: flags.speed });
  }
  if (engine === 'osrm') {
    return osrmEngine({ ...httpOptions(url ?? '', flags), ...(profile === undefined ? {} : { profile }) });
  }
  const costing = profile === undefined ? {} : { costing: profile };
  if (tiles === undefined) return valhallaEngine({ ...httpOptions(url ?? '', flags), ...costing });
  return valhallaEngine({ actor: await valhallaActor(tiles, folder), ...costing });
}

function httpOptions(url: string, { timeout }: EngineFlags): HttpOptions {
  return {
    url,
    fetch,
    timeoutSeconds: timeout,
    wait: async (seconds, signal) => {
      await sleep(seconds * 1000, undefined, signal === undefined ? {} : { signal });
    },
  };
}

/** The part of Valhalla's package that is used. */
interface ValhallaPackage {
  readonly Actor: new (config: object) => ValhallaActor;
  readonly getConfig: (options: { tileDir: string; tileExtract: string }) => Promise<object>;
}

/**
 * An actor on tiles of `valhalla build_tiles`: a folder, or a `.tar` of it. Errors: `tiles-missing`, `valhalla-missing`, `tiles-unusable`.
 */
async function valhallaActor(tiles: string, folder: string): Promise<ValhallaActor> {
  const path = resolve(folder, tiles);
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw inputError('tiles-missing', '--tiles', 'a folder or .tar of Valhalla tiles', tiles);
  }
  const { Actor, getConfig } = await loadPackage(folder);
  try {
    // The package requires both paths. A path that does not exist counts as absent.
    const config = await getConfig(
      found.isDirectory()
        ? { tileDir: path, tileExtract: join(path, 'none.tar') }
        : { tileDir: `${path}.none`, tileExtract: path },
    );
    return new Actor(config);
  } catch (error) {
    const message = messageOf(error);
    throw new WayzoneError(
      'tiles-unusable',
      '--tiles',
      `${expected('tiles that Valhalla reads', tiles)}: ${message}`,
      {
        cause: error,
      },
    );
  }
}

/** The package installed in the working directory, else next to wayzone. It is not a dependency of wayzone. */
async function loadPackage(folder: string): Promise<ValhallaPackage> {
  for (const from of [join(folder, 'package.json'), import.meta.url]) {
    let file: string;
    try {
      file = createRequire(from).resolve(PACKAGE);
    } catch {
      continue;
    }
    const loaded = (await import(pathToFileURL(file).href)) as { readonly default: ValhallaPackage };
    return loaded.default;
  }
  throw new WayzoneError(
    'valhalla-missing',
    '--tiles',
    `expected the package ${PACKAGE}, received none: npm install ${PACKAGE}`,
  );
}
