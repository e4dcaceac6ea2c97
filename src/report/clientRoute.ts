/** The script of a route's page: the line, its stops, and the legs with their instructions. */

export const CLIENT_ROUTE: string = `
const { words } = data;
document.getElementById('cards').append(...[
  [words.distance, data.distance], [words.duration, data.duration], [words.legs, data.legs.length], [words.stops, data.stops.length],
].map(([title, value]) =>
  element('div', { className: 'card' }, element('b', { textContent: value }), element('span', { textContent: title })),
));

const lines = data.legs.map((leg) => unpack(leg.line));
const drawn = lines.map((line, i) => {
  const under = L.polyline(line, { renderer: canvas.zones, color: '#ffffff', weight: 8, opacity: 0.7, interactive: false });
  const over = L.polyline(line, { renderer: canvas.tracks, color: '#1585D8', weight: 5, opacity: 0.9 });
  over.bindTooltip(() => textBlock([legName(i), data.legs[i].distance + ' · ' + data.legs[i].duration]), { sticky: true });
  over.on('click', (event) => {
    L.DomEvent.stopPropagation(event);
    findLeg(i);
  });
  return L.featureGroup([under.addTo(map), over.addTo(map)]);
});

/** Stops at one place share a mark. */
const marks = new Map();
data.stops.forEach((stop, i) => {
  const key = stop.place.join(' ');
  marks.set(key, [...(marks.get(key) || []), i]);
});
for (const numbers of marks.values()) {
  const { place } = data.stops[numbers[0]];
  const label = numbers.map((i) => i + 1).join(', ');
  const html = element('span', { className: 'stop-mark', textContent: label });
  const points = [...new Set(numbers.map((i) => data.stops[i].point))];
  const texts = [words.stop + ' ' + label, ...points.map((number) => words.point.replace('{number}', number)), place.map((value) => value.toFixed(6)).join(', ')];
  L.marker(place, { icon: L.divIcon({ className: '', html, iconSize: [0, 0] }), title: texts[0], alt: texts[0] })
    .bindPopup(() => textBlock(texts))
    .addTo(map);
}

function legName(i) {
  return i + 1 + ' → ' + (i + 2);
}
function hit(row) {
  document.querySelectorAll('li.hit').forEach((other) => other.classList.remove('hit'));
  if (row) row.classList.add('hit');
}
function findLeg(i) {
  hit(null);
  const line = L.polyline(lines[i], { ...markStyle, weight: 6, opacity: 0.85 });
  const { distance, duration } = data.legs[i];
  mark([line], L.latLngBounds(lines[i]), lines[i][Math.floor(lines[i].length / 2)], [legName(i), distance + ' · ' + duration], 17);
}
function findStep(leg, i, row) {
  hit(row);
  const step = data.legs[leg].steps[i];
  const dot = L.circleMarker(step.place, { ...markStyle, radius: 7, fillOpacity: 0.9 });
  const texts = step.distance === '' ? [step.text] : [step.text, step.distance];
  mark([dot], L.latLngBounds([step.place]), step.place, texts, Math.max(16, Math.min(17, map.getZoom())));
}

document.getElementById('legs').append(...data.legs.map((leg, i) => {
  const name = element('button', { className: 'find', type: 'button', textContent: legName(i) });
  name.addEventListener('click', () => findLeg(i));
  const amounts = element('span', { className: 'note', textContent: leg.distance + ' · ' + leg.duration });
  const steps = leg.steps.map((step, j) => {
    const text = element('button', { className: 'find', type: 'button', textContent: step.text });
    const row = element('li', {}, text);
    if (step.distance !== '') row.append(' ', element('span', { className: 'note', textContent: step.distance }));
    text.addEventListener('click', () => findStep(i, j, row));
    return row;
  });
  return element('section', { className: 'leg' }, element('h2', {}, name, amounts), element('ol', {}, ...steps));
}));
startMap(drawn);
`;
