/** The form in which a vehicle is made or changed. */

import { element, fill } from '../../../../src/report/client/shared/index.js';
import { type App, labelled } from './app.js';
import { named, type RowEnds, rowForm } from './rowForm.js';

export interface PageUnit {
  readonly id: string;
  readonly name: string;
  readonly imei?: string | null;
  readonly phonenumber?: string | null;
  /** In the answer that made it only. */
  readonly device_key?: string;
}

/** `unit` null: a new one. `tag`: its entity tag. */
export function editUnit(
  app: App,
  unit: PageUnit | null,
  tag: string | null,
  ends: RowEnds<PageUnit>,
): HTMLElement {
  const { words } = app;
  const name = named(element('input', { value: unit?.name ?? '', maxLength: 1000 }), 'name');
  const key = named(element('input', { autocomplete: 'off', spellcheck: false }), 'device_key');
  const imei = named(element('input', { value: unit?.imei ?? '' }), 'imei');
  const phone = named(element('input', { value: unit?.phonenumber ?? '', type: 'tel' }), 'phonenumber');
  const fields = [
    labelled(words.name, name),
    labelled(words.deviceKey, key),
    element('p', { className: 'note', textContent: unit === null ? words.newKeyHelp : words.keyHelp }),
    labelled(words.imei, imei),
    labelled(words.phone, phone),
  ];
  const body = (): object => {
    const { imei: _, phonenumber: __, ...rest } = unit ?? {};
    return {
      ...rest,
      name: name.value,
      ...(imei.value.trim() === '' ? {} : { imei: imei.value.trim() }),
      ...(phone.value.trim() === '' ? {} : { phonenumber: phone.value.trim() }),
      ...(key.value.trim() === '' ? {} : { device_key: key.value.trim() }),
    };
  };
  const savedText = ({ name: stored, device_key: own }: PageUnit): string =>
    own === undefined
      ? fill(words.saved, { name: stored })
      : fill(words.savedKey, { name: stored, key: own });
  const title = unit?.name ?? words.newVehicle;
  return rowForm(app, { row: unit, tag, url: '/units', title, fields, body, savedText }, ends);
}
