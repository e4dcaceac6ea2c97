/** Texts with a number in them, in the grammar of their language. */

/** A text for each form of `Intl.PluralRules`; a language needs only its own. */
export interface Plural {
  readonly one: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** The text whose form goes with the number. `{count}` and other keys are still to be filled in. */
export function plural(language: string, forms: Plural, count: number): string {
  const form = new Intl.PluralRules(language).select(count);
  return (form === 'one' || form === 'few' || form === 'many' ? forms[form] : undefined) ?? forms.other;
}
