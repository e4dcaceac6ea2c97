/** The platform's custom fields of a unit: schemas, and one table from which the listed definitions and the validators follow. */

import { inputError } from '../core/errors.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import type { CustomFieldDefinition, CustomFieldGroup, CustomFieldValue } from '../core/trackSettings.js';
import {
  boolean,
  integer,
  list,
  Name,
  number,
  object,
  oneOf,
  optional,
  string,
  union,
  type WireSchema,
  wireSchema,
} from './wireSchema.js';

const OPTIONS: OptionTable<ListCustomFieldsOptions> = { language: OWN };

/** A field of the table. */
interface CustomFieldRow {
  readonly key: string;
  readonly group: CustomFieldGroup;
  readonly form: CustomFieldForm;
  /** Value for a unit without the field; null for a hidden field, which is optional. */
  readonly missing: string | number | null;
  readonly en: string;
  readonly ru: string;
}

/** Form of a field's values: the pattern of their texts, words for messages, and the entries of a list. */
interface CustomFieldForm {
  readonly pattern: string;
  readonly what: string;
  readonly values?: readonly (readonly [key: string, en: string, ru: string])[];
}

const TEXT: CustomFieldForm = { pattern: '^[\\s\\S]*$', what: 'a text' };
const AMOUNT: CustomFieldForm = { pattern: '^[0-9]+(?:\\.[0-9]+)?$', what: 'a number of at least 0' };
const COEFFICIENT: CustomFieldForm = {
  pattern: '^(?:0*[1-9][0-9]*(?:\\.[0-9]+)?|0+\\.0*[1-9][0-9]*)$',
  what: 'a number above 0',
};
const MONTH: CustomFieldForm = { pattern: '^(?:[1-9]|1[0-2])$', what: 'a month from 1 to 12' };
const DAY_HOURS: CustomFieldForm = {
  pattern: '^(?:(?:1?[0-9]|2[0-3])(?:\\.[0-9]+)?|24(?:\\.0+)?)$',
  what: 'a number of hours from 0 to 24',
};
const SWITCH: CustomFieldForm = { pattern: '^[01]?$', what: '0, 1 or an empty text' };
const VIDEO_DEVICE: CustomFieldForm = { pattern: '^(?:CARVIS)?$', what: 'CARVIS or an empty text' };
const CAMERAS: CustomFieldForm = {
  pattern: '^(?:[0-9]+(?:,[0-9]+)*)?$',
  what: 'whole numbers separated by commas, or an empty text',
};

function listOf(...values: NonNullable<CustomFieldForm['values']>): CustomFieldForm {
  const keys = values.map(([key]) => key);
  return { pattern: `^(?:${keys.join('|')})$`, what: `one of ${keys.join(', ')}`, values };
}

const MOVEMENT = listOf(['speedkph', 'Speed', 'Скорость'], ['ignition', 'Ignition', 'Зажигание']);
const MILEAGE = listOf(
  ['mileage_GPS', 'GPS', 'GPS'],
  ['mileage_mileage_sensor', 'Mileage sensor', 'Датчик пробега'],
  ['mileage_relative_mileage', 'Relative mileage sensor', 'Датчик относительного пробега'],
  ['mileage_GPS_ignition', 'GPS with the ignition on', 'GPS при включённом зажигании'],
);
const MOTOHOURS = listOf(
  ['ignition', 'Ignition', 'Зажигание'],
  ['abs_motohours', 'Absolute engine hours', 'Абсолютные моточасы'],
  ['relative_motohours', 'Relative engine hours', 'Относительные моточасы'],
);

type Row = readonly [
  key: string,
  group: CustomFieldGroup,
  form: CustomFieldForm,
  missing: string | number | null,
  en: string,
  ru: string,
];

