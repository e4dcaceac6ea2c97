/** Stores a new or changed zone, and lets somebody merge two edits where another was first. */

import { element } from '../../../../src/report/client/dom.js';
import { ApiError } from './api.js';
import { type App, failureText, type PageZone } from './app.js';
import { conflictView } from './conflictView.js';
import { bodyOf, type Draft, draftOf, problemText } from './draft.js';
import { say } from './say.js';

export interface ZoneSaving {
  /** The body of a request that stores the draft. */
  readonly body: () => ReturnType<typeof bodyOf>;
  readonly save: () => Promise<void>;
  /** Element that shows two edits beside each other. */
  readonly conflict: HTMLElement;
}

export interface ZoneSavingOptions {
  /** The zone as it was read; null for a new one. */
  readonly zone: PageZone | null;
  /** Its entity tag, without which somebody else's edit would be overwritten. */
  readonly tag: string | null;
  readonly draft: () => Draft;
  readonly busy: (isBusy: boolean) => void;
  readonly stored: (after: PageZone, tag: string | null) => void;
  /** Shows the reasons for which the host refused a zone. */
  readonly refused: (texts: readonly string[]) => void;
  /** The draft is what somebody chose of both edits. */
  readonly merged: (draft: Draft) => void;
}

export function createZoneSaving(
  app: App,
  { zone, tag, draft, busy, stored, refused, merged }: ZoneSavingOptions,
): ZoneSaving {
  const conflict = element('div');
  let base = zone;
  let baseTag = tag;

  async function send(body: object): Promise<void> {
    busy(true);
    try {
      const { body: after, tag: written } =
        base === null
          ? await app.api.send<PageZone>('POST', '/geozones', body)
          : await app.api.send<PageZone>(
              'PUT',
              `/geozones/${encodeURIComponent(base.id)}`,
              body,
              baseTag === null ? {} : { 'if-match': baseTag },
            );
      stored(after, written);
    } catch (error) {
      busy(false);
      if (error instanceof ApiError && error.status === 412 && base !== null) return resolve(base);
      if (error instanceof ApiError && error.errors.length > 0)
        refused(error.errors.map((problem) => problemText(app.words, problem)));
      say(failureText(app, error));
    }
  }
  /** Shows both edits. The merged zone is saved over theirs, unless there is a third edit. */
  async function resolve(before: PageZone): Promise<void> {
    try {
      const query = new URLSearchParams({ ids: before.id });
      const { body: theirs, tag: theirTag } = await app.api.get<PageZone>(`/geozones?${query}`);
      if (theirs.is_delete === true) return say(app.words.gone);
      const view = conflictView(app, before, bodyOf(before, draft()), theirs, (zoneToSave) => {
        conflict.replaceChildren();
        base = theirs;
        baseTag = theirTag;
        merged(draftOf(zoneToSave));
        void send(zoneToSave);
      });
      conflict.replaceChildren(view);
      view.querySelector('h3')!.focus();
    } catch (error) {
      say(failureText(app, error));
    }
  }
  const body = (): ReturnType<typeof bodyOf> => bodyOf(base, draft());
  return { conflict, body, save: () => send(body()) };
}
