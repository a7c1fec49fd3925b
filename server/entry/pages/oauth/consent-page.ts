import type { FastifyReply, FastifyRequest } from 'fastify';
import { isChecked } from '#contract/shared/clients.ts';
import { instanceLinks, logoPath } from '#contract/shared/instance.ts';
import { listFormat } from '#contract/shared/intl-formats.ts';
import { firstCharacter } from '#contract/shared/user-text.ts';
import type { KeptAccountRow } from '#db/queries/keepers.ts';
import type { AccountClaims } from '#db/queries/oauth-accounts.ts';
import type { ClientRow } from '#db/queries/oauth-clients.ts';
import { type Html, html } from '#page/html/html.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import { toClaims } from '#server/features/oauth/claims.ts';
import { findReceiverHost, isOnThisComputer } from '#server/features/oauth/redirect-uris.ts';
import type { Services } from '#server/features/services.ts';
import type { Translator } from '#translations/translator.ts';

interface Question {
  t: Translator;
  client: ClientRow;
  /** Where the answer goes. */
  redirectUri: string;
}

interface Consent extends Question {
  subject: string;
  account: AccountClaims;
}

/** Names that apps chose themselves are in quotation marks. */
function nameOf({ t, client }: Pick<Question, 't' | 'client'>): string {
  return isChecked(client) ? client.name : t('“{name}”', { name: client.name });
}

/** The logo that an operator chose, or the first letter of the name. */
function renderAppLogo({ logo_id, name }: ClientRow): Html {
  return logo_id === null
    ? html`<p class="app-logo" aria-hidden="true">${firstCharacter(name).toUpperCase()}</p>`
    : html`<p class="app-logo"><img src="${logoPath(logo_id)}" alt="" /></p>`;
}

function describeReceiver({ t, redirectUri }: Pick<Question, 't' | 'redirectUri'>): string {
  const host = findReceiverHost(redirectUri);
  if (host !== undefined) return host;
  if (isOnThisComputer(redirectUri)) return t('a program on this computer');
  return t('an app on this device ({scheme})', { scheme: new URL(redirectUri).protocol });
}

/** Before the sign-in: where it leads. */
export function renderSignIn(app: Services, question: Question): string {
  const { t } = question;
  const values = { name: nameOf(question), receiver: describeReceiver(question) };
  return renderCardPage(app, {
    t,
    picture: renderAppLogo(question.client),
    title: t('Sign in to go on'),
    text: t('Then you are back at {name} ({receiver}).', values),
    body: html`<p class="actions">
        <a class="button primary" href="/dashboard/login" referrerpolicy="same-origin"
          >${t('Sign in')}</a
        >
      </p>
      ${renderCancel(t)}`,
  });
}

/** The website asks for a new login, or the person wants another account. */
export function renderSignInAgain(app: Services, question: Question): string {
  const { t } = question;
  return renderCardPage(app, {
    t,
    title: t('Sign in again'),
    text: t('{name} asks for a new sign-in. You are signed out here first.', {
      name: nameOf(question),
    }),
    body: html`<form method="post">
        <button class="primary" name="action" value="again">${t('Sign in again')}</button>
      </form>
      ${renderCancel(t)}`,
  });
}

export function renderNotAllowed(app: Services, question: Question): string {
  const { t } = question;
  return renderCardPage(app, {
    t,
    title: t('Not for your account'),
    text:
      question.client.allowed === 'groups'
        ? t(
            '{name} is only for members of some groups of this server. Operators need to be in one, too.',
            {
              name: nameOf(question),
            },
          )
        : t('{name} is only for operators of this server.', { name: nameOf(question) }),
    body: html`<form method="post">
      <button class="primary" name="action" value="cancel">${t('Back')}</button>
    </form>`,
    footnote: renderContact(app, t),
    plate: { state: 'off' },
  });
}

