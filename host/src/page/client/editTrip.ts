/** The form in which a trip is made or changed. Its points are copies of zones with planned times. */

import type { FieldError } from 'wayzone';
import { WayzoneError } from 'wayzone';
import { validateTrip } from 'wayzone/schemas';
import type { TripInput } from 'wayzone/trips';
import { button, element } from '../../../../src/report/client/shared/index.js';
import { type App, labelled } from './app.js';
import type { Fleet } from './fleet.js';
import { named, type RowEnds, rowForm } from './rowForm.js';
import { createTripPoints } from './tripPoints.js';

export type PageTrip = TripInput & { readonly id: string };

export interface TripEnds extends RowEnds<PageTrip> {
  /** The points have changed. */
  readonly changed: (points: TripInput['points']) => void;
}

/** `trip` null: a new one. `tag`: its entity tag. */
export function editTrip(
  app: App,
  fleet: Fleet,
  trip: PageTrip | null,
  tag: string | null,
  ends: TripEnds,
): HTMLElement {
  const { words, clock } = app;
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
  const fields = [
    labelled(words.name, name),
    labelled(words.vehicle, unit),
    labelled(words.order, order),
    labelled(words.activation, activation),
    element('h3', { textContent: words.dates }),
    dates,
    button(words.addDate, () => addDate('')),
    element('h3', { textContent: words.points }),
    points.node,
  ];

  function body(): TripInput {
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
  const title = trip?.name ?? words.newTrip;
  return rowForm(app, { row: trip, tag, url: '/trips', title, fields, body, problems: problemsOf }, ends);
}

/** Every problem that the library finds. */
function problemsOf(body: object): readonly FieldError[] {
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
