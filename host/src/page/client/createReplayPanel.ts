/** The replay of a day: a slider that moves all vehicles. */

import {
  button,
  createPlayer,
  DAY_MS,
  type DayTrack,
  element,
  fill,
  placeOnDay,
} from '../../../../src/report/client/shared/index.js';
import { type Api, ApiError } from './api.js';
import { type App, dayNote, dayText, failureText, labelled } from './app.js';
import { boxOfPositions } from './boxOf.js';
import { type Fleet, headingDegrees } from './fleet.js';
import { say } from './say.js';
import type { Place, VehicleLayer } from './vehicleLayer.js';

/** The positions of one unit in time order. */
interface UnitDay extends DayTrack {
  readonly unitId: string;
}

/** Seconds between two positions, above which the unit was silent. */
const SILENT = 600;

/** Seconds from one place of the slider to the next. */
const STEP = 10;

export function createReplayPanel(app: App, fleet: Fleet, layer: VehicleLayer): void {
  const { words, clock, tabs, api, fleetMap } = app;
  const panel = tabs.panel('replay');
  const day = element('input', { type: 'date', value: clock.text(Date.now()).slice(0, 10), required: true });
  const player = createPlayer({ words, step: STEP, draw, textOf });
  const { play, slider, shownTime, speed } = player;
  play.className = 'small';
  shownTime.className = 'time';
  const note = element('p', { className: 'note' });
  note.setAttribute('role', 'status');
  const live = button(words.backToLive, () => close());
  const controls = element(
    'div',
    { hidden: true },
    element('div', { className: 'slider' }, slider, shownTime),
    element('div', { className: 'tools' }, play, labelled(words.speed, speed), live),
  );
  const load = button(words.load, () => void open());
  const tools = element('div', { className: 'tools' }, labelled(words.day, day), load);
  panel.append(tools, dayNote(day), note, controls);

  let tracks: UnitDay[] = [];
  /** The start of the day, epoch milliseconds. */
  let start = 0;
  let loading = new AbortController();

  async function open(): Promise<void> {
    if (!day.reportValidity()) return;
    player.stop();
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    tracks = [];
    const wall = Date.parse(`${day.value}T00:00:00Z`);
    const [from, to] = [clock.instant(wall), clock.instant(wall + DAY_MS)];
    start = from;
    note.textContent = words.loading;
    try {
      for await (const track of dayTracks(api, from, to - 1, signal)) {
        if (signal.aborted) return;
        tracks.push(track);
        note.textContent = `${words.loading} ${tracks.length}`;
      }
    } catch (error) {
      if (!signal.aborted) note.textContent = failureText(app, error);
      return;
    }
    controls.hidden = tracks.length === 0;
    note.textContent = tracks.length === 0 ? words.noDay : fill(words.loadedUnits, { count: tracks.length });
    if (tracks.length === 0) return layer.replace(null);
    const first = Math.min(...tracks.map(({ seconds }) => seconds[0]!));
    const last = Math.max(...tracks.map(({ seconds }) => seconds[seconds.length - 1]!));
    // A day that goes on ends now.
    const now = Math.floor((Date.now() - from) / 1000);
    player.setLength(Math.min((to - from) / 1000, Math.max(now, last)));
    showBox();
    player.show(Math.ceil(first / STEP) * STEP);
    say(fill(words.replayOf, { day: dayText(day.value) }));
  }

  function draw(second: number): void {
    const places: Place[] = [];
    for (const track of tracks) {
      const place = placeOnDay(track, second);
      if (place === null) continue;
      const state = place.isSilent ? 'silent' : place.isMoving ? 'moving' : 'parked';
      const { lon, lat } = place;
      const next = placeOnDay(track, second + 1);
      const courseDegrees = next === null ? null : headingDegrees([lon, lat], [next.lon, next.lat]);
      places.push({ unitId: track.unitId, name: fleet.nameOf(track.unitId), lon, lat, state, courseDegrees });
    }
    layer.replace(places);
  }
  /** The wall clock's time: a day may have 23 or 25 hours. Its end is 24:00:00. */
  function textOf(second: number): string {
    const text = clock.text(start + 1000 * second).slice(11);
    return second > 0 && text === '00:00:00' ? '24:00:00' : text;
  }

  /** Shows the area of all positions of the day. */
  function showBox(): void {
    const positions: [number, number][] = [];
    for (const { lonLat } of tracks)
      for (let i = 0; i < lonLat.length; i += 2) positions.push([lonLat[i]!, lonLat[i + 1]!]);
    const box = boxOfPositions(positions);
    if (box !== null) fleetMap.show(box);
  }

  function close(): void {
    player.stop();
    loading.abort();
    tracks = [];
    controls.hidden = true;
    note.textContent = '';
    layer.replace(null);
    say('');
    day.focus();
  }
}

/** Yields a track for each unit that has positions. */
async function* dayTracks(api: Api, from: number, to: number, signal: AbortSignal): AsyncGenerator<UnitDay> {
  const query = new URLSearchParams({ from: String(from), to: String(to), seconds: '20' });
  const response = await api.open(`/fleet/day?${query}`, signal);
  let text = '';
  for await (const part of textsOf(response)) {
    text += part;
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) yield trackOf(line, from);
  }
  if (text !== '') throw new ApiError(0, '', []);
}

async function* textsOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

function trackOf(line: string, from: number): UnitDay {
  const { unitId, fixes } = JSON.parse(line) as {
    readonly unitId: string;
    readonly fixes: readonly (readonly [time: number, lon: number, lat: number])[];
  };
  const seconds = new Float64Array(fixes.length);
  const lonLat = new Float64Array(2 * fixes.length);
  fixes.forEach(([time, lon, lat], i) => {
    seconds[i] = (time - from) / 1000;
    lonLat[2 * i] = lon;
    lonLat[2 * i + 1] = lat;
  });
  return { unitId, seconds, lonLat, isBreak: (i) => seconds[i + 1]! - seconds[i]! > SILENT };
}
