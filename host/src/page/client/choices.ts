/** The user's choices in this browser: language and colours; and the token of this tab. */

import type { Language } from './words.js';

export type Theme = 'auto' | 'light' | 'dark';

const TOKEN = 'wayzone-token';
/** The parameter of the `url` of `POST /users/{id}/create_token`. */
const LINKED = 'user_company_api_key';
const BY_ISSUER = 'wayzone-by-issuer';
const LANGUAGE = 'wayzone-language';
const THEME = 'wayzone-theme';

/** The chosen language, else that of the browser. */
export function languageChoice(): Language {
  const chosen = localStorage.getItem(LANGUAGE) ?? navigator.language;
  return /^ru\b/i.test(chosen) ? 'ru' : 'en';
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
}

export function themeChoice(): Theme {
  const chosen = localStorage.getItem(THEME);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(THEME, theme);
}

/** Sets the colours of the page. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** The token of this tab: that of a link, which the address then no longer shows, or the stored one. */
export function storedToken(): string | null {
  const link = new URL(location.href);
  const given = link.searchParams.get(LINKED) ?? /^#token=(.+)$/.exec(link.hash)?.[1] ?? null;
  if (given === null) return sessionStorage.getItem(TOKEN);
  link.searchParams.delete(LINKED);
  if (link.hash.startsWith('#token=')) link.hash = '';
  history.replaceState(null, '', link);
  storeToken(given);
  return given;
}

/** The text behind `#once=` or `#refused=` by which the page was opened, which the address then no longer shows; null without one. */
export function openedBy(name: 'once' | 'refused'): string | null {
  const link = new URL(location.href);
  const [, text = null, byIssuer] = new RegExp(`^#${name}=([^&]+)(&issuer)?$`).exec(link.hash) ?? [];
  if (text === null) return null;
  link.hash = '';
  history.replaceState(null, '', link);
  if (byIssuer !== undefined) sessionStorage.setItem(BY_ISSUER, 'yes');
  return text;
}

/** Whether an issuer has signed this tab in. */
export function isByIssuer(): boolean {
  return sessionStorage.getItem(BY_ISSUER) !== null;
}

/** null: forgets the token, and who has signed in. */
export function storeToken(token: string | null): void {
  if (token !== null) sessionStorage.setItem(TOKEN, token);
  else for (const key of [TOKEN, BY_ISSUER]) sessionStorage.removeItem(key);
}
