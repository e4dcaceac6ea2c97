/** The part of the page's script that shows each unit's day: movement above, visits below, and movement as a table. */

export const CLIENT_TIMELINE: string = `
const KINDS = ['trip', 'parking', 'stop'];
const moves = data.units.flatMap((unit, i) => unit.moves.map((move) => ({ unit: i, kind: KINDS[move[0]], from: move[1], to: move[2], meters: move[3], kph: move[4], start: [move[5], move[6]], end: [move[7], move[8]] })));

function findMove(move) {
  showUnit(move.unit, true);
  const lines = [data.units[move.unit].id + ' · ' + move.kind, at(move.from) + ' to ' + at(move.to).slice(11) + ' UTC', duration(move.to - move.from)];
  if (move.kind === 'trip') lines.push(number(move.meters / 1000, 1) + ' km' + (move.kph === null ? '' : ', at most ' + number(move.kph, 0) + ' km/h'));
  mark([...tracksOf(move.unit, 2), dot(move.end, 0), dot(move.start, 0.9)], L.latLngBounds([move.start, move.end]), move.start, lines, 16);
}

const timeline = element('div', { className: 'timeline' });
const ROWS = 25;
let rowLimit = ROWS;
const [firstTime, lastTime] = [Date.parse(data.summary.time.from), Date.parse(data.summary.time.to)];
const DAY = 86400000;
const days = [];
if (lastTime - firstTime > 26 * 3600000) {
  for (let day = Math.floor(firstTime / DAY) * DAY; day <= lastTime && days.length < 400; day += DAY) days.push(day);
}
const daySelect = element('select', {}, element('option', { value: '', textContent: 'Whole period' }),
  ...days.map((day) => element('option', { value: day, textContent: at(day).slice(0, 10) })));
daySelect.setAttribute('aria-label', 'Day (UTC)');
daySelect.addEventListener('change', () => drawTimeline());
const moreRows = element('button', { className: 'more', type: 'button', textContent: 'Show more' });
moreRows.addEventListener('click', () => {
  rowLimit += ROWS;
  drawTimeline();
});

/** Draws intervals of one lane; those that fall on the pixels of the last one are left out. */
function lane(drawn, items, x, from, to, top, height) {
  let last = '';
  for (const { start, end, className, color, text, open } of items) {
    if (end < from || start > to) continue;
    const left = Math.max(x(from), x(start));
    const wide = Math.max(1.5, Math.min(x(to), x(end)) - left);
    const place = className + color + Math.round(left) + ' ' + Math.round(wide);
    if (place === last) continue;
    last = place;
    const bar = svg('rect', { x: left.toFixed(1), y: top, width: wide.toFixed(1), height, rx: 1.5, class: className }, tip(text));
    if (color) bar.style.fill = color;
    bar.addEventListener('click', open);
    drawn.append(bar);
  }
}

function unitRow(unit, i, from, to, width) {
  const x = (time) => ((time - from) / (to - from)) * width;
  const own = unit.moves.map((_, k) => moves[moveStarts[i] + k]);
  const counts = KINDS.map((kind) => own.filter((move) => move.kind === kind).length);
  const visits = unitVisitNumbers[i];
  const drawn = svg('svg', { width, height: 32, viewBox: '0 0 ' + width + ' 32', role: 'img' });
  drawn.setAttribute('aria-label', unit.id + ': ' + counts[0] + ' trips, ' + counts[1] + ' parkings, ' + counts[2] + ' stops, ' + visits.length + ' visits');
  lane(drawn, [...own].sort((a, b) => KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind) || a.from - b.from).reverse().map((move) => ({
    start: move.from, end: move.to, className: 'move ' + move.kind, color: '', open: () => findMove(move),
    text: move.kind + ' ' + at(move.from).slice(11, 16) + ' to ' + at(move.to).slice(11, 16) + ', ' + duration(move.to - move.from),
  })), x, from, to, 3, 10);
  lane(drawn, visits.map((number) => {
    const [, zone, enter, exit] = data.visits[number];
    const end = exit === null ? unit.lastTime : exit;
    return {
      start: enter, end, className: 'stayed', color: data.zones[zone].color, open: () => findVisit(number),
      text: data.zones[zone].name + ' ' + at(enter).slice(11, 16) + ' to ' + (exit === null ? 'now' : at(exit).slice(11, 16)),
    };
  }), x, from, to, 17, 12);
  return drawn;
}

const moveStarts = [];
data.units.reduce((sum, unit) => {
  moveStarts.push(sum);
  return sum + unit.moves.length;
}, 0);
const unitVisitNumbers = data.units.map(() => []);
data.visits.forEach((visit, i) => unitVisitNumbers[visit[0]].push(i));

function drawTimeline() {
  if (data.units.length === 0 || Number.isNaN(firstTime)) return;
  const day = Number(daySelect.value);
  const [from, to] = daySelect.value === '' ? [firstTime, Math.max(lastTime, firstTime + 60000)] : [day, day + DAY];
  const width = Math.max(260, timeline.clientWidth - 20);
  const axis = svg('svg', { width, height: 18, 'aria-hidden': 'true', class: 'graph' });
  for (const time of ticks(from, to, Math.max(2, Math.floor(width / 80)), MINUTES)) {
    const place = ((time - from) / (to - from)) * width;
    const text = svg('text', { x: Math.min(width - 16, Math.max(16, place)), y: 12, 'text-anchor': 'middle' });
    text.textContent = to - from > 2 * DAY ? at(time).slice(5, 10) : at(time).slice(11, 16);
    axis.append(text);
  }
  timeline.replaceChildren(axis);
  inSlices('timeline', Math.min(rowLimit, data.units.length), (i) => {
    const unit = data.units[i];
    const name = element('button', { className: 'find', type: 'button', textContent: unit.id });
    name.addEventListener('click', () => findUnit(i));
    timeline.append(element('div', { className: 'row' }, name, unitRow(unit, i, from, to, width)));
  });
  moreRows.hidden = data.units.length <= rowLimit;
}
const keyed = [['move trip', 'trip'], ['move parking', 'parking'], ['move stop', 'stop'], ['stayed', 'visit, in the colour of its zone']];
panel('timeline').append(
  element('div', { className: 'tools' }, ...(days.length > 1 ? [daySelect] : []), element('span', { className: 'key note' }, ...keyed.map(([className, text]) => {
    const bar = svg('rect', { x: 0, y: 1, width: 16, height: 10, rx: 1.5, class: className });
    return element('span', {}, svg('svg', { width: 16, height: 12, 'aria-hidden': 'true' }, bar), ' ' + text);
  }), ' Times are UTC.')),
  timeline, moreRows,
);
makeTable(panel('timeline'), {
  what: 'trips, parkings and stops',
  rows: moves,
  open: (i) => findMove(moves[i]),
  empty: 'No unit moved or rested for long enough.',
  filters: [{ label: 'Kind', value: (m) => m.kind }],
  columns: [
    column('Unit', 'text', (m) => data.units[m.unit].id),
    column('Kind', '', (m) => m.kind),
    column('From (UTC)', 'time', (m) => m.from, (m) => at(m.from)),
    column('To', 'time', (m) => m.to, (m) => exitText([0, 0, m.from, m.to])),
    column('Duration', 'num', (m) => m.to - m.from, (m) => duration(m.to - m.from)),
    column('km', 'num', (m) => m.meters, (m) => number(m.meters / 1000, 1)),
    column('Max km/h', 'num', (m) => m.kph, (m) => number(m.kph, 0)),
  ],
});
whenShown.timeline = drawTimeline;
let lastWidth = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === lastWidth) return;
  lastWidth = innerWidth;
  for (const [name, draw] of Object.entries(whenShown)) if (!panel(name).hidden) draw();
});
`;
