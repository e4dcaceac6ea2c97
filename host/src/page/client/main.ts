/** The script of the page: sign-in, then the map and its panel. */

import {
  button,
  byId,
  clockOf,
  createTabs,
  element,
  numberFormat,
} from '../../../../src/report/client/shared/index.js';
import type { PageSettings } from '../pageSettings.js';
import { type Api, ApiError, createApi } from './api.js';
import { type App, labelled } from './app.js';
import {
  applyTheme,
  chooseLanguage,
  chooseTheme,
  isByIssuer,
  languageChoice,
  openedBy,
  storedToken,
  storeToken,
  type Theme,
  themeChoice,
} from './choices.js';
import { createFleetMap } from './fleetMap.js';
import { say } from './say.js';
import { showSignIn } from './showSignIn.js';
import { startPage } from './startPage.js';
import { type Language, type Words, wordsIn } from './words.js';

interface Me {
  readonly actions: readonly { readonly key: string }[];
  readonly active_company: { readonly timezone: string } | null;
}

const language = languageChoice();
const words = wordsIn(language);
applyTheme(themeChoice());
document.documentElement.lang = language;
document.title = words.title;
byId('skip').textContent = words.skip;

void signIn();

async function signIn(): Promise<void> {
  const once = openedBy('once');
  const refused = openedBy('refused');
  // A used link in a tab that is signed in leaves it so.
  const token = (once === null ? null : await tokenOf(once)) ?? storedToken();
  if (token === null)
    return ask(refused === null ? (once === null ? null : words.usedLink) : refusedOf(refused));
  const wrong = await enter(token);
  if (wrong !== null) await ask(wrong);
}

/** Why the issuer's sign-in was refused. */
function refusedOf(code: string): string {
  const isKnown = code.startsWith('sign-in-') && Object.hasOwn(words, code);
  return `${isKnown ? words[code as keyof Words] : words.signInWrong} (${code.slice(0, 40)})`;
}

/** The access token of a link; null if the link was used or has expired. */
async function tokenOf(link: string): Promise<string | null> {
  const answer = await fetch('/map/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  }).catch(() => null);
  return answer?.ok === true ? ((await answer.json()) as { readonly token: string }).token : null;
}

async function ask(reason: string | null): Promise<void> {
  const { issuer } = await pageSettings().catch(() => ({ issuer: null }));
  showSignIn(words, issuer, reason, enter);
}

function signOut(): void {
  const byIssuer = isByIssuer();
  storeToken(null);
  if (byIssuer) location.assign('/map/sign-out');
  else location.reload();
}

async function pageSettings(): Promise<PageSettings> {
  return (await (await fetch('/map/settings.json')).json()) as PageSettings;
}

/** Starts the page with this token. Returns why it cannot. */
async function enter(given: string): Promise<string | null> {
  if (given === '') return words.signInWrong;
  let isIn = false;
  const api = createApi(given, language, () => {
    storeToken(null);
    if (isIn) location.reload();
  });
  let me: Me;
  let settings: PageSettings;
  try {
    ({ body: me } = await api.get<Me>('/me'));
    settings = await pageSettings();
  } catch (error) {
    return error instanceof ApiError && error.status !== 0 ? words.signInWrong : words.unreachable;
  }
  isIn = true;
  storeToken(given);
  byId('sign-in').hidden = true;
  byId('page').hidden = false;
  try {
    await start(api, me, settings);
  } catch (error) {
    say(/webgl/i.test(String(error)) ? words.lost : String(error));
  }
  return null;
}

async function start(api: Api, me: Me, settings: PageSettings): Promise<void> {
  const tabs = createTabs();
  // A message belongs to the tab on which it was said.
  let tab = tabs.chosen();
  tabs.onChoose(() => {
    if (tabs.chosen() !== tab) say('');
    tab = tabs.chosen();
  });
  for (const name of ['zones', 'vehicles', 'replay', 'trips'] as const)
    byId(`tab-${name}`).textContent = words[name];
  byId('side').setAttribute('aria-label', words.panel);
  byId('map').setAttribute('aria-label', words.map);
  const fleetMap = await createFleetMap(settings, api.token, words);
  const app: App = {
    api,
    words,
    clock: clockOf(me.active_company?.timezone ?? 'UTC'),
    number: numberFormat(language),
    fleetMap,
    tabs,
    mayEdit: me.actions.some(({ key }) => key === 'PUT /geozones/:id'),
  };
  showChoices(fleetMap.recolour);
  await startPage(app);
}

function showChoices(recolour: () => void): void {
  const languages = element('select');
  for (const [value, textContent] of [
    ['en', 'English'],
    ['ru', 'Русский'],
  ] as const)
    languages.append(element('option', { value, textContent, lang: value, selected: value === language }));
  languages.addEventListener('change', () => {
    chooseLanguage(languages.value as Language);
    location.reload();
  });
  const themes = element('select');
  for (const [value, textContent] of [
    ['auto', words.themeAuto],
    ['light', words.themeLight],
    ['dark', words.themeDark],
  ] as const)
    themes.append(element('option', { value, textContent, selected: value === themeChoice() }));
  themes.addEventListener('change', () => {
    const theme = themes.value as Theme;
    chooseTheme(theme);
    applyTheme(theme);
    recolour();
  });
  byId('choices').replaceChildren(
    labelled(words.languageOf, languages),
    labelled(words.theme, themes),
    button(words.signOut, signOut),
  );
  byId('title').textContent = words.title;
}
