/** The form in which a trip is made or changed. Its points are copies of zones with planned times. */

import type { FieldError } from 'wayzone';
import { WayzoneError } from 'wayzone';
import { validateTrip } from 'wayzone/schemas';
import type { TripInput } from 'wayzone/trips';
import { button, element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { ApiError } from './api.js';
import { type App, failureText, labelled } from './app.js';
import { createFieldErrors, named } from './fieldErrors.js';
import type { Fleet } from './fleet.js';
import { say } from './say.js';
import { createTripPoints } from './tripPoints.js';
import { sureButton } from './zoneCard.js';

export type PageTrip = TripInput & { readonly id: string };

export interface TripEnds {
  readonly saved: (trip: PageTrip) => void;
  readonly removed: () => void;
  readonly closed: () => void;
  /** The points have changed. */
  readonly changed: (points: TripInput['points']) => void;
}

/** `trip` null: a new one. `tag`: the entity tag of `trip`, so that somebody else's edit is not overwritten. */
export function editTrip(
  app: App,
  fleet: Fleet,
  trip: PageTrip | null,
  tag: string | null,
  ends: TripEnds,
): HTMLElement {
  const { words, api, clock } = app;
  const ifMatch = tag === null ? {} : { 'if-match': tag };
  const path = trip === null ? '/trips' : `/trips/${encodeURIComponent(trip.id)}`;
  const name = named(element('input', { value: trip?.name ?? '', maxLength: 1000 }), 'name');
  const unit = named(
    selectOf(
      [...fleet.units.values()].map(({ id, name: own }) => [id, own]),
      trip?.unit.id,
    ),
    'unit',
  );
  const order = named(
    selectOf(
      [
        ['strict', words.strict],
        ['arbitrary', words.arbitrary],
      ],
      trip?.passage_order_type.key,
    ),
    'passage_order_type',
  );
  const activation = named(
    selectOf(
      [
        ['', words.byDefault],
        ['time_of_first_point', words.atFirstTime],
        ['entrance_to_first_point', words.atFirstEntrance],
        ['leaving_first_point', words.atFirstExit],
      ],
      trip?.activation_type?.key,
    ),
    'activation_type',
  );
  const dates = element('div', { className: 'rows' });
  const addDate = (value: string): void => {
    const input = element('input', { type: 'date', value });
    input.setAttribute('aria-label', words.date);
    const row = element('div', { className: 'tools' }, input);
    const remove = button('×', () => {
      row.remove();
      numberDates();
    });
    remove.setAttribute('aria-label', words.removeDate);
    row.append(remove);
    dates.append(row);
    numberDates();
  };
  const dateInputs = (): HTMLInputElement[] => [...dates.querySelectorAll('input')];
  function numberDates(): void {
    for (const [i, input] of dateInputs().entries()) named(input, `dates[${i}]`);
  }
  for (const date of trip?.dates ?? [clock.text(Date.now())]) addDate(date.slice(0, 10));
  const points = createTripPoints(app, trip?.points ?? [], ends.changed);
  const errors = createFieldErrors(words.problems);
  const save = element('button', { type: 'submit', className: 'primary', textContent: words.save });
  const title = trip?.name ?? words.newTrip;
  const form = element(
    'form',
    { className: 'cardview edit', noValidate: true },
    element('h2', { textContent: title, tabIndex: -1 }),
    labelled(words.name, name),
    labelled(words.vehicle, unit),
    labelled(words.order, order),
    labelled(words.activation, activation),
    element('h3', { textContent: words.dates }),
    dates,
    button(words.addDate, () => addDate('')),
    element('h3', { textContent: words.points }),
    points.node,
    errors.node,
    element(
      'div',
      { className: 'tools' },
      save,
      button(words.cancel, ends.closed),
      ...(trip === null ? [] : [sureButton(app, words.remove, trip.name, () => void remove(trip))]),
    ),
  );
  form.setAttribute('aria-label', title);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void store();
  });

  function bodyOf(): TripInput {
    const { activation_type: _, ...rest } = trip ?? {};
    return {
      ...rest,
      name: name.value,
      unit: { id: unit.value },
      passage_order_type: { key: order.value as 'strict' | 'arbitrary' },
      ...(activation.value === ''
        ? {}
        : { activation_type: { key: activation.value as 'leaving_first_point' } }),
      dates: dateInputs().map(({ value }) => value),
      points: points.read(),
    };
  }
  async function store(): Promise<void> {
    const body = bodyOf();
    const found = problemsOf(body);
    errors.show(form, found);
    if (found.length > 0) return;
    save.disabled = true;
    try {
      const { body: after } = await api.send<PageTrip>(trip === null ? 'POST' : 'PUT', path, body, ifMatch);
      say(fill(words.saved, { name: after.name }));
      ends.saved(after);
    } catch (error) {
      save.disabled = false;
      refuse(error);
    }
  }
  async function remove({ name: gone }: PageTrip): Promise<void> {
    try {
      await api.send('DELETE', path, undefined, ifMatch);
      say(fill(words.removed, { name: gone }));
      ends.removed();
    } catch (error) {
      refuse(error);
    }
  }
  function refuse(error: unknown): void {
    errors.show(form, error instanceof ApiError ? error.errors : []);
    say(failureText(app, error));
  }
  setTimeout(() => name.focus(), 0);
  return form;
}

/** Every problem that the library finds. */
function problemsOf(body: TripInput): readonly FieldError[] {
  try {
    validateTrip(body);
    return [];
  } catch (error) {
    if (error instanceof WayzoneError) return error.errors;
    throw error;
  }
}

function selectOf(
  rows: readonly (readonly [value: string, text: string])[],
  chosen: string | undefined,
): HTMLSelectElement {
  return element(
    'select',
    {},
    ...rows.map(([value, textContent]) =>
      element('option', { value, textContent, selected: value === chosen }),
    ),
  );
}
