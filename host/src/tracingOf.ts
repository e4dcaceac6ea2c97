/** Traces by the settings. Their packages are loaded only where they are wanted. */

import type { Logger } from 'pino';
import type { Settings } from './settings.js';
import type { Tracing } from './tracing.js';

/** null without a collector. Throws `tracing-missing` without the packages. */
export async function tracingOf(
  { tracesUrl, serviceName }: Settings,
  log: Pick<Logger, 'warn'>,
): Promise<Tracing | null> {
  if (tracesUrl === null) return null;
  const { startTracing } = await import('./tracing.js');
  return startTracing({ tracesUrl, serviceName }, log);
}
