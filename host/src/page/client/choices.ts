/** What the user chose for this browser: language and colours; and the token, for this tab alone. */

import type { Language } from './words.js';

export type Theme = 'auto' | 'light' | 'dark';

const TOKEN = 'wayzone-token';
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

export function storedToken(): string | null {
  return sessionStorage.getItem(TOKEN);
}

export function storeToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(TOKEN);
  else sessionStorage.setItem(TOKEN, token);
}