const ROWS: readonly Row[] = [
  ['fuel_fillings_minfilling', 'cf_fuel', AMOUNT, 10, 'Smallest filling', 'Минимальная заправка'],
  ['fuel_fillings_minitheft', 'cf_fuel', AMOUNT, 10, 'Smallest theft', 'Минимальный слив'],
  [
    'fuel_fillings_msgignorestart',
    'cf_fuel',
    AMOUNT,
    60,
    'Time ignored after the start of movement, s',
    'Игнорировать сообщения после начала движения, с',
  ],
  [
    'fuel_fillings_minstaytheft',
    'cf_fuel',
    AMOUNT,
    60,
    'Shortest stop of a theft, s',
    'Минимальная остановка для слива, с',
  ],
  ['fuel_consumption_summerconsump', 'cf_fuel', AMOUNT, 0, 'Consumption in summer', 'Расход летом'],
  ['fuel_consumption_winterconsump', 'cf_fuel', AMOUNT, 0, 'Consumption in winter', 'Расход зимой'],
  ['fuel_consumption_winterfrom', 'cf_fuel', MONTH, 11, 'First month of winter', 'Первый месяц зимы'],
  ['fuel_consumption_winterto', 'cf_fuel', MONTH, 3, 'Last month of winter', 'Последний месяц зимы'],
  ['fuel_math_idlingsummer', 'cf_fuel', AMOUNT, 0, 'Idling consumption in summer', 'Холостой ход летом'],
  ['fuel_math_idlingwinter', 'cf_fuel', AMOUNT, 0, 'Idling consumption in winter', 'Холостой ход зимой'],
  ['fuel_math_coeffunderload', 'cf_fuel', AMOUNT, 0, 'Factor under load', 'Коэффициент под нагрузкой'],
  ['fuel_price', 'cf_fuel', AMOUNT, 0, 'Price of fuel', 'Цена топлива'],
  ['fuel_type', 'cf_fuel', TEXT, '', 'Type of fuel', 'Тип топлива'],
  ['fuel_mark', 'cf_fuel', TEXT, '', 'Mark of fuel', 'Марка топлива'],
  ['tripdetector_minparktime', 'cf_trips', AMOUNT, 300, 'Shortest parking, s', 'Минимальная стоянка, с'],
  [
    'tripdetector_minmovespeed',
    'cf_trips',
    AMOUNT,
    3,
    'Lowest speed of movement, km/h',
    'Минимальная скорость движения, км/ч',
  ],
  ['tripdetector_mintripdist', 'cf_trips', AMOUNT, 100, 'Shortest trip, m', 'Минимальная поездка, м'],
  ['tripdetector_mintriptime', 'cf_trips', AMOUNT, 60, 'Shortest trip, s', 'Минимальная поездка, с'],
  [
    'tripdetector_maxdistancemsg',
    'cf_trips',
    AMOUNT,
    1000,
    'Greatest distance of messages, m',
    'Максимальное расстояние между сообщениями, м',
  ],
  [
    'advanced_maxintervalmsg',
    'cf_trips',
    AMOUNT,
    3600,
    'Longest interval of messages, s',
    'Максимальный интервал между сообщениями, с',
  ],
  ['advanced_mileagecoeff', 'cf_trips', COEFFICIENT, 1, 'Factor on mileage', 'Коэффициент пробега'],
  [
    'key_tripdetector_movedetect',
    'cf_trips',
    MOVEMENT,
    'speedkph',
    'Detection of movement',
    'Определение движения',
  ],
  ['tripdetector_mileagedetect', 'cf_trips', MILEAGE, 'mileage_GPS', 'Source of mileage', 'Источник пробега'],
  [
    'key_motohourdetector',
    'cf_motohours',
    MOTOHOURS,
    'ignition',
    'Source of engine hours',
    'Источник моточасов',
  ],
  ['hours_rate', 'cf_etc', DAY_HOURS, 8, 'Planned hours a day', 'Норма часов в день'],
  ['analyst', 'cf_etc', TEXT, '', 'Analyst', 'Аналитик'],
  ['installer', 'cf_etc', TEXT, '', 'Installer', 'Монтажник'],
  ['install_date', 'cf_etc', TEXT, '', 'Date of installation', 'Дата установки'],
  ['install_place', 'cf_etc', TEXT, '', 'Place of installation', 'Место установки'],
  ['serial_number', 'cf_etc', TEXT, '', 'Serial number', 'Серийный номер'],
  ['serial_number_dut', 'cf_etc', TEXT, '', 'Serial number of the fuel sensor', 'Серийный номер ДУТ'],
  ['serial_number_dut_1', 'cf_etc', TEXT, '', 'Serial number of fuel sensor 1', 'Серийный номер ДУТ 1'],
  ['serial_number_dut_2', 'cf_etc', TEXT, '', 'Serial number of fuel sensor 2', 'Серийный номер ДУТ 2'],
  ['dut_seal_serial_number', 'cf_etc', TEXT, '', 'Seal of the fuel sensor', 'Номер пломбы ДУТ'],
  ['license_plate_number', 'cf_etc', TEXT, '', 'License plate', 'Государственный номер'],
  ['block_date', 'cf_etc', TEXT, '', 'Date of blocking', 'Дата блокировки'],
  ['kp', 'cf_etc', TEXT, '', 'KP', 'КП'],
  ['dut', 'cf_etc', TEXT, '', 'Fuel sensor', 'ДУТ'],
  ['second_sim', 'cf_etc', TEXT, '', 'Second SIM', 'Вторая SIM'],
  ['brand_name', 'cf_etc', TEXT, '', 'Brand', 'Марка'],
  ['brand_code', 'cf_etc', TEXT, '', 'Code of the brand', 'Код марки'],
  ['video_device_id', 'cf_etc', TEXT, '', 'Id of the video device', 'Идентификатор видеоустройства'],
  ['video_device_name', 'cf_etc', VIDEO_DEVICE, '', 'Video device', 'Видеоустройство'],
  ['video_cameras', 'cf_etc', CAMERAS, '', 'Cameras', 'Камеры'],
  ['counters_mileagekey', 'cf_hidden', TEXT, null, 'Mileage counter', 'Счётчик пробега'],
  ['counters_mileagecurr', 'cf_hidden', TEXT, null, 'Current mileage', 'Текущий пробег'],
  ['counters_mileageauto', 'cf_hidden', TEXT, null, 'Automatic mileage', 'Автоматический пробег'],
  ['counters_engienecurr', 'cf_hidden', TEXT, null, 'Current engine hours', 'Текущие моточасы'],
  ['counters_gprscurr', 'cf_hidden', TEXT, null, 'Current GPRS traffic', 'Текущий трафик GPRS'],
  ['counters_gprsauto', 'cf_hidden', TEXT, null, 'Automatic GPRS traffic', 'Автоматический трафик GPRS'],
  ['advanced_speedlimit', 'cf_hidden', TEXT, null, 'Speed limit', 'Ограничение скорости'],
  [
    'advanced_urbspeedlimit',
    'cf_hidden',
    TEXT,
    null,
    'Speed limit in towns',
    'Ограничение скорости в городе',
  ],
  ['advanced_dailyengine', 'cf_hidden', TEXT, null, 'Daily engine hours', 'Моточасы в день'],
  ['tripdetector_movedetectkey', 'cf_hidden', TEXT, null, 'Key of movement', 'Ключ движения'],
  ['tripdetector_gpscorrect', 'cf_hidden', SWITCH, null, 'Correction of positions', 'Коррекция GPS'],
];
/** The fields by key, in the order of the table. */
export const CUSTOM_FIELDS: ReadonlyMap<string, CustomFieldRow> = new Map(
  ROWS.map(([key, group, form, missing, en, ru]) => [key, { key, group, form, missing, en, ru }]),
);

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

