/** The script of a route's page: the line, its stops, and the legs with their instructions. */

import type { RoutePageData } from '../routeData.js';
import { ArrowLine } from './arrowLine.js';
import { createMapView } from './mapView.js';
import { readData, unpack } from './page.js';
import { createSelection } from './selection.js';
import { button, byId, element } from './shared/dom.js';
import { fill } from './shared/formats.js';

const { words, legs, stops, distance, duration } = readData<RoutePageData>();
const view = createMapView(words);
const { map, canvas } = view;
const selection = createSelection({ view, close: words.close });
const legName = (i: number): string => `${i + 1} → ${i + 2}`;
const legAmounts = (i: number): string => `${legs[i]!.distance} · ${legs[i]!.duration}`;

byId('cards').append(
  ...[
    [words.distance, distance],
    [words.duration, duration],
    [words.legs, String(legs.length)],
    [words.stops, String(stops.length)],
  ].map(([title, value]) =>
    element(
      'div',
      { className: 'card' },
      element('b', { textContent: value! }),
      element('span', { textContent: title! }),
    ),
  ),
);

const lines = legs.map(({ line }) => unpack(line));
const drawn = lines.map((line, i) => {
  const style = { interactive: false, opacity: 0.9 };
  const under = L.polyline(line, {
    ...style,
    renderer: canvas.zones,
    color: '#ffffff',
    weight: 8,
    opacity: 0.7,
  });
  const over = new ArrowLine(line, { ...style, renderer: canvas.tracks, color: '#1667b7', weight: 4 });
  const target = { lines: () => [legName(i), legAmounts(i)], open: (at: L.LatLng) => openLeg(i, at) };
  view.addTarget(over, target);
  view.addTarget(under, target);
  return L.featureGroup([under.addTo(map), over.addTo(map)]);
});

/** Stops at the same position share a marker. */
const marks = new Map<string, number[]>();
stops.forEach(({ place }, i) => {
  const key = place.join(' ');
  marks.set(key, [...(marks.get(key) ?? []), i]);
});
for (const numbers of marks.values()) {
  const { place } = stops[numbers[0]!]!;
  const label = numbers.map((i) => i + 1).join(', ');
  const html = element('span', { className: 'stop-mark', textContent: label });
  const points = [...new Set(numbers.map((i) => stops[i]!.point))];
  const title = `${words.stop} ${label}`;
  const texts = [
    title,
    ...points.map((number) => fill(words.point, { number: number + 1 })),
    place.map((value) => value.toFixed(6)).join(', '),
  ];
  L.marker([...place], { icon: L.divIcon({ className: '', html, iconSize: [0, 0] }), title, alt: title })
    .on('click', () => selection.mark({ layers: [], bounds: null, at: [...place], lines: texts }))
    .addTo(map);
}

const sections = legs.map((leg, i) => {
  const name = button(
    legName(i),
    () => {
      markLeg(i, L.latLngBounds(lines[i]!), L.latLng(lines[i]![Math.floor(lines[i]!.length / 2)]!));
      selection.markRow(section);
    },
    'find',
  );
  const section = element(
    'section',
    { className: 'leg' },
    element('h2', {}, name, element('span', { className: 'note', textContent: legAmounts(i) })),
    element(
      'ol',
      {},
      ...leg.steps.map((step) => {
        const button = element('button', { className: 'find', type: 'button', textContent: step.text });
        const row = element('li', {}, button);
        if (step.distance !== '') {
          row.append(' ', element('span', { className: 'note', textContent: step.distance }));
        }
        button.addEventListener('click', () => {
          const texts = step.distance === '' ? [step.text] : [step.text, step.distance];
          selection.mark({
            layers: [L.circleMarker([...step.place], selection.style({ radius: 7, fillOpacity: 0.9 }))],
            bounds: L.latLngBounds([[...step.place]]),
            at: [...step.place],
            lines: texts,
            maxZoom: Math.max(16, Math.min(17, map.getZoom())),
          });
          selection.markRow(row);
        });
        return row;
      }),
    ),
  );
  return section;
});
byId('legs').append(...sections);
view.start(drawn);

/** Marks a leg that was clicked on the map and scrolls to its instructions. */
function openLeg(i: number, at: L.LatLng): void {
  markLeg(i, null, at);
  sections[i]!.scrollIntoView({ block: 'nearest' });
  selection.markRow(sections[i]!);
}

function markLeg(i: number, bounds: L.LatLngBounds | null, at: L.LatLng): void {
  const layers = [new ArrowLine(lines[i]!, selection.style({ weight: 6, opacity: 0.85 }))];
  selection.mark({ layers, bounds, at, lines: [legName(i), legAmounts(i)], maxZoom: 17 });
}
