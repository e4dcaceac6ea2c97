/** The dependencies that every resource file receives. */

import type { Logger } from 'pino';
import type { IssuerRedirects } from './auth/issuerRedirects.js';
import type { SignIn } from './auth/signInLinks.js';
import type { TokenVerifier } from './auth/tokens.js';
import type { Devices } from './devices.js';
import type { Compute } from './jobs/compute.js';
import type { LiveChanges } from './live/liveChanges.js';
import type { UnitKeys } from './live/unitKeys.js';
import type { Metrics } from './metrics.js';
import type { Settings } from './settings.js';
import type { Storage } from './storage/storage.js';
import type { LiveStream } from './stream/liveStream.js';
import type { ZoneCache } from './zones/zoneCache.js';

export interface Context {
  readonly storage: Storage;
  readonly zones: ZoneCache;
  readonly units: UnitKeys;
  /** Finds the units of device keys, in all databases of the process. */
  readonly deviceOf: Devices;
  /** Processes for the computations of requests. */
  readonly compute: Compute;
  readonly live: LiveStream;
  readonly changes: LiveChanges;
  readonly metrics: Metrics;
  readonly tokens: TokenVerifier;
  /** Sign-in by links; null where others sign the tokens. */
  readonly links: SignIn | null;
  /** Sign-in by a redirect to an issuer; null without one. */
  readonly issuerSignIn: IssuerRedirects | null;
  readonly settings: Settings;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The clock of the database, epoch milliseconds. */
  readonly databaseNow: () => Promise<number>;
}
