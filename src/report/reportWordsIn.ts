/** The words of the report's page by language. */

import { REPORT_WORDS_ENGLISH, type ReportWords } from './reportWordsEnglish.js';
import { REPORT_WORDS_RUSSIAN } from './reportWordsRussian.js';

/** Russian for `ru` and its regions, else English. */
export function reportWordsIn(language: string): ReportWords {
  return /^ru\b/i.test(language) ? REPORT_WORDS_RUSSIAN : REPORT_WORDS_ENGLISH;
}
