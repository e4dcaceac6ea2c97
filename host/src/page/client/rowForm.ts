/** A form that makes or changes a row: its heading and fields, then saving, removing, and what the host refuses. */

import type { FieldError } from 'wayzone';
import { button, element, fill } from '../../../../src/report/client/shared/index.js';
import { ApiError } from './api.js';
import { type App, failureText } from './app.js';
import { say } from './say.js';
import { sureButton } from './zoneCard.js';

export interface RowEnds<Row> {
  readonly saved: (row: Row) => void;
  readonly removed: () => void;
  readonly closed: () => void;
}

export interface RowForm<Row> {
  /** null: a new one. */
  readonly row: Row | null;
  /** The entity tag of `row`, so that somebody else's edit is not overwritten. */
  readonly tag: string | null;
  /** The address of the rows. */
  readonly url: string;
  readonly title: string;
  readonly fields: readonly Node[];
  readonly body: () => object;
  /** Problems that are found before the host is asked. Default: none. */
  readonly problems?: (body: object) => readonly FieldError[];
  /** Said of a stored row. Default: that it is saved. */
  readonly savedText?: (row: Row) => string;
}

export function rowForm<Row extends { readonly id: string; readonly name: string }>(
  app: App,
  { row, tag, url, title, fields, body, problems, savedText }: RowForm<Row>,
  ends: RowEnds<Row>,
): HTMLElement {
  const { words, api } = app;
  const ifMatch = tag === null ? {} : { 'if-match': tag };
  const path = row === null ? url : `${url}/${encodeURIComponent(row.id)}`;
  const errors = createFieldErrors(words.problems);
  const save = element('button', { type: 'submit', className: 'primary', textContent: words.save });
  const form = element(
    'form',
    { className: 'cardview edit', noValidate: true },
    element('h2', { textContent: title, tabIndex: -1 }),
    ...fields,
    errors.node,
    element(
      'div',
      { className: 'tools' },
      save,
      button(words.cancel, ends.closed),
      ...(row === null ? [] : [sureButton(app, words.remove, row.name, () => void remove(row))]),
    ),
  );
  form.setAttribute('aria-label', title);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void store();
  });

  async function store(): Promise<void> {
    const sent = body();
    const found = problems?.(sent) ?? [];
    errors.show(form, found);
    if (found.length > 0) return;
    save.disabled = true;
    try {
      const { body: after } = await api.send<Row>(row === null ? 'POST' : 'PUT', path, sent, ifMatch);
      say(savedText?.(after) ?? fill(words.saved, { name: after.name }));
      ends.saved(after);
    } catch (error) {
      save.disabled = false;
      refuse(error);
    }
  }
  async function remove({ name }: Row): Promise<void> {
    try {
      await api.send('DELETE', path, undefined, ifMatch);
      say(fill(words.removed, { name }));
      ends.removed();
    } catch (error) {
      refuse(error);
    }
  }
  function refuse(error: unknown): void {
    errors.show(form, error instanceof ApiError ? error.errors : []);
    say(failureText(app, error));
  }
  setTimeout(() => form.querySelector('input')?.focus(), 0);
  return form;
}

interface FieldErrors {
  /** Errors of no field of the form. */
  readonly node: HTMLElement;
  /** Shows these errors instead of the last ones, and moves to the first field that has one. */
  readonly show: (form: HTMLElement, errors: readonly FieldError[]) => void;
}

/** The name of a form's control in errors: `points[0].arrival.time`. */
export function named<Control extends HTMLElement>(control: Control, field: string): Control {
  control.dataset['field'] = field;
  return control;
}

function createFieldErrors(label: string): FieldErrors {
  const node = element('ul', { className: 'problems' });
  node.setAttribute('aria-label', label);
  let marked: (readonly [control: HTMLElement, text: HTMLElement])[] = [];
  return {
    node,
    show(form, errors) {
      for (const [control, text] of marked) {
        control.removeAttribute('aria-invalid');
        control.removeAttribute('aria-describedby');
        text.remove();
      }
      marked = [];
      node.replaceChildren();
      const controls = [...form.querySelectorAll<HTMLElement>('[data-field]')];
      const fields = controls.map((control) => control.dataset['field']!);
      for (const { field, message } of errors) {
        const control = controls[controlAt(fields, field)];
        if (control === undefined) {
          node.append(element('li', { textContent: `${field}: ${message}` }));
          continue;
        }
        const text = element('span', {
          className: 'problem',
          id: `problem-${marked.length}`,
          textContent: message,
        });
        (control.closest('label') ?? control).after(text);
        control.setAttribute('aria-invalid', 'true');
        control.setAttribute('aria-describedby', text.id);
        marked.push([control, text]);
      }
      marked[0]?.[0].focus();
    },
  };
}

/**
 * Index of the control, by its field, that an error of `field` belongs to: that field or the first part of it; else the smallest that it is a
 * part of; -1: none.
 */
export function controlAt(fields: readonly string[], field: string): number {
  const isWithin = (part: string, whole: string): boolean =>
    part === whole || part.startsWith(`${whole}.`) || part.startsWith(`${whole}[`);
  const own = fields.findIndex((one) => isWithin(one, field));
  if (own !== -1) return own;
  const around = fields.filter((one) => isWithin(field, one));
  return fields.indexOf(around.sort((a, b) => b.length - a.length)[0] ?? '');
}
