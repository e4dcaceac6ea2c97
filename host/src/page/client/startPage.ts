/** Connects the parts of the page: panels, map, events. */

import type { MapMouseEvent } from 'maplibre-gl';
import { byId } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { ApiError } from './api.js';
import { type App, button, failureText, type PageZone } from './app.js';
import { type Box, boxOf, boxOfPositions } from './boxOf.js';
import { createReplayPanel } from './createReplayPanel.js';
import { createTripPanel } from './createTripPanel.js';
import { createFleet } from './fleet.js';
import { say } from './say.js';
import { startEvents } from './startEvents.js';
import { touchedTiles } from './touchedTiles.js';
import { createVehicleLayer } from './vehicleLayer.js';
import { createVehiclePanel } from './vehiclePanel.js';
import { createZoneCard, sureButton, type ZoneCard } from './zoneCard.js';
import { createZoneNames } from './zoneNames.js';
import { createZonePanel } from './zonePanel.js';

/** Pixels around a click within which zones and vehicles are found. */
const REACH = 4;
const COARSE_REACH = 14;
const MAX_TILE_ZOOM = 16;

export async function startPage(app: App): Promise<void> {
  const { api, words, tabs, fleetMap } = app;
  const { map } = fleetMap;
  const fleet = await createFleet(api);
  const names = createZoneNames(api);
  const layer = createVehicleLayer(fleet, fleetMap);
  let card: ZoneCard | null = null;
  /** Versions of the zones that this page has made itself, whose tiles are refreshed already. */
  const ownVersions = new Set<number>();

  const actions = app.mayEdit
    ? [
        button(words.newZone, () => void edit(null, null)),
        button(words.importFile, () => void importFile(null)),
      ]
    : [];
  const zones = createZonePanel(app, (id) => void open(id, true), actions);
  const vehicles = createVehiclePanel(app, fleet, names, layer);
  createReplayPanel(app, fleet, layer);
  createTripPanel(app);

  async function open(id: string, isMoved: boolean): Promise<void> {
    try {
      const { body: zone, tag } = await api.get<PageZone>(`/geozones?${new URLSearchParams({ ids: id })}`);
      tabs.choose('zones');
      choose(id);
      card = createZoneCard(app, fleet, zone, [
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
      const answer = await api.send(
        'DELETE',
        `/geozones/${encodeURIComponent(zone.id)}`,
        undefined,
        tag === null ? {} : { 'if-match': tag },
      );
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
    ownVersions.add(Number(tag?.replace(/\D/g, '')));
    zones.refresh();
    names.forget();
    const tiles = changed.map((zone) => {
      const box = boxOf(zone);
      return box === null ? null : touchedTiles(box, MAX_TILE_ZOOM);
    });
    if (tiles.some((list) => list === null)) map.refreshTiles('zones');
    else
      map.refreshTiles(
        'zones',
        tiles.flatMap((list) => list!),
      );
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

  const reach = matchMedia('(pointer: coarse)').matches ? COARSE_REACH : REACH;
  const found = ({ point: { x, y } }: MapMouseEvent, layers: string[]): string | null => {
    const hits = map.queryRenderedFeatures(
      [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ],
      { layers },
    );
    // The smallest of several areas is drawn last.
    return (hits[0]?.properties['id'] as string | undefined) ?? null;
  };
  map.on('click', (event) => {
    if (document.body.dataset['mode'] === 'edit') return;
    const unitId = found(event, ['vehicles']);
    if (unitId !== null) {
      layer.choose(unitId);
      tabs.choose('vehicles');
      return;
    }
    const zoneId = found(event, ['zone-point', 'zone-border', 'zone-area']);
    if (zoneId !== null) void open(zoneId, false);
  });
  for (const name of ['vehicles', 'zone-area', 'zone-point']) {
    map.on('mouseenter', name, () => {
      map.getCanvas().style.cursor = 'pointer';
    });
    map.on('mouseleave', name, () => {
      map.getCanvas().style.cursor = '';
    });
  }
  if (app.mayEdit) listenForFiles((file) => void importFile(file));

  fleet.whenMoved(() => card?.moved());
  let isPlaced = false;
  startEvents(api, {
    positions(units) {
      fleet.take(units);
      if (isPlaced) return;
      isPlaced = true;
      if (!fleetMap.isMoved()) showFleet(app, units);
    },
    visit: vehicles.visit,
    connected: vehicles.connected,
    zones(version, before) {
      let own = 0;
      for (let i = before + 1; i <= version; i++) if (ownVersions.has(i)) own++;
      // Every write is this page's own.
      if (own === version - before) return;
      map.refreshTiles('zones');
      zones.refresh();
      names.forget();
    },
  });
  if (!(await hasPositions()) && !fleetMap.isMoved()) await showZones(app);

  /** Waits for the first message, so that the map moves once. */
  async function hasPositions(): Promise<boolean> {
    for (let i = 0; i < 20 && !isPlaced; i++) await new Promise((resolve) => setTimeout(resolve, 100));
    return isPlaced;
  }
}

function showFleet(
  { fleetMap }: App,
  units: readonly { readonly lon: number; readonly lat: number }[],
): void {
  const box = boxOfPositions(units.map(({ lon, lat }) => [lon, lat]));
  if (box !== null) fleetMap.show(box, 12);
}

/** Shows all zones. */
async function showZones({ api, fleetMap }: App): Promise<void> {
  const { body } = await api.get<{ readonly bounds: Box }>('/tiles');
  fleetMap.show(body.bounds, 13);
}

function listenForFiles(take: (file: File) => void): void {
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    take(file);
  });
}
