/** Texts with a number, in the grammar of a language. */

/** The text for each form of `Intl.PluralRules`; a language needs only its own forms. */
export interface Plural {
  readonly one: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** The text in the form for the number. `{count}` and other keys are not yet replaced. */
export function plural(language: string, forms: Plural, count: number): string {
  const form = new Intl.PluralRules(language).select(count);
  return (form === 'one' || form === 'few' || form === 'many' ? forms[form] : undefined) ?? forms.other;
}
