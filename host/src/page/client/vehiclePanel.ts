/** The list of vehicles with state and zones, its filters, the chosen vehicle, and the latest entries and exits. */

import { button, element, fill, inSlices } from '../../../../src/report/client/shared/index.js';
import { type App, failureText, timeText } from './app.js';
import type { PageUnit } from './editUnit.js';
import { type Fleet, stateOf, UNIT_STATES, type Unit, type UnitState } from './fleet.js';
import { say } from './say.js';
import type { VisitMessage } from './startEvents.js';
import type { VehicleLayer } from './vehicleLayer.js';
import type { Words } from './words.js';
import type { ZoneNames } from './zoneNames.js';

/** Milliseconds between two updates of the list. */
const PAUSE_MS = 1000;
const MOST_EVENTS = 30;
/** Rows made in one frame. The browser lays out 500 new ones in 35 to 55 ms. */
const ROWS_A_FRAME = 60;
/** The zoom at which a vehicle is shown that was found in the list. */
const FOUND_ZOOM = 14;

interface Row {
  readonly item: HTMLLIElement;
  readonly open: HTMLButtonElement;
  readonly state: HTMLElement;
  readonly note: HTMLElement;
}

export interface VehiclePanel {
  readonly visit: (event: VisitMessage) => void;
  readonly connected: (isConnected: boolean) => void;
  /** Shows a vehicle of the map. */
  readonly choose: (unitId: string) => void;
}

