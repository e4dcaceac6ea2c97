/** The top of the page: unread files, then problems with the gravest first, then periods without data. */

import { type Plural, plural } from '../plural.js';
import type { Problem, ProblemKind } from '../rankProblems.js';
import { linkNames, linkTo } from './links.js';
import type { Page } from './page.js';
import { byId, element } from './shared/dom.js';
import { clockOf, fill } from './shared/formats.js';
import { amount, wallText } from './shared/tripGraph.js';

/** Number of problems shown at first, and the largest number shown. */
const FIRST = 6;
const MOST_SHOWN = 300;
const MOST_FILES = 3;
/** Kinds of missing data, for which nobody is blamed. */
const NOT_KNOWN: readonly ProblemKind[] = ['no_data', 'unseen'];
const MOODS: Readonly<Partial<Record<ProblemKind, string>>> = {
  not_started: 'bad',
  aborted: 'bad',
  missed: 'bad',
  overdue: 'bad',
  late: 'bad',
  closed: 'bad',
  speeding: 'bad',
  no_data: 'none',
  unseen: 'none',
};

export function makeProblems(page: Page): void {
  const { data, words } = page;
  const host = byId('problems');
  if (data.unread.length > 0) host.append(unreadNote(page));
  const byKind = new Map<ProblemKind, Problem[]>();
  for (const problem of data.problems) {
    const same = byKind.get(problem.kind);
    if (same === undefined) byKind.set(problem.kind, [problem]);
    else same.push(problem);
  }
  const wrong = [...byKind].filter(([kind]) => !NOT_KNOWN.includes(kind));
  const unknown = [...byKind].filter(([kind]) => NOT_KNOWN.includes(kind));
  host.append(element('h2', { textContent: words.wentWrong }));
  if (wrong.length === 0) host.append(element('p', { className: 'note', textContent: nothingText(page) }));
  if (byKind.size === 0) return;

  let chosen: ProblemKind | null = null;
  let isOpen = false;
  const list = element('ol', { className: 'problems' });
  const more = element('button', { type: 'button', className: 'small' });
  const buttons: [ProblemKind, HTMLButtonElement][] = [...wrong, ...unknown].map(([kind, problems]) => {
    const textContent = headline(page, kind, problems);
    const className = MOODS[kind] ?? 'warn';
    const button = element('button', { type: 'button', className, textContent });
    button.addEventListener('click', () => {
      chosen = chosen === kind ? null : kind;
      isOpen = false;
      draw();
    });
    return [kind, button];
  });
  const draw = (): void => {
    for (const [kind, button] of buttons) button.setAttribute('aria-pressed', String(kind === chosen));
    const all =
      chosen === null ? data.problems.filter(({ kind }) => !NOT_KNOWN.includes(kind)) : byKind.get(chosen)!;
    const shown = all.slice(0, isOpen ? MOST_SHOWN : FIRST);
    list.replaceChildren(...shown.map((problem) => row(page, problem)));
    more.hidden = all.length <= FIRST;
    more.textContent = isOpen ? words.showFewer : fill(words.showAllOf, { count: all.length });
  };
  more.addEventListener('click', () => {
    isOpen = !isOpen;
    draw();
  });
  const split = wrong.length;
  host.append(
    element(
      'div',
      { className: 'kinds' },
      ...buttons.slice(0, split).map(([, button]) => button),
      ...(unknown.length > 0
        ? [element('span', { className: 'note', textContent: `${words.notKnown}:` })]
        : []),
      ...buttons.slice(split).map(([, button]) => button),
    ),
    list,
    more,
  );
  draw();
}

function unreadNote({ data, words }: Page): HTMLElement {
  const named = data.unread.slice(0, MOST_FILES).map((path) => path.split(/[\\/]/).at(-1)!);
  const rest = data.unread.length - named.length;
  if (rest > 0) named.push(fill(words.otherFiles, { count: rest }));
  const [before, after] = words.couldNotRead.split('{files}');
  return element(
    'p',
    { className: 'unread' },
    element('strong', { textContent: `${before}${named.join(', ')}${after}` }),
    ` ${words.couldNotReadMore} `,
    element('a', { href: linkTo({ tab: 'read' }), textContent: words.filesAndIssues }),
  );
}

