/** Opens, edits, removes and imports zones, and updates the map. */

import { button, byId, fill } from '../../../../src/report/client/shared/index.js';
import { ApiError } from './api.js';
import { type App, failureText, type PageZone } from './app.js';
import { boxOf, type Tile, touchedTiles } from './boxOf.js';
import type { Fleet } from './fleet.js';
import { say } from './say.js';
import { createZoneCard, sureButton, type ZoneCard } from './zoneCard.js';
import type { ZoneNames } from './zoneNames.js';
import { createZonePanel } from './zonePanel.js';

const MAX_TILE_ZOOM = 16;

export interface ZoneDesk {
  /** Shows the card of a zone. */
  readonly open: (id: string) => Promise<void>;
  /** Shows the form of an import; `file` null: somebody chooses one there. */
  readonly importFile: (file: File | null) => Promise<void>;
  /** The company's zones have a new version. */
  readonly written: (version: number, before: number) => void;
  /** Vehicles have moved. */
  readonly moved: () => void;
  /** A vehicle has entered or left a zone. */
  readonly visited: (zoneId: string) => void;
}

export function createZoneDesk(app: App, fleet: Fleet, names: ZoneNames): ZoneDesk {
  const { api, words, tabs, fleetMap } = app;
  const { map } = fleetMap;
  let card: ZoneCard | null = null;
  /** Versions of the zones that this page has made itself, whose tiles are refreshed already. */
  const ownVersions = new Set<number>();
  /** The version of the zones that the last positions know. */
  let known = 0;

  const actions = app.mayEdit
    ? [
        button(words.newZone, () => void edit(null, null)),
        button(words.importFile, () => void importFile(null)),
        button(words.suggest, () => void suggest()),
      ]
    : [];
  const zones = createZonePanel(app, (id) => void open(id, true), actions);

  async function open(id: string, isMoved: boolean): Promise<void> {
    try {
      const { body: zone, tag } = await api.get<PageZone>(`/geozones?${new URLSearchParams({ ids: id })}`);
      tabs.choose('zones');
      choose(id);
      const own = versionOf(tag);
      // Until their next message the positions do not know a zone that was just written.
      const isCurrent = (): boolean => own <= known;
      card = createZoneCard(app, fleet, zone, isCurrent, [
        ...(app.mayEdit
          ? [
              button(words.edit, () => void edit(zone, tag)),
              sureButton(app, words.remove, zone.name, () => void remove(zone, tag)),
            ]
          : []),
        button(words.close, close),
      ]);
      zones.replace(card.node);
      card.node.querySelector('h2')!.focus();
      const box = boxOf(zone);
      if (isMoved && box !== null) fleetMap.show(box);
    } catch (error) {
      say(failureText(app, error));
    }
  }
  function close(): void {
    card = null;
    choose('');
    zones.replace(null);
    byId('tab-zones').focus();
  }
  function choose(id: string): void {
    for (const name of ['zone-chosen', 'zone-chosen-point']) map.setFilter(name, ['==', ['get', 'id'], id]);
  }
  async function remove(zone: PageZone, tag: string | null): Promise<void> {
    try {
      const path = `/geozones/${encodeURIComponent(zone.id)}`;
      const answer = await api.send('DELETE', path, undefined, tag === null ? {} : { 'if-match': tag });
      refresh([zone], answer.tag);
      close();
      say(fill(words.removed, { name: zone.name }));
    } catch (error) {
      say(failureText(app, error));
      // Shows the zone as it is now.
      if (error instanceof ApiError && error.status === 412) await open(zone.id, false);
    }
  }
  /** Draws the tiles again that the zones, as they were and as they are, touch. */
  function refresh(changed: readonly PageZone[], tag: string | null): void {
    // The tag of a written row is the version of the write.
    ownVersions.add(versionOf(tag));
    zones.refresh();
    names.forget();
    const tiles: Tile[] = [];
    for (const zone of changed) {
      const box = boxOf(zone);
      const touched = box === null ? null : touchedTiles(box, MAX_TILE_ZOOM);
      if (touched === null) {
        map.refreshTiles('zones');
        return;
      }
      tiles.push(...touched);
    }
    map.refreshTiles('zones', tiles);
  }
  async function edit(zone: PageZone | null, tag: string | null): Promise<void> {
    const { editZone } = await import('./editZone.js');
    card = null;
    choose('');
    const view = editZone(app, zone, tag, {
      saved(before, after, written) {
        refresh(before === null ? [after] : [before, after], written);
        say(fill(words.saved, { name: after.name }));
        void open(after.id, false);
      },
      closed: () => (zone === null ? close() : void open(zone.id, false)),
    });
    tabs.choose('zones');
    zones.replace(view);
  }
  async function importFile(file: File | null): Promise<void> {
    const { importZones } = await import('./importZones.js');
    card = null;
    tabs.choose('zones');
    const view = importZones(app, file, {
      stored(count) {
        map.refreshTiles('zones');
        zones.refresh();
        say(fill(words.stored, { count }));
        close();
      },
      closed: close,
    });
    zones.replace(view);
  }
  async function suggest(): Promise<void> {
    const { suggestPlaces } = await import('./suggestPlaces.js');
    card = null;
    choose('');
    const view = suggestPlaces(app, fleet, {
      saved(zone, tag) {
        refresh([zone], tag);
        say(fill(words.saved, { name: zone.name }));
      },
      closed: close,
    });
    zones.replace(view);
  }

  return {
    open: (id) => open(id, false),
    importFile,
    written(version, before) {
      known = version;
      card?.moved();
      let own = 0;
      for (let i = before + 1; i <= version; i++) if (ownVersions.has(i)) own++;
      // Every write is this page's own.
      if (own === version - before) return;
      map.refreshTiles('zones');
      zones.refresh();
      names.forget();
    },
    moved: () => card?.moved(),
    visited: (zoneId) => card?.visited(zoneId),
  };
}

/** The tag of a zone begins with the version of its last write. 0 without a tag. */
function versionOf(tag: string | null): number {
  return Number(/\d+/.exec(tag ?? '')?.[0] ?? 0);
}
