import type { REPORT_WORDS_ENGLISH } from './reportWordsEnglish.js';

/** The words of the report's page. */
export type ReportWords = Readonly<typeof REPORT_WORDS_ENGLISH>;
