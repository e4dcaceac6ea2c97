/** The metrics of a process of several databases as one answer. Those of a database have its name as a label. */

import { AggregatorRegistry, type Registry } from 'prom-client';

export async function joinedMetrics(
  process: Registry,
  databases: readonly Registry[],
): Promise<{ readonly type: string; readonly body: string }> {
  const all = await Promise.all(databases.map((one) => one.getMetricsAsJSON()));
  const texts = await Promise.all([process.metrics(), AggregatorRegistry.aggregate(all).metrics()]);
  return { type: process.contentType, body: `${texts.join('\n').trim()}\n` };
}
