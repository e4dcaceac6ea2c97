/** Connects the parts of the page: panels, map, events. */

import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl';
import type { App } from './app.js';
import { type Box, boxOfPositions } from './boxOf.js';
import { createReplayPanel } from './createReplayPanel.js';
import { createTripPanel } from './createTripPanel.js';
import { createFleet } from './fleet.js';
import { startEvents } from './startEvents.js';
import { createVehicleLayer } from './vehicleLayer.js';
import { createVehiclePanel } from './vehiclePanel.js';
import { createZoneDesk } from './zoneDesk.js';
import { createZoneNames } from './zoneNames.js';

/** Pixels around a click within which zones and vehicles are found. */
const REACH = 4;
const COARSE_REACH = 14;

export async function startPage(app: App): Promise<void> {
  const { api, tabs, fleetMap } = app;
  const fleet = await createFleet(api);
  const names = createZoneNames(api, app.words.goneZone);
  const layer = createVehicleLayer(fleet, fleetMap);
  const desk = createZoneDesk(app, fleet, names);
  const vehicles = createVehiclePanel(app, fleet, names, layer);
  createReplayPanel(app, fleet, layer);
  createTripPanel(app, fleet);
  listenToMap(app, {
    vehicle(unitId) {
      tabs.choose('vehicles');
      vehicles.choose(unitId);
    },
    zone: (id) => void desk.open(id),
  });
  if (app.mayEdit) listenForFiles((file) => void desk.importFile(file));

  fleet.whenMoved(desk.moved);
  let isPlaced = false;
  startEvents(api, {
    positions(units) {
      fleet.take(units);
      if (isPlaced) return;
      isPlaced = true;
      if (!fleetMap.isMoved()) showFleet(app, units);
    },
    visit(event) {
      vehicles.visit(event);
      desk.visited(event.zoneId);
    },
    connected: vehicles.connected,
    zones: desk.written,
  });
  if (!(await hasPositions()) && !fleetMap.isMoved()) await showZones(app);

  /** Waits for the first message, so that the map moves once. */
  async function hasPositions(): Promise<boolean> {
    for (let i = 0; i < 20 && !isPlaced; i++) await new Promise((resolve) => setTimeout(resolve, 100));
    return isPlaced;
  }
}

interface MapClicks {
  readonly vehicle: (unitId: string) => void;
  readonly zone: (id: string) => void;
}

/** Tells which vehicle or zone is clicked, but not while a zone is edited. A crowd of vehicles is spread out. */
function listenToMap({ fleetMap }: App, clicked: MapClicks): void {
  const { map } = fleetMap;
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
  const spread = async (crowdId: number, { lngLat: { lng, lat } }: MapMouseEvent): Promise<void> => {
    const zoom = await map.getSource<GeoJSONSource>('vehicles')!.getClusterExpansionZoom(crowdId);
    fleetMap.show([lng, lat, lng, lat], zoom);
  };
  map.on('click', (event) => {
    if (document.body.dataset['mode'] === 'edit') return;
    const [crowd] = map.queryRenderedFeatures(event.point, { layers: ['vehicle-crowd'] });
    if (crowd !== undefined) return void spread(crowd.properties['cluster_id'] as number, event);
    const unitId = found(event, ['vehicles']);
    if (unitId !== null) return clicked.vehicle(unitId);
    const zoneId = found(event, ['zone-point', 'zone-border', 'zone-area']);
    if (zoneId !== null) clicked.zone(zoneId);
  });
  for (const name of ['vehicles', 'vehicle-crowd', 'zone-area', 'zone-point']) {
    map.on('mouseenter', name, () => {
      map.getCanvas().style.cursor = 'pointer';
    });
    map.on('mouseleave', name, () => {
      map.getCanvas().style.cursor = '';
    });
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
