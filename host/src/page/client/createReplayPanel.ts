/** The replay of a day: a slider that moves all vehicles. */

import { DAY } from '../../../../src/report/client/clock.js';
import { placeAt } from '../../../../src/report/client/dayTrack.js';
import { element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { type App, button, failureText, labelled } from './app.js';
import { dayTracks, type UnitDay } from './dayTracks.js';
import type { Fleet } from './fleet.js';
import { say } from './say.js';
import type { Place, VehicleLayer } from './vehicleLayer.js';

/** Seconds of the day in a second of the replay. */
const SPEEDS = [10, 60, 300, 1200] as const;
const DAY_SECONDS = 86_400;
/** Milliseconds between two pictures. */
const PICTURE_MS = 50;
/** The same for users who prefer reduced motion. */
const CALM_MS = 1000;

export function createReplayPanel(app: App, fleet: Fleet, layer: VehicleLayer): void {
  const { words, clock, tabs, api, fleetMap } = app;
  const panel = tabs.panel('replay');
  const day = element('input', { type: 'date', value: clock.text(Date.now()).slice(0, 10), required: true });
  const slider = element('input', {
    type: 'range',
    min: '0',
    max: String(DAY_SECONDS),
    step: '10',
    value: '0',
  });
  slider.setAttribute('aria-label', words.time);
  const shownTime = element('output', { className: 'time' });
  const speed = element('select');
  for (const value of SPEEDS)
    speed.append(element('option', { value: String(value), textContent: `× ${value}` }));
  speed.value = '60';
  const note = element('p', { className: 'note' });
  note.setAttribute('role', 'status');
  const play = button(words.play, () => (timer === undefined ? start() : stop()));
  const live = button(words.backToLive, () => close());
  const controls = element(
    'div',
    { hidden: true },
    element('div', { className: 'slider' }, slider, shownTime),
    element('div', { className: 'tools' }, play, labelled(words.speed, speed), live),
  );
  const load = button(words.load, () => void open());
  panel.append(element('div', { className: 'tools' }, labelled(words.day, day), load), note, controls);

  let tracks: UnitDay[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;
  let loading = new AbortController();
  let length = DAY_SECONDS;

  async function open(): Promise<void> {
    if (!day.reportValidity()) return;
    stop();
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    tracks = [];
    const wall = Date.parse(`${day.value}T00:00:00Z`);
    const [from, to] = [clock.instant(wall), clock.instant(wall + DAY)];
    length = (to - from) / 1000;
    slider.max = String(length);
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
    slider.value = String(Math.ceil(first / 10) * 10);
    showBox();
    show();
    say(fill(words.replayOf, { day: day.value }));
  }

  function show(): void {
    const second = Number(slider.value);
    const places: Place[] = [];
    for (const track of tracks) {
      const place = placeAt(track, second);
      if (place === null) continue;
      const state = place.isSilent ? 'silent' : place.isMoving ? 'moving' : 'stopped';
      const { lon, lat } = place;
      places.push({ unitId: track.unitId, name: fleet.nameOf(track.unitId), lon, lat, state });
    }
    layer.replace(places);
    const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
    const text = `${two(second / 3600)}:${two((second / 60) % 60)}:${two(second % 60)}`;
    shownTime.textContent = text;
    slider.setAttribute('aria-valuetext', text);
  }

  /** Shows the area of all positions of the day. */
  function showBox(): void {
    let [west, south, east, north] = [180, 90, -180, -90];
    for (const { lonLat } of tracks)
      for (let i = 0; i < lonLat.length; i += 2) {
        west = Math.min(west, lonLat[i]!);
        east = Math.max(east, lonLat[i]!);
        south = Math.min(south, lonLat[i + 1]!);
        north = Math.max(north, lonLat[i + 1]!);
      }
    fleetMap.show([west, south, east, north]);
  }

  function start(): void {
    const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_MS : PICTURE_MS;
    play.textContent = words.pause;
    let second = Number(slider.value);
    timer = setInterval(() => {
      // The slider has whole steps, so the time between them is kept here.
      if (Math.abs(second - Number(slider.value)) > 10) second = Number(slider.value);
      second += (Number(speed.value) * pause) / 1000;
      slider.value = String(second);
      show();
      if (second >= length) stop();
    }, pause);
  }
  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    play.textContent = words.play;
  }
  function close(): void {
    stop();
    loading.abort();
    tracks = [];
    controls.hidden = true;
    note.textContent = '';
    layer.replace(null);
    say('');
    day.focus();
  }
  slider.addEventListener('input', show);
}
