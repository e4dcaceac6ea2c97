/** The words of the page by language. */

import { WORDS_ENGLISH } from './wordsEnglish.js';
import { WORDS_RUSSIAN } from './wordsRussian.js';

export type Words = { readonly [Key in keyof typeof WORDS_ENGLISH]: string };

export type Language = 'en' | 'ru';

export function wordsIn(language: Language): Words {
  return language === 'ru' ? WORDS_RUSSIAN : WORDS_ENGLISH;
}
