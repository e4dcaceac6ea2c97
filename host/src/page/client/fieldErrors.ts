/** Errors of a form beside the fields that they name. */

import type { FieldError } from 'wayzone';
import { element } from '../../../../src/report/client/dom.js';

export interface FieldErrors {
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

export function createFieldErrors(label: string): FieldErrors {
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
