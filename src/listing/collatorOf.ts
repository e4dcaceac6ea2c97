/** The collator of the user's language. */

import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';

/** The language of the alphabetical order. */
export interface LanguageOptions {
  /** The language of the alphabetical order, a BCP 47 tag. Default `en`, which also sorts Cyrillic correctly. */
  readonly language?: string | undefined;
}

export const LANGUAGE_OPTIONS: OptionTable<LanguageOptions> = { language: OWN };

/**
 * The collator for the options. `table`: names of all options. Errors: `option-type` (`options`), `option-unknown`, `option-value`
 * (`options.language`), `input-unreadable`.
 */
export function collatorOf(
  options: LanguageOptions,
  table: Parameters<typeof checkOptions>[1],
): Intl.Collator {
  checkOptions(options, table);
  const language: unknown = guarded('options.language', () => options.language) ?? 'en';
  try {
    if (typeof language === 'string') return new Intl.Collator(language);
  } catch {
    // A text that is not a language tag is reported below, like a value that is not a text.
  }
  throw inputError('option-value', 'options.language', 'a BCP 47 language tag', language);
}
