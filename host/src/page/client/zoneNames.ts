/** Names of zones by id, asked together. */

import type { Geozone } from 'wayzone';
import { type Api, ApiError } from './api.js';

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
/** Milliseconds after which a host that did not answer is asked again. */
const AGAIN_MS = 5000;
/** Number of ids in one request, so that its address stays below 8 kB. */
const BATCH = 150;

/** `gone`: the name of zones that the host does not have. */
export function createZoneNames(api: Api, gone: string): ZoneNames {
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
    let found: readonly Geozone[] = [];
    try {
      const { body } = await api.get<Geozone | readonly Geozone[]>(`/geozones?${query}`);
      found = Array.isArray(body) ? body : [body as Geozone];
    } catch (error) {
      // A host that does not answer is asked again. One unknown id alone is 404, several are an empty list.
      if (error instanceof ApiError && error.status !== 404) {
        for (const id of ids) wanted.add(id);
        timer ??= setTimeout(run, AGAIN_MS);
        return;
      }
    }
    for (const id of ids) names.set(id, gone);
    for (const { id, name } of found) names.set(id, name);
    for (const draw of draws) draw();
  };
  const run = (): void => void ask();

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