/** The sentence shown if there is no problem. It names the compared aspects, or says that nothing could be compared. */
function nothingText({ data, words }: Page): string {
  if (data.unread.length > 0) return words.nothingFound;
  const asked = [
    ...(data.trips.length > 0 ? [words.askedTrips] : []),
    ...(data.asked.speeding ? [words.askedLimits] : []),
    ...(data.asked.hours ? [words.askedHours] : []),
    ...(data.conduct.route === null ? [] : [words.askedRoute]),
  ];
  return asked.length === 0 ? words.nothingAsked : fill(words.nothingWrong, { asked: asked.join(', ') });
}

/** The headline of a kind, such as "12 min over the limit in X", with amounts summed over its problems. */
function headline({ data, words }: Page, kind: ProblemKind, problems: readonly Problem[]): string {
  const isOfPlaces = kind === 'closed' || kind === 'speeding';
  const count = isOfPlaces ? new Set(problems.map(({ zone }) => zone)).size : problems.length;
  const seconds = problems.reduce((sum, problem) => sum + problem.amount, 0);
  const name = data.zones[problems[0]!.zone]?.name;
  const zone =
    kind === 'closed'
      ? (name ?? '')
      : name === undefined
        ? words.byUnitLimit
        : fill(words.inZone, { zone: name });
  const text = plural(words.language, words.problems[kind] as Plural, count);
  const filled = fill(text, { count, time: amount(words, seconds), zone });
  return filled.replace(` ${words.byUnitLimit}`, '');
}

function row(page: Page, problem: Problem): HTMLElement {
  const { data, words, number, measures } = page;
  const { kind, trip, point, zone, unit, count, overKph } = problem;
  const time = amount(words, problem.amount);
  const way = `${number(measures.way(problem.amount), 2)} ${words.km}`;
  const which = problem.which === 'departure' ? words.departure : words.arrival;
  const what = fill(words.problem[kind]!, { time, way, which });
  const run = data.trips[trip];
  const places: string[] = [];
  if (run !== undefined) {
    places.push(run.name);
    const own = run.points[point];
    if (own !== undefined) places.push(own.name || fill(words.pointNumber, { number: point + 1 }));
    if (kind === 'no_data') places.push(fill(plural(words.language, words.pointsCount, count), { count }));
  } else {
    places.push(data.units[unit]!.id);
    if (zone >= 0) places.push(data.zones[zone]!.name);
    else if (kind === 'speeding') places.push(words.byUnitLimit);
  }
  const facts: string[] = [];
  if (kind === 'speeding')
    facts.push(fill(words.upToOver, { kph: `${number(measures.speed(overKph), 0)} ${words.kph}` }));
  if (count > 1 && (kind === 'speeding' || kind === 'closed'))
    facts.push(fill(plural(words.language, words.timesCount, count), { count }));
  if (kind === 'off_route') facts.push(fill(plural(words.language, words.partsCount, count), { count }));
  if (run !== undefined) facts.push(data.units[unit]?.id ?? run.unitId);
  if (problem.time !== null) facts.push(timeText(page, problem));
  const link = element(
    'a',
    { href: linkOf(page, problem) },
    element('b', { className: MOODS[kind] ?? 'warn', textContent: what }),
    ` ${places.join(', ')}`,
  );
  return element('li', {}, link, element('span', { className: 'note', textContent: facts.join(' · ') }));
}

/** The text of a problem's time: on the trip's own clock if it belongs to a trip, else on the page's. */
function timeText({ data, clock }: Page, { trip, time }: Problem): string {
  const run = data.trips[trip];
  if (run === undefined) return clock.text(time).slice(0, 16);
  return `${run.date} ${wallText({ timeZone: clockOf(run.timeZone).name, date: run.date }, time)}`;
}

function linkOf({ data }: Page, { kind, trip, point, visit, speeding, unit, time }: Problem): string {
  const names = linkNames(data);
  const at: Record<string, string> = time === null ? {} : { t: new Date(time).toISOString() };
  if (trip >= 0)
    return linkTo({ trip: names.trip(trip), ...(point >= 0 && { point: String(point + 1) }), ...at });
  if (kind === 'closed') return linkTo({ visit: names.visit(visit), tab: 'timeline', ...at });
  if (kind === 'speeding') return linkTo({ speeding: names.speeding(speeding), tab: 'timeline', ...at });
  const tab = kind === 'off_route' ? 'route' : 'timeline';
  return linkTo({ unit: data.units[unit]!.id, tab, ...at });
}
