/** Assumptions and questions of the description of a table. */

import type { TableNote } from './tableDescription.js';

export interface Notes {
  readonly assumptions: TableNote[];
  readonly questions: TableNote[];
  readonly say: (message: string, flag?: string) => void;
  readonly ask: (code: TableNote['code'], message: string, flag: string) => void;
}

export function makeNotes(): Notes {
  const assumptions: TableNote[] = [];
  const questions: TableNote[] = [];
  return {
    assumptions,
    questions,
    say: (message, flag = '') => void assumptions.push({ code: 'table-assumed', message, flag }),
    ask: (code, message, flag) => void questions.push({ code, message, flag }),
  };
}

/** Whether a question of this code is open. */
export function asks({ questions }: Notes, code: TableNote['code']): boolean {
  return questions.some((question) => question.code === code);
}
