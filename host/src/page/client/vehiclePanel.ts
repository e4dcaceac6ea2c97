/** The list of vehicles with state and zones, and the latest entries and exits. */

import { button, element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { inSlices } from '../../../../src/report/client/inSlices.js';
import type { App } from './app.js';
import { type Fleet, stateOf, type Unit } from './fleet.js';
import type { VisitMessage } from './startEvents.js';
import type { VehicleLayer } from './vehicleLayer.js';
import type { ZoneNames } from './zoneNames.js';

/** Milliseconds between two updates of the list. */
const PAUSE_MS = 1000;
const MOST_EVENTS = 30;
/** Rows made in one frame. The browser lays out 500 new ones in 35 to 55 ms. */
const ROWS_A_FRAME = 60;

interface Row {
  readonly item: HTMLLIElement;
  readonly state: HTMLElement;
  readonly note: HTMLElement;
}

export interface VehiclePanel {
  readonly visit: (event: VisitMessage) => void;
  readonly connected: (isConnected: boolean) => void;
}

export function createVehiclePanel(
  { words, clock, number, tabs, fleetMap }: App,
  fleet: Fleet,
  names: ZoneNames,
  layer: VehicleLayer,
): VehiclePanel {
  const panel = tabs.panel('vehicles');
  const search = element('input', { type: 'search', placeholder: words.search });
  search.setAttribute('aria-label', words.search);
  const connection = element('span', { className: 'note', textContent: words.connecting });
  connection.setAttribute('role', 'status');
  const list = element('ul', { className: 'list' });
  const empty = element('p', { className: 'empty', textContent: words.noVehicles });
  const feed = element('ol', { className: 'feed' });
  feed.setAttribute('aria-label', words.events);
  const tools = element('div', { className: 'tools' }, search, connection);
  panel.append(tools, empty, list, element('h2', { textContent: words.events }), feed);

  const rows = new Map<string, Row>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether rows of the last drawing are still to come. */
  let isDrawing = false;

  const rowOf = (unit: Unit): Row => {
    const known = rows.get(unit.id);
    if (known !== undefined) return known;
    const state = element('span', { className: 'chip' });
    const note = element('span', { className: 'note' });
    const open = button(unit.name, () => find(unit), 'find');
    const row = { item: element('li', {}, open, ' ', state, note), state, note };
    rows.set(unit.id, row);
    return row;
  };
  const zonesText = (ids: readonly string[]): string => {
    if (ids.length === 0) return words.outside;
    return fill(words.inZones, { zones: ids.map((id) => names.of(id) ?? '…').join(', ') });
  };
  const cut = (count: number): void => {
    while (list.children.length > count) list.lastChild!.remove();
  };
  const draw = (): void => {
    if (panel.hidden) return;
    drawFeed();
    const now = Date.now();
    const wanted = search.value.trim().toLowerCase();
    const shown = [...fleet.units.values()].filter(
      ({ name, last }) => last !== null && name.toLowerCase().includes(wanted),
    );
    const drawRow = (i: number): void => {
      const { item, state, note } = rowOf(shown[i]!);
      const own = stateOf(shown[i]!, now);
      const { time, speedKph, zoneIds } = shown[i]!.last!;
      const speed = own === 'moving' ? ` ${number(speedKph, 0)} ${words.kph}` : '';
      setText(state, words[own] + speed);
      if (!state.classList.contains(own)) state.className = `chip ${own}`;
      setText(
        note,
        `${zonesText(zoneIds)} · ${fill(words.lastSeen, { time: clock.text(time).slice(5, 16) })}`,
      );
      const there = list.children[i];
      if (there === undefined) list.append(item);
      else if (there !== item) there.before(item);
      if (i < shown.length - 1) return;
      isDrawing = false;
      cut(shown.length);
    };
    isDrawing = shown.length > 0;
    inSlices(list, shown.length, drawRow, ROWS_A_FRAME);
    if (shown.length === 0) cut(0);
    empty.hidden = shown.length > 0;
    empty.textContent = wanted === '' ? words.noVehicles : words.noMatch;
  };
  /** Draws later, after the last drawing: on a slow screen the lower rows would else never come. */
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isDrawing) soon();
      else draw();
    }, PAUSE_MS);
  };
  function find(unit: Unit): void {
    layer.choose(unit.id);
    if (unit.last === null) return;
    const { lon, lat } = unit.last;
    fleetMap.show([lon, lat, lon, lat], Math.max(14, fleetMap.map.getZoom()));
  }
  search.addEventListener('input', draw);
  fleet.whenMoved(soon);
  names.whenKnown(soon);
  tabs.whenShown('vehicles', draw);

  /** The latest events, the newest first. Of a burst only these are drawn, and only the names of their zones are asked for. */
  const latest: VisitMessage[] = [];
  const textOf = ({ type, unitId, zoneId, time }: VisitMessage): string =>
    `${clock.text(time).slice(11, 16)} ${fill(type === 'enter' ? words.entered : words.left, {
      unit: fleet.nameOf(unitId),
      zone: names.of(zoneId) ?? '…',
    })}`;
  function drawFeed(): void {
    while (feed.children.length < latest.length) feed.append(element('li'));
    for (const [i, event] of latest.entries()) setText(feed.children[i] as HTMLElement, textOf(event));
  }
  return {
    connected: (isConnected) => setText(connection, isConnected ? words.live : words.connecting),
    visit(event) {
      // Late positions give earlier events.
      const place = latest.findIndex(({ time }) => time <= event.time);
      latest.splice(place === -1 ? latest.length : place, 0, event);
      if (latest.length > MOST_EVENTS) latest.pop();
      soon();
    },
  };
}

/** Changes the text only if it is another one. */
function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
