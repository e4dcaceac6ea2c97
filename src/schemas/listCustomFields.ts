/** Lists the platform's custom fields of a unit. */

import type { CustomFieldDefinition } from '../core/customField.js';
import { inputError } from '../core/errors.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import { CUSTOM_FIELDS } from './customFields.js';

/** The language of the names. */
export interface ListCustomFieldsOptions {
  /** BCP 47 tag; only `ru` differs from English. Default `en`. */
  readonly language?: string | undefined;
}

const OPTIONS: OptionTable<ListCustomFieldsOptions> = { language: OWN };

/**
 * The definitions of the platform's custom fields, as `GET /custom_fields` returns them. First come the required fields of every unit. Last come
 * the hidden fields (group `cf_hidden`), which have no default.
 *
 * Every definition has `name`, `key`, `type`, `group`, `pattern`, `sort` and `show_in_monitoring`. A required field also has `default_value`,
 * and a field of type `list` also has `values`. The text of a value matches `pattern`.
 *
 * Errors: `option-type` (`options`), `option-unknown`, `option-value` (`options.language`).
 *
 * @example
 * import { listCustomFields } from 'wayzone/schemas';
 * listCustomFields().find(({ key }) => key === 'tripdetector_minparktime')?.default_value; // 300
 */
export function listCustomFields(options: ListCustomFieldsOptions = {}): CustomFieldDefinition[] {
  checkOptions(options, OPTIONS);
  const { language = 'en' } = options;
  if (typeof language !== 'string')
    throw inputError('option-value', 'options.language', 'a language as a text', language);
  const isRussian = /^ru\b/i.test(language);
  return [...CUSTOM_FIELDS.values()].map(({ key, group, form, missing, en, ru }, i) => ({
    name: isRussian ? ru : en,
    key,
    type: form.values === undefined ? 'text' : 'list',
    group,
    ...(missing === null ? {} : { default_value: missing }),
    pattern: form.pattern,
    ...(form.values === undefined
      ? {}
      : {
          values: form.values.map(([value, inEnglish, inRussian]) => ({
            key: value,
            value: isRussian ? inRussian : inEnglish,
          })),
        }),
    sort: i,
    show_in_monitoring: false,
  }));
}