/** The language of the names. */
export interface ListCustomFieldsOptions {
  /** BCP 47 tag; only `ru` differs from English. Default `en`. */
  readonly language?: string | undefined;
}

/**
 * The definitions of the platform's custom fields, as `GET /custom_fields` returns them. First come the required fields of every unit. Last come
 * the hidden fields (group `cf_hidden`), which have no default.
 *
 * Every definition has `name`, `key`, `type`, `group`, `pattern`, `sort` and `show_in_monitoring`. A required field also has `default_value`,
 * and a field of type `list` also has `values`. The text of a value matches `pattern`.
 *
 * Errors: `option-type` (`options`), `option-unknown`, `option-value` (`options.language`).
 *
 * @example
 * import { listCustomFields } from 'wayzone/schemas';
 * listCustomFields().find(({ key }) => key === 'tripdetector_minparktime')?.default_value; // 300
 */
export function listCustomFields(options: ListCustomFieldsOptions = {}): CustomFieldDefinition[] {
  checkOptions(options, OPTIONS);
  const { language = 'en' } = options;
  if (typeof language !== 'string')
    throw inputError('option-value', 'options.language', 'a language as a text', language);
  const isRussian = /^ru\b/i.test(language);
  return [...CUSTOM_FIELDS.values()].map(({ key, group, form, missing, en, ru }, i) => ({
    name: isRussian ? ru : en,
    key,
    type: form.values === undefined ? 'text' : 'list',
    group,
    ...(missing === null ? {} : { default_value: missing }),
    pattern: form.pattern,
    ...(form.values === undefined
      ? {}
      : {
          values: form.values.map(([value, inEnglish, inRussian]) => ({
            key: value,
            value: isRussian ? inRussian : inEnglish,
          })),
        }),
    sort: i,
    show_in_monitoring: false,
  }));
}
