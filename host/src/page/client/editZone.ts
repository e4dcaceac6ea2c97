/** The form in which a zone is made or changed, with its shape on the map. */

import { button, element, fill } from '../../../../src/report/client/shared/index.js';
import type { App, PageZone } from './app.js';
import { type Draft, draftFeatures, draftOf, NEW_WIDTH, problemsOf, problemText } from './draft.js';
import { createDrawing, createWidthHandle, MOST_VERTICES } from './drawing.js';
import { createPositionFields, createZoneFields } from './zoneFields.js';
import { createZoneSaving } from './zoneSaving.js';

export interface EditEnds {
  /** The zone as it was (null: new) and as it is stored, with its entity tag. */
  readonly saved: (before: PageZone | null, after: PageZone, tag: string | null) => void;
  readonly closed: () => void;
}

/** `zone` null: a new one. `tag`: the entity tag of `zone`, without which somebody else's edit would be overwritten. */
export function editZone(app: App, zone: PageZone | null, tag: string | null, ends: EditEnds): HTMLElement {
  const { words, fleetMap } = app;
  let draft = draftOf(zone);
  /** Holes and further parts cannot be drawn: such a zone keeps its shape. */
  const isFixed = zone?.parts != null;

  const fields = createZoneFields(app, {
    isFixed,
    changed: (part) => change(part, false),
    typeChanged(type) {
      draft = { ...draft, type, width: draft.width ?? NEW_WIDTH };
      startDrawing();
    },
  });
  const saving = createZoneSaving(app, {
    zone,
    tag,
    draft: () => draft,
    busy(isBusy) {
      save.disabled = isBusy;
    },
    stored(after, written) {
      end();
      ends.saved(zone, after, written);
    },
    refused: showProblems,
    merged: (chosen) => change(chosen, true),
  });
  const help = element('p', { className: 'note' });
  help.setAttribute('role', 'status');
  const problems = element('ul', { className: 'problems' });
  problems.setAttribute('aria-label', words.problems);
  const save = button(words.save, () => void saving.save(), 'primary');
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
    const body = saving.body();
    const found = problemsOf(body);
    showProblems(found.map((problem) => problemText(words, problem)));
    save.disabled = found.length > 0;
    fleetMap.set('draft', draftFeatures(body, found));
    fields.show(draft);
    if (isFixed) return;
    positions.show(draft);
    handle.place(draft);
  }
  function showProblems(texts: readonly string[]): void {
    problems.replaceChildren(...texts.map((textContent) => element('li', { textContent })));
  }
  function startDrawing(): void {
    draft = { ...draft, geometry: [] };
    drawing.draw(draft.type);
    help.textContent =
      draft.type === 'polygon' ? words.drawPolygon : draft.type === 'line' ? words.drawLine : words.drawPoint;
    show();
  }
  function end(): void {
    drawing.end();
    handle.end();
    fleetMap.set('draft', []);
    delete document.body.dataset['mode'];
  }

  document.body.dataset['mode'] = 'edit';
  const cancel = button(words.cancel, () => {
    end();
    ends.closed();
  });
  const form = element(
    'section',
    { className: 'cardview edit' },
    element('h2', { textContent: zone?.name ?? words.newZone, tabIndex: -1 }),
    ...fields.nodes,
    ...(isFixed ? [] : [element('div', { className: 'tools' }, draw), help, positions.node]),
    problems,
    saving.conflict,
    element('div', { className: 'tools' }, save, cancel),
  );
  form.setAttribute('aria-label', zone?.name ?? words.newZone);
  if (zone === null) startDrawing();
  else {
    if (!isFixed) {
      const isDraggable = drawing.show(draft.type, draft.geometry);
      help.textContent = isDraggable ? words.dragHelp : fill(words.manyVertices, { count: MOST_VERTICES });
    }
    show();
  }
  setTimeout(fields.focus, 0);
  return form;
}
