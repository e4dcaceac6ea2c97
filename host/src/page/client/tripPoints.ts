/** The points of a trip as fields: zones that are searched by name, each with its planned times. */

import type { TripPoint, TripPointTime } from 'wayzone';
import { button, element, fill } from '../../../../src/report/client/shared/index.js';
import { type App, failureText, labelled, type PageZone } from './app.js';
import { named } from './rowForm.js';
import { say } from './say.js';

/** Zones in an answer to a search. */
const MOST_ZONES = 50;
const WAIT_MS = 250;

export interface TripPoints {
  readonly node: HTMLElement;
  readonly read: () => TripPoint[];
}

type TimeName = 'arrival' | 'departure';

/** `changed` gets the points after one was added, moved or removed. */
export function createTripPoints(
  app: App,
  given: readonly TripPoint[],
  changed: (points: readonly TripPoint[]) => void,
): TripPoints {
  const { words, api } = app;
  let points = [...given];
  const list = named(element('ol', { className: 'rows points', tabIndex: -1 }), 'points');
  const search = element('input', { type: 'search', placeholder: words.search });
  search.setAttribute('aria-label', words.search);
  const zones = element('select');
  zones.setAttribute('aria-label', words.zones);
  const add = button(words.addPoint, () => void addPoint());
  let timer: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void find(), WAIT_MS);
  });

  async function find(): Promise<void> {
    const value = search.value.trim();
    const conditions = value === '' ? [] : [{ field: 'name', value }];
    try {
      const { body } = await api.send<{ readonly list: readonly PageZone[] }>('POST', '/geozones/filter', {
        count: MOST_ZONES,
        sortField: 'name',
        conditions,
      });
      zones.replaceChildren(
        ...body.list.map(({ id, name }) => element('option', { value: id, textContent: name })),
      );
      add.disabled = body.list.length === 0;
    } catch (error) {
      say(failureText(app, error));
    }
  }
  /** A copy of the zone: later edits of the zone do not change the trip. */
  async function addPoint(): Promise<void> {
    try {
      const query = new URLSearchParams({ ids: zones.value });
      const { name, type, geometry, width, parts } = (await api.get<PageZone>(`/geozones?${query}`)).body;
      points.push({
        name,
        type: { key: type.key },
        geometry,
        width,
        ...(parts == null ? {} : { parts }),
      } as TripPoint);
      draw();
      list.querySelector<HTMLInputElement>('li:last-child input[type=time]')?.focus();
    } catch (error) {
      say(failureText(app, error));
    }
  }
  function change(i: number, part: Partial<TripPoint>): void {
    points[i] = { ...points[i]!, ...part };
  }
  function move(from: number, to: number): void {
    const [point] = points.splice(from, 1);
    points.splice(to, 0, point!);
    draw();
  }

  function timeFields(i: number, which: TimeName): HTMLElement {
    const own = points[i]![which] ?? null;
    const time = named(
      element('input', { type: 'time', value: own?.time ?? '' }),
      `points[${i}].${which}.time`,
    );
    const tolerance = named(numberField(own?.deviation_minutes), `points[${i}].${which}.deviation_minutes`);
    const days = named(numberField(own?.after_days), `points[${i}].${which}.after_days`);
    const take = (): void => {
      const minutes = tolerance.valueAsNumber;
      const value: TripPointTime = {
        ...own,
        time: time.value,
        after_days: Number.isNaN(days.valueAsNumber) ? 0 : days.valueAsNumber,
        deviation_minutes: Number.isNaN(minutes) ? null : minutes,
      };
      change(i, { [which]: time.value === '' ? null : value });
    };
    for (const input of [time, tolerance, days]) input.addEventListener('input', take);
    return element(
      'div',
      { className: 'tools' },
      labelled(words[which], time),
      labelled(words.tolerance, tolerance),
      labelled(words.daysAfter, days),
    );
  }
  function draw(): void {
    list.replaceChildren(
      ...points.map(({ name: own }, i) => {
        const name = named(element('input', { value: own }), `points[${i}]`);
        name.addEventListener('input', () => change(i, { name: name.value }));
        const up = button('↑', () => move(i, i - 1));
        up.disabled = i === 0;
        up.setAttribute('aria-label', fill(words.moveUp, { name: own }));
        const remove = button('×', () => {
          points = points.filter((_, k) => k !== i);
          draw();
        });
        remove.setAttribute('aria-label', fill(words.removePoint, { name: own }));
        return element(
          'li',
          {},
          labelled(fill(words.pointNumber, { n: i + 1 }), name),
          timeFields(i, 'arrival'),
          timeFields(i, 'departure'),
          element('div', { className: 'tools' }, up, remove),
        );
      }),
    );
    changed(points);
  }
  draw();
  void find();
  const node = element('div', {}, list, element('div', { className: 'tools' }, search, zones, add));
  return { node, read: () => points };
}

function numberField(value: number | null | undefined): HTMLInputElement {
  return element('input', { type: 'number', min: '0', step: '1', value: value == null ? '' : String(value) });
}
