/** The form in which a vehicle is made or changed. */

import { button, element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { ApiError } from './api.js';
import { type App, failureText, labelled } from './app.js';
import { createFieldErrors, named } from './fieldErrors.js';
import { say } from './say.js';
import { sureButton } from './zoneCard.js';

export interface PageUnit {
  readonly id: string;
  readonly name: string;
  readonly imei?: string | null;
  readonly phonenumber?: string | null;
  /** In the answer that made it only. */
  readonly device_key?: string;
}

export interface UnitEnds {
  readonly saved: (unit: PageUnit) => void;
  readonly removed: () => void;
  readonly closed: () => void;
}

/** `unit` null: a new one. `tag`: the entity tag of `unit`, so that somebody else's edit is not overwritten. */
export function editUnit(app: App, unit: PageUnit | null, tag: string | null, ends: UnitEnds): HTMLElement {
  const { words, api } = app;
  const ifMatch = tag === null ? {} : { 'if-match': tag };
  const path = unit === null ? '/units' : `/units/${encodeURIComponent(unit.id)}`;
  const name = named(element('input', { value: unit?.name ?? '', maxLength: 1000 }), 'name');
  const key = named(element('input', { autocomplete: 'off', spellcheck: false }), 'device_key');
  const imei = named(element('input', { value: unit?.imei ?? '' }), 'imei');
  const phone = named(element('input', { value: unit?.phonenumber ?? '', type: 'tel' }), 'phonenumber');
  const errors = createFieldErrors(words.problems);
  const save = element('button', { type: 'submit', className: 'primary', textContent: words.save });
  const form = element(
    'form',
    { className: 'cardview edit', noValidate: true },
    element('h2', { textContent: unit?.name ?? words.newVehicle, tabIndex: -1 }),
    labelled(words.name, name),
    labelled(words.deviceKey, key),
    element('p', { className: 'note', textContent: unit === null ? words.newKeyHelp : words.keyHelp }),
    labelled(words.imei, imei),
    labelled(words.phone, phone),
    errors.node,
    element(
      'div',
      { className: 'tools' },
      save,
      button(words.cancel, ends.closed),
      ...(unit === null ? [] : [sureButton(app, words.remove, unit.name, () => void remove(unit))]),
    ),
  );
  form.setAttribute('aria-label', unit?.name ?? words.newVehicle);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void store();
  });

  async function store(): Promise<void> {
    save.disabled = true;
    const { imei: _, phonenumber: __, ...rest } = unit ?? {};
    const body = {
      ...rest,
      name: name.value,
      ...(imei.value.trim() === '' ? {} : { imei: imei.value.trim() }),
      ...(phone.value.trim() === '' ? {} : { phonenumber: phone.value.trim() }),
      ...(key.value.trim() === '' ? {} : { device_key: key.value.trim() }),
    };
    try {
      const { body: after } = await api.send<PageUnit>(unit === null ? 'POST' : 'PUT', path, body, ifMatch);
      say(
        after.device_key === undefined
          ? fill(words.saved, { name: after.name })
          : fill(words.savedKey, { name: after.name, key: after.device_key }),
      );
      ends.saved(after);
    } catch (error) {
      save.disabled = false;
      refuse(error);
    }
  }
  async function remove({ name: gone }: PageUnit): Promise<void> {
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