export function createVehiclePanel(
  app: App,
  fleet: Fleet,
  names: ZoneNames,
  layer: VehicleLayer,
): VehiclePanel {
  const { words, clock, number, tabs, fleetMap } = app;
  const panel = tabs.panel('vehicles');
  const search = element('input', { type: 'search', placeholder: words.search });
  search.setAttribute('aria-label', words.search);
  const connection = element('span', { className: 'note', textContent: words.connecting });
  connection.setAttribute('role', 'status');
  const list = element('ul', { className: 'list' });
  const empty = element('p', { className: 'empty', textContent: words.noVehicles });
  const feed = element('ol', { className: 'feed' });
  feed.setAttribute('aria-label', words.events);
  const states = createStateFilter(words, () => filter());
  const follow = button(words.follow, () => setFollowed(!isFollowed));
  const shownName = element('strong');
  const release = button(words.close, () => choose(null));
  const change = app.mayEdit ? [button(words.edit, () => void edit(chosen))] : [];
  const bar = element(
    'div',
    { className: 'tools chosen', hidden: true },
    shownName,
    follow,
    ...change,
    release,
  );
  const create = app.mayEdit ? [button(words.newVehicle, () => void edit(null))] : [];
  const tools = element('div', { className: 'tools' }, search, connection);
  const whole = element(
    'div',
    {},
    tools,
    ...(create.length > 0 ? [element('div', { className: 'tools' }, ...create)] : []),
    states.node,
    bar,
    empty,
    list,
    element('h2', { textContent: words.events }),
    feed,
  );
  const view = element('div', { hidden: true });
  panel.append(whole, view);

  const rows = new Map<string, Row>();
  let chosen: string | null = null;
  let isFollowed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether rows of the last drawing are still to come. */
  let isDrawing = false;

  const rowOf = (unit: Unit): Row => {
    const known = rows.get(unit.id);
    if (known !== undefined) return known;
    const state = element('span', { className: 'chip' });
    const note = element('span', { className: 'note' });
    const open = button(unit.name, () => find(unit), 'find');
    const row = { item: element('li', {}, open, ' ', state, note), open, state, note };
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
  const isNamed = ({ name }: Unit): boolean => name.toLowerCase().includes(search.value.trim().toLowerCase());
  const draw = (): void => {
    const now = Date.now();
    const counts = new Map<UnitState, number>(UNIT_STATES.map((state) => [state, 0]));
    const shown: (readonly [Unit, UnitState])[] = [];
    for (const unit of fleet.units.values()) {
      if (!isNamed(unit)) continue;
      const state = stateOf(unit, now);
      counts.set(state, counts.get(state)! + 1);
      if (states.has(state)) shown.push([unit, state]);
    }
    if (panel.hidden) return;
    states.show(counts);
    drawFeed();
    const drawRow = (i: number): void => {
      const [unit, own] = shown[i]!;
      const { item, open, state, note } = rowOf(unit);
      const { last } = unit;
      setText(open, unit.name);
      const speed = own === 'moving' ? ` ${number(last!.speedKph, 0)} ${words.kph}` : '';
      setText(state, words[own] + speed);
      if (!state.classList.contains(own)) state.className = `chip ${own}`;
      setText(
        note,
        last === null
          ? words.neverSeen
          : `${zonesText(last.zoneIds)} · ${fill(words.lastSeen, { time: timeText(clock, last.time) })}`,
      );
      item.classList.toggle('current', unit.id === chosen);
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
    empty.textContent = fleet.units.size > 0 ? words.noMatch : words.noVehicles;
  };
  /** Draws later, after the last drawing: on a slow screen the lower rows would else never come. */
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isDrawing) soon();
      else draw();
    }, PAUSE_MS);
  };
  function filter(): void {
    layer.filter((unit, state) => isNamed(unit) && states.has(state));
    draw();
  }
  function choose(unitId: string | null): void {
    chosen = unitId;
    layer.choose(unitId);
    bar.hidden = unitId === null;
    if (unitId === null) setFollowed(false);
    else shownName.textContent = fleet.nameOf(unitId);
    draw();
  }
  /** Shows the form of a vehicle; null: of a new one. */
  async function edit(unitId: string | null): Promise<void> {
    const close = (): void => {
      view.replaceChildren();
      view.hidden = true;
      whole.hidden = false;
      draw();
    };
    try {
      const { editUnit } = await import('./editUnit.js');
      const { body, tag } =
        unitId === null
          ? { body: null, tag: null }
          : await app.api.get<PageUnit>(`/units?${new URLSearchParams({ ids: unitId })}`);
      view.replaceChildren(
        editUnit(app, body, tag, {
          saved({ id, name }) {
            fleet.named(id, name);
            close();
            choose(id);
          },
          removed() {
            fleet.remove(unitId!);
            close();
            choose(null);
          },
          closed: close,
        }),
      );
      view.hidden = false;
      whole.hidden = true;
    } catch (error) {
      say(failureText(app, error));
    }
  }
  function find(unit: Unit): void {
    choose(unit.id);
    show(unit, Math.max(FOUND_ZOOM, fleetMap.map.getZoom()));
  }
  function show({ last }: Unit, zoom: number): void {
    if (last !== null) fleetMap.show([last.lon, last.lat, last.lon, last.lat], zoom);
  }
  function setFollowed(isOn: boolean): void {
    isFollowed = isOn;
    follow.setAttribute('aria-pressed', String(isOn));
    if (isOn) followChosen();
  }
  function followChosen(): void {
    const unit = chosen === null ? undefined : fleet.units.get(chosen);
    if (isFollowed && unit !== undefined) show(unit, fleetMap.map.getZoom());
  }
  setFollowed(false);
  // Whoever moves the map looks at something else.
  fleetMap.map.on('dragstart', () => setFollowed(false));
  search.addEventListener('input', filter);
  fleet.whenMoved(() => {
    followChosen();
    soon();
  });
  names.whenKnown(soon);
  tabs.whenShown('vehicles', draw);

  /** The latest events, the newest first. Of a burst only these are drawn, and only the names of their zones are asked for. */
  const latest: VisitMessage[] = [];
  const textOf = ({ type, unitId, zoneId, time }: VisitMessage): string =>
    `${timeText(clock, time)} ${fill(type === 'enter' ? words.entered : words.left, {
      unit: fleet.nameOf(unitId),
      zone: names.of(zoneId) ?? '…',
    })}`;
  function drawFeed(): void {
    while (feed.children.length < latest.length) feed.append(element('li'));
    for (const [i, event] of latest.entries()) setText(feed.children[i] as HTMLElement, textOf(event));
  }
  return {
    choose,
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

interface StateFilter {
  readonly node: HTMLElement;
  /** Whether vehicles in this state are shown. */
  readonly has: (state: UnitState) => boolean;
  readonly show: (counts: ReadonlyMap<UnitState, number>) => void;
}

/** Without a choice all states are shown. */
function createStateFilter(words: Words, changed: () => void): StateFilter {
  const wanted = new Set<UnitState>();
  const counts = new Map<UnitState, HTMLElement>();
  const node = element('div', { className: 'tools states' });
  node.setAttribute('role', 'group');
  node.setAttribute('aria-label', words.states);
  for (const state of UNIT_STATES) {
    const dot = element('span', { className: `dot ${state}` });
    const count = element('span', { className: 'count', textContent: '0' });
    const toggle = element('button', { type: 'button', className: 'small' }, dot, words[state], ' ', count);
    toggle.setAttribute('aria-pressed', 'false');
    toggle.addEventListener('click', () => {
      if (!wanted.delete(state)) wanted.add(state);
      toggle.setAttribute('aria-pressed', String(wanted.has(state)));
      changed();
    });
    counts.set(state, count);
    node.append(toggle);
  }
  return {
    node,
    has: (state) => wanted.size === 0 || wanted.has(state),
    show(found) {
      for (const [state, count] of counts) {
        const text = String(found.get(state) ?? 0);
        if (count.textContent !== text) count.textContent = text;
      }
    },
  };
}
