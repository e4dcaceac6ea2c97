/** Imports a file: the host reads it without storing, the page shows every issue and the zones, then the host stores it. */

import type { Feature } from 'geojson';
import { type ForeignData, type Issue, zoneOutline } from 'wayzone';
import { fromCsv, fromGeoJson, fromGpx, fromKml, fromKmz } from 'wayzone/interchange';
import { button, element, fill, inSlices } from '../../../../src/report/client/shared/index.js';
import { type App, failureText } from './app.js';
import { boxOfPositions } from './boxOf.js';
import { outlineFeatures } from './outlineFeatures.js';

interface ImportAnswer {
  readonly read: number;
  readonly stored: number;
  readonly issues: readonly Issue[];
}

export interface ImportEnds {
  readonly stored: (count: number) => void;
  readonly closed: () => void;
}

const ACCEPTED = '.kml,.kmz,.geojson,.json,.gpx,.csv';
/** Issues in a page of the table. */
const PAGE = 100;
/** Zones and bytes of a preview. */
const MOST_SHOWN = 2000;
const MOST_BYTES = 5_000_000;

/** Points with times are zones here. */
function zonesOfGeoJson(bytes: Uint8Array): ForeignData {
  return fromGeoJson(bytes, { as: 'zones' });
}

const READERS: Readonly<Record<string, (bytes: Uint8Array) => ForeignData>> = {
  kml: fromKml,
  kmz: fromKmz,
  geojson: zonesOfGeoJson,
  json: zonesOfGeoJson,
  gpx: fromGpx,
  csv: fromCsv,
};

export function importZones(app: App, given: File | null, ends: ImportEnds): HTMLElement {
  const { words, fleetMap, api } = app;
  const input = element('input', { type: 'file', accept: ACCEPTED });
  input.setAttribute('aria-label', words.chooseFile);
  const result = element('div');
  result.setAttribute('role', 'status');
  const close = (): void => {
    fleetMap.set('preview', []);
    ends.closed();
  };
  const view = element(
    'section',
    { className: 'cardview' },
    element('h2', { textContent: words.importFile, tabIndex: -1 }),
    element('div', { className: 'drop' }, element('p', { textContent: words.dropHere }), input),
    result,
    element('div', { className: 'tools' }, button(words.close, close)),
  );
  view.setAttribute('aria-label', words.importFile);
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) void check(file);
  });

  const send = async (file: File, query: string): Promise<ImportAnswer> => {
    const form = new FormData();
    form.append('file', file);
    return (await api.send<ImportAnswer>('POST', `/geozones/import?${query}`, form)).body;
  };
  async function check(file: File): Promise<void> {
    result.replaceChildren(element('p', { textContent: words.checking }));
    fleetMap.set('preview', []);
    try {
      const { read, issues } = await send(file, 'dry_run=true');
      const hasErrors = issues.some(({ severity }) => severity === 'error');
      const store = button(fill(words.store, { count: read }), () => void keep(file, store), 'primary');
      result.replaceChildren(
        element('p', { textContent: fill(words.wouldStore, { count: read, file: file.name }) }),
        issueTable(app, issues),
        ...(hasErrors ? [element('p', { className: 'problem', textContent: words.refused })] : []),
        ...(read > 0 ? [store] : []),
      );
      if (read > 0) await preview(file);
    } catch (error) {
      result.replaceChildren(element('p', { className: 'problem', textContent: failureText(app, error) }));
    }
  }
  async function keep(file: File, store: HTMLButtonElement): Promise<void> {
    store.disabled = true;
    try {
      // Somebody has seen which zones have errors.
      const { stored } = await send(file, 'partial=true');
      fleetMap.set('preview', []);
      ends.stored(stored);
    } catch (error) {
      store.disabled = false;
      result.append(element('p', { className: 'problem', textContent: failureText(app, error) }));
    }
  }
  /** Shows the zones of a file that is not large. The host alone decides what is stored. */
  async function preview(file: File): Promise<void> {
    const read = READERS[file.name.toLowerCase().split('.').at(-1)!];
    if (read === undefined || file.size > MOST_BYTES) return;
    const { zones } = read(new Uint8Array(await file.arrayBuffer())).value;
    if (zones.length > MOST_SHOWN)
      result.append(
        element('p', { className: 'note', textContent: fill(words.previewLimit, { count: MOST_SHOWN }) }),
      );
    const shown = zones.slice(0, MOST_SHOWN);
    const features: Feature[] = [];
    inSlices(view, shown.length, (i) => {
      try {
        features.push(...outlineFeatures(zoneOutline(shown[i]!) as never));
      } catch {
        // A bare position has no outline.
      }
      if (i === shown.length - 1) fleetMap.set('preview', features);
    });
    const box = boxOfPositions(shown.flatMap(({ geometry }) => geometry));
    if (box !== null) fleetMap.show(box);
  }
  if (given !== null) void check(given);
  setTimeout(() => view.querySelector('h2')!.focus(), 0);
  return view;
}

/** Every issue, a page at a time. */
function issueTable({ words }: App, issues: readonly Issue[]): HTMLElement {
  if (issues.length === 0) return element('p', { textContent: words.noIssues });
  const body = element('tbody');
  const more = button('', add, 'more');
  function add(): void {
    const from = body.children.length;
    for (const { severity, code, field, line, message } of issues.slice(from, from + PAGE)) {
      const place = line === undefined ? field : `${field} (${line})`;
      const texts = [severity === 'error' ? words.error : words.warning, code, place, message];
      body.append(element('tr', {}, ...texts.map((textContent) => element('td', { textContent }))));
    }
    const rest = issues.length - body.children.length;
    more.hidden = rest === 0;
    more.textContent = fill(words.more, { count: Math.min(PAGE, rest) });
  }
  add();
  const heads = [words.severity, words.code, words.place, words.message].map((textContent) =>
    element('th', { scope: 'col', textContent }),
  );
  const caption = element('caption', { textContent: fill(words.issuesOf, { count: issues.length }) });
  const table = element('table', {}, caption, element('thead', {}, element('tr', {}, ...heads)), body);
  const scroll = element('div', { className: 'scroll', tabIndex: 0 }, table);
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', fill(words.issuesOf, { count: issues.length }));
  return element('div', {}, scroll, more);
}
