/** The custom fields of a unit: their definitions and values, spelled as the platform spells them. */

/** Groups of custom fields. */
export type CustomFieldGroup = 'cf_fuel' | 'cf_trips' | 'cf_etc' | 'cf_motohours' | 'cf_custom' | 'cf_hidden';

/** Definition of a custom field and of its allowed values. */
export interface CustomFieldDefinition {
  /** Name for people. */
  readonly name: string;
  /** Identity of the field. */
  readonly key: string;
  /** `list`: one of `values`. */
  readonly type: 'text' | 'list';
  /** Group of the field, from the dictionary `customfield_groups`. */
  readonly group: CustomFieldGroup;
  /** Value for a unit without the field. */
  readonly default_value?: string | number;
  /** Regular expression that the value's text matches. */
  readonly pattern?: string;
  /** The allowed entries of a list. */
  readonly values?: readonly { readonly key: string; readonly value: string }[];
  /** Position among the fields, ascending. */
  readonly sort?: number;
  /** Whether monitoring shows the field. */
  readonly show_in_monitoring?: boolean;
  /** Explanation for people. */
  readonly hint?: string;
}

/** The value of a custom field in a unit. */
export interface CustomFieldValue {
  /** Name for people. */
  readonly name: string;
  /** Identity of the field. */
  readonly key: string;
  /** Value set by the user, or the default. */
  readonly value: string | number;
  /** Group of the field, from the dictionary `customfield_groups`. */
  readonly group: CustomFieldGroup;
}
