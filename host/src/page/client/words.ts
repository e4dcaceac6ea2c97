/** The words of the page by language. */

import { WORDS_ENGLISH, type Words } from './wordsEnglish.js';
import { WORDS_RUSSIAN } from './wordsRussian.js';

export type { Words };

export type Language = 'en' | 'ru';

export function wordsIn(language: Language): Words {
  return language === 'ru' ? WORDS_RUSSIAN : WORDS_ENGLISH;
}
