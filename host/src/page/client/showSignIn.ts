/** The form that asks for a token, with a way to the issuer if there is one. */

import { byId, element, fill } from '../../../../src/report/client/shared/index.js';
import { labelled } from './app.js';
import type { Words } from './words.js';

/** Shows the form until `accept` takes a token: it returns null, or why the token is refused. */
export function showSignIn(
  words: Words,
  issuer: string | null,
  reason: string | null,
  accept: (token: string) => Promise<string | null>,
): void {
  const place = byId('sign-in');
  const token = element('input', {
    type: 'password',
    required: true,
    autocomplete: 'off',
    spellcheck: false,
  });
  const problem = element('p', { className: 'problem', textContent: reason ?? '' });
  problem.setAttribute('role', 'alert');
  const send = element('button', { type: 'submit', className: 'primary', textContent: words.signIn });
  const form = element(
    'form',
    {},
    element('h1', { textContent: words.signInTitle }),
    ...(issuer === null ? [] : [issuerLink(fill(words.signInWith, { issuer }))]),
    labelled(words.token, token),
    element('p', { className: 'note', textContent: words.tokenHelp }),
    problem,
    send,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send.disabled = true;
    void accept(token.value.trim()).then((wrong) => {
      send.disabled = false;
      if (wrong === null) return;
      problem.textContent = wrong;
      token.select();
    });
  });
  place.replaceChildren(form);
  place.hidden = false;
  byId('page').hidden = true;
  if (issuer === null) token.focus();
}

const issuerLink = (textContent: string): HTMLElement =>
  element('a', { className: 'primary', href: '/map/sign-in/issuer', textContent });
