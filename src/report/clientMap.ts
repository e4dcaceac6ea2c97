/** The part of a page's script that makes the map: canvases, graticule, what is found. It runs in the reader's browser. */

export const CLIENT_MAP: string = `
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const map = L.map('map', { preferCanvas: true, attributionControl: false, zoomSnap: 0.5, worldCopyJump: false });
L.control.scale({ imperial: false, maxWidth: 140, position: 'topright' }).addTo(map);

/** Layers from the bottom up, each on a canvas of its own. */
const canvas = {};
['grid', 'zones', 'tracks', 'visits', 'found'].forEach((name, i) => {
  map.createPane(name).style.zIndex = 410 + i * 10;
  canvas[name] = new SlicedCanvas({ pane: name, padding: 0.3, tolerance: name === 'visits' ? 4 : 2 });
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

/** Shows all of the layers, at first and whenever the button is pressed. */
function startMap(layers) {
  const all = L.latLngBounds([]);
  for (const layer of layers) {
    const bounds = layer.getBounds();
    if (bounds.isValid()) all.extend(bounds);
  }
  const home = () => (all.isValid() ? map.fitBounds(all, { padding: [16, 16], maxZoom: 17, animate: false }) : map.setView([0, 0], 2));
  document.getElementById('home').addEventListener('click', home);
  home();
  map.on('moveend resize', regrid);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', regrid);
  regrid();
}
`;
