/** Names of zones by id, asked together. */

import type { Geozone } from 'wayzone';
import type { Api } from './api.js';

export interface ZoneNames {
  /** The name; null while it is asked for. */
  readonly of: (id: string) => string | null;
  /** Calls `draw` when names have come. */
  readonly whenKnown: (draw: () => void) => void;
  /** Forgets all names after zones were changed. */
  readonly forget: () => void;
}

/** Milliseconds for which ids are collected. */
const WAIT_MS = 100;
/** Number of ids in one request, so that its address stays below 8 kB. */
const BATCH = 150;

export function createZoneNames(api: Api): ZoneNames {
  const names = new Map<string, string>();
  const wanted = new Set<string>();
  const draws: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ask = async (): Promise<void> => {
    timer = undefined;
    const ids = [...wanted].slice(0, BATCH);
    for (const id of ids) wanted.delete(id);
    if (wanted.size > 0) timer = setTimeout(run, WAIT_MS);
    const query = new URLSearchParams({ ids: ids.join(',') });
    const { body } = await api.get<Geozone | readonly Geozone[]>(`/geozones?${query}`);
    for (const id of ids) names.set(id, id);
    for (const zone of Array.isArray(body) ? body : [body as Geozone]) names.set(zone.id, zone.name);
    for (const draw of draws) draw();
  };
  // A zone without an answer is shown by its id until the next event names it.
  const run = (): void => void ask().catch(() => {});

  return {
    of(id) {
      const name = names.get(id);
      if (name !== undefined) return name;
      wanted.add(id);
      timer ??= setTimeout(run, WAIT_MS);
      return null;
    },
    whenKnown: (draw) => void draws.push(draw),
    forget: () => names.clear(),
  };
}
