/** Schemas of a unit's custom fields. */

import type { CustomFieldDefinition, CustomFieldValue } from '../core/customField.js';
import { list, Name } from './parts.js';
import {
  boolean,
  integer,
  number,
  object,
  oneOf,
  optional,
  string,
  union,
  type WireSchema,
  wireSchema,
} from './wireSchema.js';

const Group = oneOf(['cf_fuel', 'cf_trips', 'cf_etc', 'cf_motohours', 'cf_custom', 'cf_hidden']);
const Value = union([string(), number()]);

/** The definition of a custom field. */
export const CustomFieldDefinitionSchema: WireSchema<CustomFieldDefinition> =
  wireSchema<CustomFieldDefinition>()(
    object({
      name: Name,
      key: Name,
      type: oneOf(['text', 'list']),
      group: Group,
      default_value: optional(Value),
      pattern: optional(string()),
      values: optional(list(object({ key: Name, value: string() }), 1)),
      sort: optional(integer()),
      show_in_monitoring: optional(boolean()),
      hint: optional(string()),
    }),
  );

/** The custom fields of a unit. */
export const CustomFieldValuesSchema: WireSchema<readonly CustomFieldValue[]> = wireSchema<
  readonly CustomFieldValue[]
>()(list(object({ name: Name, key: Name, value: Value, group: Group })));

/** The custom fields of a unit as `validateUnitSettings` accepts them in a list. */
export const CustomFieldInputs: WireSchema<
  readonly {
    readonly key: string;
    readonly value: string | number;
    readonly name?: string;
    readonly group?: CustomFieldValue['group'];
  }[]
> = list(object({ key: Name, value: Value, name: optional(Name), group: optional(Group) }));
