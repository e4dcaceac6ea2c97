/** What a worker and the process of a trial send to each other. Structured clones, so maps and bytes arrive as they are. */

import type { LogMessage } from './log.js';
import type { TakenOver } from './streamStore.js';

/** The names that the trial may call in its worker. */
export const ASKED = {
  store: [
    'fixesOf',
    'fixCount',
    'firstFixOf',
    'eventsOf',
    'settingsOf',
    'tripEventsOf',
    'tripDatesOf',
    'meetingEventsOf',
    'nextOrdinal',
    'asideOf',
  ],
  zones: ['current', 'at'],
  trips: ['at'],
  routes: ['of'],
  pairs: ['of', 'dateOf'],
} as const;

export type ToTrial =
  | {
      readonly kind: 'begin';
      readonly partition: number;
      readonly from: TakenOver;
      readonly latenessSeconds: number;
    }
  | { readonly kind: 'message'; readonly message: LogMessage; readonly isTried: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };

export type FromTrial =
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly of: keyof typeof ASKED;
      readonly name: string;
      readonly values: readonly unknown[];
    }
  /** Ready for the next message. */
  | { readonly kind: 'next' }
  /** The tried message is processed for this unit from here on. Empty: it is read, and not yet processed for any unit. */
  | { readonly kind: 'trying'; readonly unitId: string }
  /** The tried message was processed, with outputs or with an error. */
  | { readonly kind: 'survived' };
