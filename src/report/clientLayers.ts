/** The part of the report's script that draws zones, tracks and visits. */

export const CLIENT_LAYERS: string = `
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
const show = { zones: true, tracks: true, visits: true, speed: false };
/** The same tracks in the colours of their speed, made when they are first asked for. */
const unitGrades = data.units.map(() => null);
function gradesOf(i) {
  unitGrades[i] ??= L.featureGroup(data.units[i].grades.map(([style, packed]) =>
    L.polyline(unpack(packed), { renderer: canvas.tracks, ...trackStyle, weight: trackStyle.weight + 1, opacity: 0.9, color: data.gradation[style].color }),
  )).bindTooltip(() => textBlock([data.units[i].id]), { sticky: true });
  return unitGrades[i];
}
function redraw() {
  document.getElementById('gradation').hidden = !show.speed;
  if (show.zones) zonesGroup.addTo(map);
  else zonesGroup.remove();
  inSlices('units', data.units.length, (i) => {
    const isShown = shown[i] && show.tracks;
    if (isShown && !show.speed) unitTracks[i].addTo(tracksGroup);
    else tracksGroup.removeLayer(unitTracks[i]);
    if (isShown && show.speed) gradesOf(i).addTo(tracksGroup);
    else if (unitGrades[i]) tracksGroup.removeLayer(unitGrades[i]);
    if (shown[i] && show.visits) unitVisits[i].addTo(visitsGroup);
    else visitsGroup.removeLayer(unitVisits[i]);
  });
}
`;
