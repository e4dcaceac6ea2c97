/** The engine that `wayzone route` asks, from its options: here alone are the network, timers and Valhalla's package. */

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

/** `--tiles` alone means Valhalla, nothing the straight line. `folder`: where the program was started. */
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

/** As much of Valhalla's package as is used. */
interface ValhallaPackage {
  readonly Actor: new (config: object) => ValhallaActor;
  readonly getConfig: (options: { tileDir: string; tileExtract: string }) => Promise<object>;
}

/** An actor on tiles that `valhalla build_tiles` made: a folder, or a `.tar` of one. Errors: `tiles-missing`, `valhalla-missing`, `tiles-unusable`. */
async function valhallaActor(tiles: string, folder: string): Promise<ValhallaActor> {
  const path = resolve(folder, tiles);
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw inputError('tiles-missing', '--tiles', 'a folder or .tar of Valhalla tiles', tiles);
  }
  const { Actor, getConfig } = await loadPackage(folder);
  try {
    // The package takes the folder that stands in the place of the other for one that is not there.
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

/** The package of the folder where the program was started, else the one beside wayzone: it is never a dependency. */
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
