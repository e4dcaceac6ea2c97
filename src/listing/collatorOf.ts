/** The alphabet of the user's language. */

import { inputError } from '../core/errors.js';
import { checkOptions, guarded } from '../core/input.js';

/** Whose alphabet sorts. */
export interface LanguageOptions {
  /** The language whose alphabet orders the texts, as a BCP 47 tag. Default `en` (whose order suits Cyrillic as well). */
  readonly language?: string;
}

/** Errors: `option-type` (`options`), `option-value` (`options.language`), `input-unreadable`. */
export function collatorOf(options: LanguageOptions): Intl.Collator {
  checkOptions(options);
  const language: unknown = guarded('options.language', () => options.language) ?? 'en';
  try {
    if (typeof language === 'string') return new Intl.Collator(language);
  } catch {
    // Not a language tag: reported below, like a value that is not a text.
  }
  throw inputError('option-value', 'options.language', 'a BCP 47 language tag', language);
}
