/** The part of the page's script that ties tables and map together. */

export const CLIENT_MAIN: string = `
const dot = (place, fillOpacity) => L.circleMarker(place, { ...markStyle, radius: 6, weight: 2, fillOpacity });

const tracksOf = (unit, weight) =>
  unitTracks[unit].getLayers().map((layer) => L.polyline(layer.getLatLngs(), { ...markStyle, weight, opacity: 0.8 }));

function findVisit(i) {
  const [unit, zoneNumber, enter, exit, seen, end, , place, exitPlace] = data.visits[i];
  const zone = data.zones[zoneNumber];
  showUnit(unit, true);
  const ends = exitPlace ? [dot(exitPlace, 0), dot(place, 0.9)] : [dot(place, 0.9)];
  const bounds = L.latLngBounds([place, exitPlace || place]);
  if (zone.type !== 'line') bounds.extend(zoneLayers[zoneNumber].getBounds());
  const lines = [zone.name, 'Unit ' + data.units[unit].id + ' · ' + seen + ' · ' + end, 'Enter ' + at(enter) + ' UTC'];
  if (exit !== null) lines.push('Exit ' + at(exit) + ' UTC', 'Duration ' + duration(exit - enter));
  mark([...tracksOf(unit, 2), outlineOf(zone, markStyle), ...ends], bounds, place, lines, 17);
}

function findZone(i, place) {
  const zone = data.zones[i];
  const bounds = zoneLayers[i].getBounds();
  const lines = [zone.name, zone.type + (zone.width ? ', width ' + number(zone.width, 1) + ' m' : '')];
  if (zone.area !== null) lines.push('Area ' + number(zone.area, 0) + ' m²');
  if (zone.perimeter !== null) lines.push('Perimeter ' + number(zone.perimeter, 0) + ' m');
  if (zone.length !== null) lines.push('Length ' + number(zone.length, 0) + ' m');
  lines.push(zone.visits + ' visits');
  if (place) mark([outlineOf(zone, markStyle)], null, place, lines);
  else mark([outlineOf(zone, markStyle)], bounds, bounds.getCenter(), lines, 17);
}

function findUnit(i) {
  showUnit(i, true);
  const lines = tracksOf(i, 3);
  const bounds = unitTracks[i].getBounds();
  if (!bounds.isValid()) return;
  const place = lines[0].getLatLngs()[0];
  mark(lines, bounds, place, [data.units[i].id, 'The track begins here'], 16);
}

const unitBoxes = data.units.map((unit, i) => {
  const box = element('input', { type: 'checkbox', checked: true });
  box.setAttribute('aria-label', 'Show ' + unit.id);
  box.addEventListener('click', (event) => event.stopPropagation());
  box.addEventListener('change', () => showUnit(i, box.checked));
  return box;
});
function showUnit(i, on) {
  if (shown[i] === on) return;
  shown[i] = on;
  unitBoxes[i].checked = on;
  redraw();
}
function showAllUnits(on) {
  shown.fill(on);
  for (const box of unitBoxes) box.checked = on;
  redraw();
}

/** How many visits each unit and each zone has: counted once, for rows that are sorted by it. */
for (const row of [...data.units, ...data.zones]) row.visits = 0;
for (const [unit, zone] of data.visits) {
  data.units[unit].visits++;
  data.zones[zone].visits++;
}

const { summary } = data;
const cards = [
  ['Zones', summary.zones.count], ['visited', summary.zones.visited], ['Units', summary.units.count],
  ['Fixes used', summary.fixes.used], ['left out', summary.fixes.read - summary.fixes.used], ['Visits', summary.visits.count], ['km driven', summary.movement.distanceMeters / 1000],
  ...(summary.trips.count > 0 ? [['Planned trips', summary.trips.count]] : []),
  ['Errors', summary.issues.errors, summary.issues.errors > 0], ['Warnings', summary.issues.warnings],
];
document.getElementById('cards').append(...cards.map(([title, value, bad]) =>
  element('div', { className: bad ? 'card bad' : 'card' }, element('b', { textContent: number(value, 0) }), element('span', { textContent: title })),
));
document.getElementById('period').textContent =
  summary.time.from === null ? 'No fixes.' : at(Date.parse(summary.time.from)) + ' to ' + at(Date.parse(summary.time.to)) + ' UTC';

/** Without the day, when that is the day of the entry. */
function exitText([, , enter, exit]) {
  const text = at(exit);
  return text.slice(0, 10) === at(enter).slice(0, 10) ? text.slice(11) : text;
}

const panel = (name) => document.getElementById('panel-' + name);
makeTable(panel('visits'), {
  what: 'visits',
  rows: data.visits,
  open: findVisit,
  empty: 'No unit visited a zone.',
  filters: [{ label: 'Seen', value: (v) => v[4] }, { label: 'End', value: (v) => v[5] }],
  columns: [
    column('Unit', 'text', (v) => data.units[v[0]].id),
    column('Zone', 'text', (v) => data.zones[v[1]].name),
    column('Enter (UTC)', 'time', (v) => v[2], (v) => at(v[2])),
    column('Exit', 'time', (v) => v[3], exitText),
    column('Duration', 'num', (v) => (v[3] === null ? null : v[3] - v[2]), (v) => (v[3] === null ? '' : duration(v[3] - v[2]))),
    column('Seen', '', (v) => v[4]),
    column('End', '', (v) => v[5]),
  ],
});
makeTable(panel('zones'), {
  what: 'zones',
  rows: data.zones,
  open: (i) => findZone(i),
  empty: 'No zone was read.',
  filters: [{ label: 'Type', value: (z) => z.type }],
  columns: [
    column('Zone', 'text', (z) => z.name),
    column('Type', '', (z) => z.type),
    column('Width, m', 'num', (z) => z.width, (z) => number(z.width, 1)),
    column('Area, m²', 'num', (z) => z.area, (z) => number(z.area, 0)),
    column('Perimeter, m', 'num', (z) => z.perimeter, (z) => number(z.perimeter, 0)),
    column('Length, m', 'num', (z) => z.length, (z) => number(z.length, 0)),
    column('Visits', 'num', (z) => z.visits),
  ],
});
const unitName = column('Unit', 'text', (u) => u.id);
unitName.draw = (unit, i) => element('span', { className: 'unit' }, unitBoxes[i], ' ', swatch(unit.color),
  element('button', { className: 'find', type: 'button', textContent: unit.id }));
function swatch(color) {
  const node = element('span', { className: 'swatch' });
  node.style.background = color;
  return node;
}
makeTable(panel('units'), {
  what: 'units',
  rows: data.units,
  open: findUnit,
  empty: 'No unit was read.',
  columns: [
    unitName,
    column('Fixes used', 'num', (u) => u.fixes, (u) => number(u.fixes, 0)),
    column('Left out', 'num', (u) => u.leftOut, (u) => number(u.leftOut, 0)),
    column('Visits', 'num', (u) => u.visits),
  ],
});
for (const [text, on] of [['Show all', true], ['Hide all', false]]) {
  const button = element('button', { type: 'button', textContent: text });
  button.addEventListener('click', () => showAllUnits(on));
  panel('units').querySelector('.tools').append(button);
}
makeTable(panel('read'), {
  what: 'files',
  rows: data.sources,
  empty: 'Nothing was read.',
  columns: [
    column('File', 'text', (s) => s.file),
    column('As', '', (s) => s.role),
    column('Zones', 'num', (s) => s.zones, (s) => number(s.zones, 0)),
    column('Tracks', 'num', (s) => s.tracks, (s) => number(s.tracks, 0)),
    column('Fixes', 'num', (s) => s.fixes, (s) => number(s.fixes, 0)),
    column('Trips', 'num', (s) => s.trips, (s) => number(s.trips, 0)),
    column('Errors', 'num', (s) => s.errors),
    column('Warnings', 'num', (s) => s.warnings),
  ],
});
const reasons = Object.entries(summary.fixes.leftOut).map(([reason, count]) => reason + ' ' + number(count, 0));
panel('read').append(element('p', { className: 'empty', textContent: 'Fixes left out: ' + (reasons.join(', ') || 'none') + '.' }));
if (data.issues.length > 0) {
  makeTable(panel('read'), {
    what: 'issues',
    rows: data.issues,
    empty: '',
    filters: [{ label: 'Severity', value: (issue) => issue.severity }],
    columns: [
      column('Issue', '', (issue) => issue.code),
      column('Severity', '', (issue) => issue.severity),
      column('Where', 'text', (issue) => issue.file + (issue.line ? ':' + issue.line : '') + (issue.field ? ' ' + issue.field : '')),
      column('Message', 'text', (issue) => issue.message),
    ],
  });
}

const tabs = [...document.querySelectorAll('[role=tab]')];
function choose(tab) {
  for (const other of tabs) {
    other.setAttribute('aria-selected', String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    document.getElementById(other.getAttribute('aria-controls')).hidden = other !== tab;
  }
  whenShown[tab.id.slice(4)]?.();
}
tabs.forEach((tab, i) => {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(i + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
});
for (const box of document.querySelectorAll('[data-show]')) {
  show[box.dataset.show] = box.checked;
  box.addEventListener('change', () => {
    show[box.dataset.show] = box.checked;
    redraw();
  });
}
document.getElementById('gradation').append(...data.gradation.map(({ max, color }, i) => {
  const from = i === 0 ? 0 : data.gradation[i - 1].max;
  return element('span', {}, swatch(color), max === null ? 'above ' + from : 'up to ' + max);
}), ' km/h');

startMap([...zoneLayers, ...unitTracks]);
redraw();
`;
