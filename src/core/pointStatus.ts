/**
 * Statuses of the points of a trip: one row for each. The type, the schema, the colours and words of the report, and the sentences follow
 * from the rows; the rules that give a point its status are in `src/trips/judge/reportPoints.ts`.
 */

/** The CSS class of a status in the report. It only adds a colour: a word is always shown too. */
export type Mood = 'ok' | 'now' | 'wait' | 'warn' | 'bad' | 'none';

/** The statuses, in the order of the schema. */
export const POINT_STATUS_NAMES = [
  'pending',
  'inside',
  'passed',
  'skipped',
  'missed',
  'no_data',
  'excused',
] as const;

/** Status of a point. `no_data`: the unit could have visited the point on time while it was not seen. `excused`: the point need not be visited. */
export type PointStatus = (typeof POINT_STATUS_NAMES)[number];

/** Statuses whose sentence needs more than `SentenceParts`; the file of each language makes it. */
export type SpokenStatus = 'pending' | 'inside' | 'passed' | 'skipped' | 'no_data';

interface PointStatusRow<Sentence> {
  readonly mood: Mood;
  /** Word of the status in the report. */
  readonly word: Readonly<Record<'en' | 'ru', string>>;
  /**
   * Sentence about a point, with `{name}`, `{planned}` (` (planned 10:00)` or empty) and `{turn}` (a note that it was also visited out of
   * turn, or empty).
   */
  readonly sentence: Sentence;
}

type Rows = {
  readonly [Status in PointStatus]: PointStatusRow<
    Status extends SpokenStatus ? null : Readonly<Record<'en' | 'ru', string>>
  >;
};

export const POINT_STATUSES: Rows = {
  pending: { mood: 'wait', word: { en: 'pending', ru: 'ожидается' }, sentence: null },
  inside: { mood: 'now', word: { en: 'inside', ru: 'на месте' }, sentence: null },
  passed: { mood: 'ok', word: { en: 'passed', ru: 'пройдена' }, sentence: null },
  skipped: { mood: 'warn', word: { en: 'skipped', ru: 'пропущена' }, sentence: null },
  missed: {
    mood: 'bad',

    word: { en: 'missed', ru: 'не посещена' },
    sentence: { en: '{name} was not visited{planned}.', ru: '{name}: не посещена{planned}.' },
  },
  no_data: { mood: 'none', word: { en: 'no data', ru: 'нет данных' }, sentence: null },
  excused: {
    mood: 'none',

    word: { en: 'excused', ru: 'не нужна' },
    sentence: { en: '{name} is excused{planned}{turn}.', ru: '{name}: посещение отменено{planned}{turn}.' },
  },
};

/** The words of a language by status. */
export function pointStatusWords(language: 'en' | 'ru'): Readonly<Record<PointStatus, string>> {
  return Object.fromEntries(
    Object.entries(POINT_STATUSES).map(([status, { word }]) => [status, word[language]]),
  ) as Record<PointStatus, string>;
}

/** Event types in the order of events at one instant. */
export const TRIP_EVENT_TYPES = [
  'point_left',
  'departure_early',
  'departure_late',
  'trip_activated',
  'point_skipped',
  'point_entered',
  'arrival_early',
  'arrival_late',
  'arrival_overdue',
  'point_out_of_order',
  'trip_finished',
  'trip_aborted',
  'late_expected',
  'late_averted',
] as const;

/** Type of an event of a run. */
export type TripEventType = (typeof TRIP_EVENT_TYPES)[number];
