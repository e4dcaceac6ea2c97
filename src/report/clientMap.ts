/** The part of the page's script that draws: zones, tracks, visits, graticule. It runs in the reader's browser. */

export const CLIENT_MAP: string = `
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const map = L.map('map', { preferCanvas: true, attributionControl: false, zoomSnap: 0.5, worldCopyJump: false });
L.control.scale({ imperial: false, maxWidth: 140, position: 'topright' }).addTo(map);

/** Layers from the bottom up, each on a canvas of its own. */
const canvas = {};
['grid', 'zones', 'tracks', 'visits', 'found'].forEach((name, i) => {
  map.createPane(name).style.zIndex = 410 + i * 10;
  canvas[name] = L.canvas({ pane: name, padding: 0.3, tolerance: name === 'visits' ? 4 : 2 });
  if (name === 'grid' || name === 'found') map.getPane(name).style.pointerEvents = 'none';
});

function unpack(packed) {
  const line = [];
  let lat = 0;
  let lon = 0;
  for (let i = 0; i < packed.length; i += 2) {
    lat += packed[i];
    lon += packed[i + 1];
    line.push([lat / 1e6, lon / 1e6]);
  }
  return line;
}

/** The zone's outline; for a bare point a dot. */
function outlineOf(zone, style) {
  const shape = zone.shape.map((rings) => rings.map(unpack));
  const options = { renderer: canvas.zones, color: zone.color, weight: 1.5, fillOpacity: 0.16, smoothFactor: 0.3, ...style };
  if (shape[0][0].length === 1) return L.circleMarker(shape[0][0][0], { ...options, radius: 5, fillOpacity: 0.7 });
  return L.polygon(shape, options);
}

/** A line shows in the middle of its corridor. */
function zoneLayer(zone) {
  const outline = outlineOf(zone);
  if (zone.line === null) return L.featureGroup([outline]);
  const options = { renderer: canvas.zones, color: zone.color, weight: 1.5, dashArray: '6 4', smoothFactor: 0.3 };
  return L.featureGroup([outline, L.polyline(unpack(zone.line), options)]);
}

const zonesGroup = L.featureGroup().addTo(map);
const zoneLayers = data.zones.map((zone, i) => {
  const layer = zoneLayer(zone);
  layer.bindTooltip(() => textBlock([zone.name, zone.type]), { sticky: true });
  layer.on('click', (event) => {
    L.DomEvent.stopPropagation(event);
    findZone(i, event.latlng);
  });
  return layer.addTo(zonesGroup);
});

const tracksGroup = L.layerGroup().addTo(map);
const visitsGroup = L.layerGroup().addTo(map);
const unitVisits = data.units.map(() => L.layerGroup());
/** Many tracks are drawn lightly, so that what lies under them shows. */
const trackStyle = data.units.length > 30 ? { weight: 1, opacity: 0.45 } : { weight: 2, opacity: 0.75 };
const unitTracks = data.units.map((unit) =>
  L.featureGroup(
    unit.lines.map((packed) =>
      L.polyline(unpack(packed), { renderer: canvas.tracks, color: unit.color, ...trackStyle }),
    ),
  ).bindTooltip(() => textBlock([unit.id]), { sticky: true }),
);
const visitMarkers = data.visits.map((visit, i) => {
  const unit = data.units[visit[0]];
  const marker = L.circleMarker(visit[7], {
    renderer: canvas.visits, radius: 4, weight: 1.2, color: '#ffffff', fillColor: unit.color, fillOpacity: 0.95,
  });
  marker.on('click', (event) => {
    L.DomEvent.stopPropagation(event);
    findVisit(i);
  });
  return marker.addTo(unitVisits[visit[0]]);
});

const shown = data.units.map(() => true);
const show = { zones: true, tracks: true, visits: true };
function redraw() {
  if (show.zones) zonesGroup.addTo(map);
  else zonesGroup.remove();
  data.units.forEach((_, i) => {
    if (shown[i] && show.tracks) unitTracks[i].addTo(tracksGroup);
    else tracksGroup.removeLayer(unitTracks[i]);
    if (shown[i] && show.visits) unitVisits[i].addTo(visitsGroup);
    else visitsGroup.removeLayer(unitVisits[i]);
  });
}

/** Lines of whole degrees, minutes or decimals, with their values on the edge: the map has no tiles. */
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
const grid = L.layerGroup().addTo(map);
function gridLine(line, text, at, anchor) {
  L.polyline(line, { renderer: canvas.grid, color: css('--grid'), weight: 1, interactive: false }).addTo(grid);
  const label = document.createElement('span');
  label.className = 'grid-label';
  label.textContent = text;
  const icon = L.divIcon({ className: '', html: label, iconSize: [0, 0], iconAnchor: anchor });
  L.marker(at, { icon, interactive: false, keyboard: false, pane: 'grid' }).addTo(grid);
}
function regrid() {
  grid.clearLayers();
  const view = map.getBounds();
  const size = map.getSize();
  const [south, north] = [Math.max(-85, view.getSouth()), Math.min(85, view.getNorth())];
  const [west, east] = [view.getWest(), view.getEast()];
  const wanted = ((east - west) * 110) / size.x;
  const step = STEPS.filter((value) => value >= wanted).pop() || STEPS[0];
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  for (let k = Math.ceil(west / step); k * step <= east; k++) {
    const lon = k * step;
    const name = ((((lon + 180) % 360) + 360) % 360) - 180;
    const at = map.containerPointToLatLng([0, size.y - 18]).lat;
    gridLine([[south, lon], [north, lon]], Math.abs(name).toFixed(digits) + '°' + (name < 0 ? 'W' : 'E'), [at, lon], [-3, 0]);
  }
  for (let k = Math.ceil(south / step); k * step <= north; k++) {
    const lat = k * step;
    const at = map.containerPointToLatLng([size.x - 62, 0]).lng;
    gridLine([[lat, west], [lat, east]], Math.abs(lat).toFixed(digits) + '°' + (lat < 0 ? 'S' : 'N'), [lat, at], [0, 17]);
  }
}

/** Draws one thing over all others and opens its popup. */
const found = L.layerGroup().addTo(map);
function mark(layers, bounds, at, lines, maxZoom) {
  found.clearLayers();
  layers.forEach((layer) => layer.addTo(found));
  if (bounds) map.fitBounds(bounds, { padding: [40, 40], maxZoom, animate: false });
  L.popup({ maxWidth: 280, autoPanPadding: [20, 20] }).setLatLng(at).setContent(textBlock(lines)).openOn(map);
}
const markStyle = { renderer: canvas.found, interactive: false, color: '#d6006c', weight: 3, fillOpacity: 0.08, dashArray: null };
`;