/** A website gets to know values, which the page shows. */
export function renderWebsiteConsent(
  app: Services,
  consent: Consent,
  scopes: readonly string[],
): string {
  const { t, client } = consent;
  const values = { name: client.name };
  return renderCardPage(app, {
    t,
    picture: renderAppLogo(client),
    title: t('Sign in to {name}', values),
    text: describeReceiver(consent),
    body: html`<h2>${t('{name} will know', values)}</h2>
      <dl class="facts">
        ${listValues(app, consent, scopes).map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      ${
        scopes.includes('offline_access') &&
        html`<p>
          ${t('It keeps this access after you sign out, until you remove it in Settings under Connected apps.')}
        </p>`
      }
      <form method="post">
        <button class="primary" name="action" value="allow">${t('Continue')}</button>
      </form>
      ${renderCancel(t)} ${renderOtherAccount(consent)}`,
    footnote: renderContact(app, t),
  });
}

function listValues(
  app: Services,
  { t, client, subject, account }: Consent,
  scopes: readonly string[],
): [label: string, value: string][] {
  const { email, group_names } = toClaims(subject, account, {
    pagesOrigin: app.pagesOrigin(),
    sharedGroups: client.shared_groups,
  });
  const name = accountName(t, account);
  const names = group_names as string[];
  const groupNames = account.is_operator ? names.with(0, t('Operators')) : names;
  return [
    [t('An id of your account'), subject] as [string, string],
    scopes.includes('profile') && [t('Your name, picture, page and language'), name],
    scopes.includes('email') && [
      t('Your email address'),
      typeof email === 'string' ? email : t('none, because it is not confirmed'),
    ],
    scopes.includes('groups') && [
      t('Your groups'),
      groupNames.length === 0 ? t('none') : listFormat(t.locale).format(groupNames),
    ],
  ].filter((row): row is [string, string] => row !== false);
}

export interface AppChoice {
  /** The account of the person, or one that they keep. */
  accountId: string;
  page: boolean;
  metrics: boolean;
  all: boolean;
  operator: boolean;
}

/** An AI client gets what the member chooses. Where the answer goes stands before a name of its own. */
export function renderAppConsent(
  app: Services,
  { kept, ...consent }: Consent & { kept: readonly KeptAccountRow[] },
  choice: AppChoice,
  needsLogin = false,
): string {
  const { t, client, account } = consent;
  const receiver = describeReceiver(consent);
  return renderCardPage(app, {
    t,
    picture: renderAppLogo(client),
    title: t('Connect {name}?', { name: isChecked(client) ? client.name : receiver }),
    text: isChecked(client) ? t('It answers to {receiver}.', { receiver }) : nameOf(consent),
    body: html`${
        !isChecked(client) &&
        html`<p class="panel">
          ${t(
            'The app chose this name itself; this server has not checked it. Go on only if you started this yourself with {receiver}.',
            { receiver },
          )}
        </p>`
      }
      ${needsLogin && renderNeedsLogin(t)}
      ${kept.length === 1 && html`<p>${t('For {name}', { name: accountName(t, account) })}</p>`}
      <form method="post">
        ${kept.length > 1 && renderAccounts(t, kept, choice)}
        <fieldset>
          <legend class="label">${t('What it may do')}</legend>
          <div class="options">
            ${renderOption({ type: 'radio', name: 'level', value: 'some', isOn: !choice.all }, t('Read'), t('See the page, its visitors and your numbers.'))}
            ${renderOption({ type: 'checkbox', name: 'page', value: 'on', isOn: choice.page }, t('Change the page'), t('Also edit links, texts and dates.'))}
            ${renderOption({ type: 'checkbox', name: 'metrics', value: 'on', isOn: choice.metrics }, t('Send numbers'), t('Also add values to your projects.'))}
            ${renderOption({ type: 'radio', name: 'level', value: 'all', isOn: choice.all }, t('Everything'), t('All you can do here, except sign-in and deletion.'))}
            ${account.is_operator && renderOption({ type: 'checkbox', name: 'operator', value: 'on', isOn: choice.operator }, t('Operator tools too'), t('Only with “Everything”, for your own account: see members, reports and settings of this server.'))}
          </div>
        </fieldset>
        <button class="primary" name="action" value="allow">${t('Allow')}</button>
      </form>
      ${renderCancel(t)} ${renderOtherAccount(consent)}`,
    footnote: html`${t('You can see what it did, or remove it, in Settings under Connected apps.')}
    ${renderContact(app, t)}`,
  });
}

