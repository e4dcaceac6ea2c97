/** The part of the page's script that shows trips: a table of runs, and of the chosen one its points and its graph. */

export const CLIENT_TRIPS: string = `
const MOODS = {
  passed: 'ok', inside: 'now', pending: 'wait', skipped: 'warn', missed: 'bad', no_data: 'none',
  scheduled: 'wait', active: 'now', finished: 'ok', finished_with_violations: 'warn', aborted: 'bad', not_started: 'bad',
  on_time: 'ok', early: 'warn', late: 'bad', out_of_order: 'warn',
};
const chip = (status, text) =>
  element('span', { className: 'chip ' + (MOODS[status] || 'none'), textContent: text || status.replaceAll('_', ' ') });

const clocks = new Map();
/** The wall clock of a trip's zone; a browser that does not know the zone shows UTC and says so. */
function clockOf(timeZone) {
  if (clocks.has(timeZone)) return clocks.get(timeZone);
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  let clock;
  try {
    clock = { name: timeZone, format: new Intl.DateTimeFormat('sv-SE', { ...fields, timeZone }) };
  } catch {
    clock = { name: 'UTC', format: new Intl.DateTimeFormat('sv-SE', { ...fields, timeZone: 'UTC' }) };
  }
  clocks.set(timeZone, clock);
  return clock;
}
function wall(trip, time) {
  if (time === null) return '';
  const text = clockOf(trip.timeZone).format.format(time);
  return text.slice(0, 10) === trip.date ? text.slice(11) : text.slice(5);
}
function offPlan(seconds) {
  const sign = seconds < 0 ? '−' : '+';
  const size = Math.abs(seconds);
  if (size < 60) return sign + Math.round(size) + ' s';
  const minutes = Math.floor(size / 60);
  return sign + (minutes < 60 ? minutes + ' min' : Math.floor(minutes / 60) + ' h ' + (minutes % 60) + ' min');
}

/** Planned → actual, and how far off. */
function timeCell(trip, planned, actual, status, seconds) {
  const cell = element('td', { className: 'plan' });
  if (planned !== null) cell.append(element('span', { className: 'note', textContent: wall(trip, planned) + ' → ' }));
  cell.append(actual === null ? '–' : wall(trip, actual));
  if (status !== null) cell.append(' ', chip(status, status.replace('_', ' ') + ' ' + offPlan(seconds)));
  return cell;
}

function pointsTable(trip) {
  const rows = trip.points.map((point, i) => {
    const button = element('button', { className: 'find', type: 'button', textContent: point.name || 'Point ' + (i + 1) });
    if (point.name) button.setAttribute('aria-label', point.name + ', point ' + (i + 1));
    button.addEventListener('click', () => findTripPoint(trip, i));
    const status = element('td', {}, chip(point.status));
    if (point.outOfOrder) status.append(' ', chip('out_of_order'));
    return element('tr', {}, element('td', { className: 'num', textContent: i + 1 }), element('td', { className: 'text' }, button), status,
      timeCell(trip, point.plannedArrival, point.arrival, point.arrivalStatus, point.arrivalSeconds),
      timeCell(trip, point.plannedDeparture, point.departure, point.departureStatus, point.departureSeconds));
  });
  const heads = ['#', 'Point', 'Status', 'Arrival', 'Departure'].map((textContent) => element('th', { scope: 'col', textContent }));
  return element('div', { className: 'scroll' },
    element('table', { className: 'points' }, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows)));
}

const SVG = 'http://www.w3.org/2000/svg';
function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
const tip = (text) => {
  const node = document.createElementNS(SVG, 'title');
  node.textContent = text;
  return node;
};
/** About so many round steps between two values. */
function ticks(from, to, count, steps) {
  const step = steps.find((value) => (to - from) / value <= count) || steps[steps.length - 1];
  const list = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return list;
}
const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080].map((minutes) => minutes * 60000);
const METERS = [1, 2, 5].flatMap((value) => [value, value * 10, value * 100, value * 1e3, value * 1e4, value * 1e5, value * 1e6]).sort((a, b) => a - b);

/** Distance over time: the way as a line, each point's planned window as a bar, its stay as a thick line. */
function tripGraph(trip, width) {
  const [left, right, top, bottom, height] = [44, 12, 14, 22, 230];
  const [from, to] = trip.span;
  const most = Math.max(1, ...trip.way.flatMap((line) => line.filter((_, k) => k % 2 === 1)), ...trip.points.map((point) => point.at));
  const x = (time) => left + ((time - from) / (to - from)) * (width - left - right);
  const y = (meters) => height - bottom - (meters / most) * (height - top - bottom - 8);
  const drawn = svg('svg', { width, height, viewBox: '0 0 ' + width + ' ' + height, role: 'img', class: 'graph' });
  drawn.setAttribute('aria-label', 'Distance over time of ' + trip.name + '; the table below has its figures');
  for (const meters of ticks(0, most, 4, METERS)) {
    const text = svg('text', { x: left - 6, y: y(meters) + 4, 'text-anchor': 'end' });
    text.textContent = meters >= 1000 || most >= 2000 ? meters / 1000 + ' km' : meters + ' m';
    drawn.append(svg('line', { x1: left, x2: width - right, y1: y(meters), y2: y(meters), class: 'rule' }), text);
  }
  for (const time of ticks(from, to, Math.max(2, Math.floor(width / 90)), MINUTES)) {
    const text = svg('text', { x: x(time), y: height - 6, 'text-anchor': 'middle' });
    text.textContent = wall(trip, time);
    drawn.append(svg('line', { x1: x(time), x2: x(time), y1: top, y2: height - bottom, class: 'rule' }), text);
  }
  trip.points.forEach((point, i) => {
    const mood = MOODS[point.status] || 'none';
    const name = i + 1 + ' ' + point.name + ', ' + point.status.replaceAll('_', ' ');
    const start = point.window ? point.window[0] : point.arrival;
    if (start === null) return;
    if (point.window) {
      const wide = Math.max(4, x(point.window[1]) - x(start));
      const planned = wall(trip, point.window[0]) + ' to ' + wall(trip, point.window[1]);
      drawn.append(svg('rect', { x: x(start) - (wide === 4 ? 2 : 0), y: y(point.at) - 6, width: wide, height: 12, rx: 3, class: 'window ' + mood }, tip(name + ', planned ' + planned)));
    }
    if (point.arrival !== null) {
      const end = point.departure === null ? Math.min(to, trip.finishedAt || to) : point.departure;
      const stay = { x1: x(point.arrival) - 1, x2: Math.max(x(point.arrival) + 1, x(end)), y1: y(point.at), y2: y(point.at), class: 'stay ' + mood };
      drawn.append(svg('line', stay, tip(name + ', arrived ' + wall(trip, point.arrival))));
    }
    const label = svg('text', { x: Math.min(width - right - 8, Math.max(left + 2, x(start))), y: y(point.at) - 9, class: 'label' });
    label.textContent = i + 1;
    drawn.append(label);
  });
  for (const line of trip.way) {
    const places = [];
    for (let k = 0; k < line.length; k += 2) places.push(x(from + line[k]).toFixed(1) + ',' + y(line[k + 1]).toFixed(1));
    drawn.append(svg('polyline', { points: places.join(' '), class: 'way' }));
  }
  for (const [time, text] of [[trip.activatedAt, 'activated'], [trip.finishedAt, 'finished']]) {
    if (time === null || time < from || time > to) continue;
    drawn.append(svg('line', { x1: x(time), x2: x(time), y1: top, y2: height - bottom, class: 'event' }, tip(text + ' ' + wall(trip, time))));
  }
  return drawn;
}

const GRAPH_KEY = [['way', 'distance driven'], ['window ok', 'planned window'], ['stay ok', 'stay'], ['event', 'activated, finished']];
function graphKey() {
  return element('p', { className: 'key note' }, ...GRAPH_KEY.flatMap(([kind, text]) => {
    const mark = svg('svg', { width: 22, height: 12, 'aria-hidden': 'true', class: 'graph' });
    if (kind === 'event') mark.append(svg('line', { x1: 11, x2: 11, y1: 0, y2: 12, class: kind }));
    else if (kind.startsWith('window')) mark.append(svg('rect', { x: 1, y: 1, width: 20, height: 10, rx: 3, class: kind }));
    else mark.append(svg('line', { x1: 1, x2: 21, y1: 6, y2: 6, class: kind }));
    return [element('span', {}, mark, ' ' + text)];
  }));
}

/** The trip's points on the map, numbered by their tooltips, over the unit's track. */
function tripLayers(trip) {
  const layers = trip.unit < 0 ? [] : tracksOf(trip.unit, 2);
  data.tripShapes[trip.shapes].forEach((shape, i) => {
    const point = trip.points[i];
    const color = css('--' + (MOODS[point.status] || 'none'));
    layers.push(outlineOf({ shape, color }, { ...markStyle, color, fillOpacity: 0.25 }));
  });
  return layers;
}
function showTripOnMap(trip, at, lines, bounds, maxZoom) {
  if (trip.unit >= 0) showUnit(trip.unit, true);
  mark(tripLayers(trip), bounds, at, lines, maxZoom);
}
function tripBounds(trip) {
  const bounds = L.latLngBounds([]);
  for (const shape of data.tripShapes[trip.shapes]) for (const rings of shape) for (const ring of rings) bounds.extend(unpack(ring));
  return bounds;
}
function findTrip(trip) {
  const bounds = tripBounds(trip);
  const served = trip.passed + ' of ' + trip.points.length + ' points';
  showTripOnMap(trip, bounds.getCenter(), [trip.name, trip.unitId + ' · ' + trip.date, trip.status.replaceAll('_', ' ') + ' · ' + served], bounds, 17);
}
function findTripPoint(trip, i) {
  const point = trip.points[i];
  const bounds = L.latLngBounds(data.tripShapes[trip.shapes][i].flat().flatMap(unpack));
  const lines = [i + 1 + ' ' + point.name, point.status.replaceAll('_', ' ')];
  if (point.arrival !== null) lines.push('Arrival ' + wall(trip, point.arrival));
  if (point.departure !== null) lines.push('Departure ' + wall(trip, point.departure));
  showTripOnMap(trip, bounds.getCenter(), lines, bounds, 16);
}

let shownTrip = 0;
const tripDetail = element('section', { className: 'detail' });
tripDetail.setAttribute('aria-label', 'The chosen trip');
function showTrip(i) {
  shownTrip = i;
  const trip = data.trips[i];
  const facts = [trip.order + ' order', trip.passed + ' of ' + trip.points.length + ' points passed', trip.onTime + ' on time', trip.violations + ' violations'];
  if (trip.activatedAt !== null) facts.push('activated ' + wall(trip, trip.activatedAt));
  if (trip.finishedAt !== null) facts.push('finished ' + wall(trip, trip.finishedAt));
  if (trip.meters !== null) facts.push(number(trip.meters / 1000, 1) + ' km');
  facts.push('times in ' + clockOf(trip.timeZone).name);
  const button = element('button', { type: 'button', className: 'small', textContent: 'Show on the map' });
  button.addEventListener('click', () => findTrip(trip));
  const graph = element('div', {});
  tripDetail.replaceChildren(
    element('h2', { textContent: trip.name + ' ' }, chip(trip.status)),
    element('p', { className: 'note', textContent: trip.unitId + ' · ' + trip.date + ' · ' + facts.join(' · ') }),
    graph, graphKey(), pointsTable(trip), button,
  );
  graph.append(tripGraph(trip, Math.max(280, tripDetail.clientWidth - 20)));
}
const statusColumn = column('Status', '', (t) => t.status, (t) => t.status.replaceAll('_', ' '));
statusColumn.draw = (trip) => chip(trip.status);
makeTable(panel('trips'), {
  what: 'trips',
  rows: data.trips,
  open: (i) => {
    showTrip(i);
    findTrip(data.trips[i]);
  },
  empty: 'No trip was read.',
  filters: [{ label: 'Status', value: (t) => t.status }],
  columns: [
    column('Trip', 'text', (t) => t.name),
    column('Unit', 'text', (t) => t.unitId),
    column('Date', 'time', (t) => t.date),
    statusColumn,
    column('Passed', 'num', (t) => t.passed / t.points.length, (t) => t.passed + '/' + t.points.length),
    column('On time', 'num', (t) => t.onTime),
    column('Violations', 'num', (t) => t.violations),
    column('km', 'num', (t) => t.meters, (t) => (t.meters === null ? '' : number(t.meters / 1000, 1))),
  ],
});
if (data.trips.length > 0) panel('trips').append(tripDetail);
whenShown.trips = () => {
  if (data.trips.length > 0) showTrip(shownTrip);
};
`;
