/** The form in which a zone is made or changed, with its shape on the map. */

import type { ZoneTypeKey } from 'wayzone';
import { element } from '../../../../src/report/client/dom.js';
import { ApiError } from './api.js';
import { type App, button, failureText, labelled, type PageZone } from './app.js';
import { conflictView } from './conflictView.js';
import { bodyOf, type Draft, draftFeatures, draftOf, NEW_WIDTH, problemsOf, problemText } from './draft.js';
import { createDrawing } from './drawing.js';
import { createPositionFields } from './positionFields.js';
import { say } from './say.js';
import { createWidthHandle } from './widthHandle.js';

const TYPES = ['polygon', 'circle', 'line', 'point'] as const;
const NO_COLOUR = '#607d9b';

export interface EditEnds {
  /** The zone as it was (null: new) and as it is stored, with its entity tag. */
  readonly saved: (before: PageZone | null, after: PageZone, tag: string | null) => void;
  readonly closed: () => void;
}

/** `zone` null: a new one. `tag`: the entity tag of `zone`, without which somebody else's edit would be overwritten. */
export function editZone(app: App, zone: PageZone | null, tag: string | null, ends: EditEnds): HTMLElement {
  const { words, fleetMap } = app;
  let base = zone;
  let baseTag = tag;
  let draft = draftOf(zone);
  /** Holes and further parts cannot be drawn: such a zone keeps its shape. */
  const isFixed = zone?.parts != null;

  const name = element('input', { value: draft.name, required: true, maxLength: 1000 });
  const type = element('select', { disabled: isFixed });
  for (const key of TYPES) type.append(element('option', { value: key, textContent: words[key] }));
  const color = element('input', { type: 'color' });
  const width = element('input', { type: 'number', min: '0.1', step: 'any' });
  const widthField = labelled('', width);
  const limit = element('input', { type: 'number', min: '1', step: 'any' });
  const help = element('p', { className: 'note' });
  help.setAttribute('role', 'status');
  const problems = element('ul', { className: 'problems' });
  problems.setAttribute('aria-label', words.problems);
  const conflict = element('div');
  const save = button(words.save, () => void send(bodyOf(base, draft)), 'primary');
  const positions = createPositionFields(words, (geometry) => change({ geometry }, true));
  const drawing = createDrawing(
    fleetMap.map,
    (geometry) => change({ geometry }, false),
    () => {
      help.textContent = words.dragHelp;
    },
  );
  const handle = createWidthHandle(fleetMap.map, words.handle, (meters) => change({ width: meters }, false));
  const draw = button(words.draw, startDrawing);

  /** `isShown`: the shape on the map has to follow. */
  function change(part: Partial<Draft>, isShown: boolean): void {
    draft = { ...draft, ...part };
    if (isShown && !isFixed) drawing.show(draft.type, draft.geometry);
    show();
  }
  function show(): void {
    const body = bodyOf(base, draft);
    const found = problemsOf(body);
    problems.replaceChildren(
      ...found.map((problem) => element('li', { textContent: problemText(words, problem) })),
    );
    save.disabled = found.length > 0;
    fleetMap.set('draft', draftFeatures(body, found));
    widthField.hidden = draft.type === 'polygon';
    widthField.firstChild!.textContent = `${draft.type === 'line' ? words.width : words.radius}, ${words.meters}`;
    if (document.activeElement !== width) width.value = draft.width === null ? '' : String(draft.width);
    if (document.activeElement !== name) name.value = draft.name;
    type.value = draft.type;
    color.value = draft.color !== null && /^#[0-9a-f]{6}$/i.test(draft.color) ? draft.color : NO_COLOUR;
    if (document.activeElement !== limit)
      limit.value = draft.speed_limit === null ? '' : String(draft.speed_limit);
    if (isFixed) return;
    positions.show(draft);
    handle.place(draft);
  }
  function startDrawing(): void {
    draft = { ...draft, geometry: [] };
    drawing.draw(draft.type);
    help.textContent =
      draft.type === 'polygon' ? words.drawPolygon : draft.type === 'line' ? words.drawLine : words.drawPoint;
    show();
  }

  name.addEventListener('input', () => change({ name: name.value }, false));
  color.addEventListener('input', () => change({ color: color.value.toUpperCase() }, false));
  width.addEventListener('input', () => change({ width: numberOf(width) }, false));
  limit.addEventListener('input', () => change({ speed_limit: numberOf(limit) }, false));
  type.addEventListener('change', () => {
    draft = { ...draft, type: type.value as ZoneTypeKey, width: draft.width ?? NEW_WIDTH };
    startDrawing();
  });

  async function send(body: object): Promise<void> {
    save.disabled = true;
    try {
      const { body: stored, tag: written } =
        base === null
          ? await app.api.send<PageZone>('POST', '/geozones', body)
          : await app.api.send<PageZone>(
              'PUT',
              `/geozones/${encodeURIComponent(base.id)}`,
              body,
              baseTag === null ? {} : { 'if-match': baseTag },
            );
      end();
      ends.saved(zone, stored, written);
    } catch (error) {
      save.disabled = false;
      if (error instanceof ApiError && error.status === 412 && base !== null) return resolve(base);
      if (error instanceof ApiError && error.errors.length > 0)
        problems.replaceChildren(
          ...error.errors.map((problem) => element('li', { textContent: problemText(words, problem) })),
        );
      say(failureText(app, error));
    }
  }
  /** Shows both edits. The merged zone is saved over theirs, unless there is a third edit. */
  async function resolve(before: PageZone): Promise<void> {
    try {
      const query = new URLSearchParams({ ids: before.id });
      const { body: theirs, tag: theirTag } = await app.api.get<PageZone>(`/geozones?${query}`);
      if (theirs.is_delete === true) return say(words.gone);
      const view = conflictView(app, before, bodyOf(before, draft), theirs, (zoneToSave) => {
        conflict.replaceChildren();
        base = theirs;
        baseTag = theirTag;
        change(draftOf(zoneToSave), true);
        void send(zoneToSave);
      });
      conflict.replaceChildren(view);
      view.querySelector('h3')!.focus();
    } catch (error) {
      say(failureText(app, error));
    }
  }
  function end(): void {
    drawing.end();
    handle.end();
    fleetMap.set('draft', []);
    delete document.body.dataset['mode'];
  }

  document.body.dataset['mode'] = 'edit';
  const form = element(
    'section',
    { className: 'cardview edit' },
    element('h2', { textContent: zone?.name ?? words.newZone, tabIndex: -1 }),
    labelled(words.name, name),
    labelled(words.type, type),
    widthField,
    element(
      'div',
      { className: 'tools' },
      labelled(words.color, color),
      labelled(`${words.limit}, ${words.kph}`, limit),
    ),
    ...(isFixed ? [] : [element('div', { className: 'tools' }, draw), help, positions.node]),
    problems,
    conflict,
    element(
      'div',
      { className: 'tools' },
      save,
      button(words.cancel, () => {
        end();
        ends.closed();
      }),
    ),
  );
  form.setAttribute('aria-label', zone?.name ?? words.newZone);
  if (zone === null) startDrawing();
  else {
    if (!isFixed) {
      drawing.show(draft.type, draft.geometry);
      help.textContent = words.dragHelp;
    }
    show();
  }
  setTimeout(() => name.focus(), 0);
  return form;
}

function numberOf(input: HTMLInputElement): number | null {
  return Number.isNaN(input.valueAsNumber) ? null : input.valueAsNumber;
}