function renderAccounts(
  t: Translator,
  kept: readonly KeptAccountRow[],
  { accountId }: AppChoice,
): Html {
  return html`<label class="field"
    ><span class="label">${t('Account')}</span
    ><select name="account">
      ${kept.map(
        (account) =>
          html`<option value="${account.id}" ${account.id === accountId && html` selected`}>
            ${accountName(t, account)}
          </option>`,
      )}
    </select></label
  >`;
}

interface Choice {
  type: 'radio' | 'checkbox';
  name: string;
  value: string;
  isOn: boolean;
}

function renderOption({ type, name, value, isOn }: Choice, label: string, hint: string): Html {
  return html`<label class="radio-card">
    <input type="${type}" name="${name}" value="${value}" ${isOn && 'checked'} />
    <span class="strong">${label}</span>
    <span class="hint">${hint}</span>
  </label>`;
}

function renderNeedsLogin(t: Translator): Html {
  return html`<div class="panel">
    <p>${t('This needs a sign-in within the last 60 minutes.')}</p>
    <form method="post">
      <button name="action" value="again">${t('Sign in again')}</button>
    </form>
  </div>`;
}

/**
 * After the answer: a form must not end in a redirect to another site. Browsers stay here when they
 * open an app, and also if there is none.
 */
export function sendReturn(
  app: Services,
  { t }: FastifyRequest,
  reply: FastifyReply,
  url: string,
): FastifyReply {
  const isApp = !/^https?:/.test(url);
  const page = renderCardPage(app, {
    t,
    title: isApp ? t('Back to the app') : t('One moment'),
    body: html`${
        isApp &&
        html`<p>
          ${t('If the app does not open by itself, continue. Afterwards, you can close this page.')}
        </p>`
      }
      <p class="actions">
        <a class="button primary" href="${url}" rel="noreferrer">${t('Continue')}</a>
      </p>`,
  });
  return reply.header('refresh', `0; url=${url}`).send(page);
}

export function renderProblem(
  app: Services,
  t: Translator,
  code: string,
  backUrl?: string,
): string {
  const isExpired = code === 'expired';
  return renderCardPage(app, {
    t,
    title: isExpired ? t('That took too long') : t('This sign-in is not set up right'),
    text: isExpired
      ? t('Go back to the website or app, and start again.')
      : t('Tell the person who looks after the website or app: {code}.', { code }),
    body: html`${
      backUrl !== undefined &&
      html`<p class="actions">
        <a class="button" href="${backUrl}" rel="noreferrer"
          >${t('Back to {receiver}', { receiver: describeReceiver({ t, redirectUri: backUrl }) })}</a
        >
      </p>`
    }`,
    footnote: renderContact(app, t),
    plate: { state: 'off' },
  });
}

function renderCancel(t: Translator): Html {
  return html`<form method="post">
    <button name="action" value="cancel">${t('Cancel')}</button>
  </form>`;
}

function renderOtherAccount({ t, account }: Consent): Html {
  return html`<form method="post">
    <p class="muted">${t('Signed in as {name}.', { name: accountName(t, account) })}</p>
    <button name="action" value="again">${t('Not you?')}</button>
  </form>`;
}

function renderContact({ instanceStore }: Services, t: Translator): Html {
  const contact = instanceLinks(instanceStore.current, t).find(({ name }) => name === 'contact');
  return html`${contact && html`<a href="${contact.url}">${t('Something is wrong?')}</a>`}`;
}

function accountName(
  t: Translator,
  { page_title, display_name }: Pick<AccountClaims, 'page_title' | 'display_name'>,
): string {
  if (display_name === null) return page_title ?? t('an account without a name');
  return page_title === null ? `@${display_name}` : `${page_title}, @${display_name}`;
}
