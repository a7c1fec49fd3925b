import type { FastifyRequest } from 'fastify';
import { html } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import { createPageStyle } from '#server/entry/pages/shell/page-style.ts';
import { hostOf, PAGE_POLICY, renderDocument } from '#server/entry/pages/shell/page.ts';
import type { Services } from '#server/features/services.ts';
import type { SignUpService } from '#server/features/sign-up/sign-up-service.ts';
import { findSignedInAccount } from '#server/platform/http/access/caller.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import type { Instance } from '#server/platform/instance-store.ts';
import type { Translator } from '#translations/translator.ts';
import { hasIdentity, renderClubPage } from './club-page.ts';
import { examplePhoneRules } from './example-phones.ts';
import {
  type ClaimForm,
  describeMembership,
  LANDING_CSP,
  LANDING_CSS,
  offersSignIn,
  renderClaimPage,
  renderMembersPage,
  SCRIPT_ELEMENT,
} from './landing-page.ts';
import { createShownPagesLookup } from './shown-pages.ts';

interface FrontPageOptions {
  /** Undefined if the visitor has not asked for the form. */
  claim?: ClaimForm | undefined;
  instance: Instance;
  /** For a frame, in which no script runs and links open in a new tab. */
  framePolicy?: Record<string, string>;
}

export function createFrontPage(app: Services) {
  const { config, signUp, signOn, origin, pagesOrigin } = app;
  const mailDomain = app.forwarding.isAvailable ? config.MAIL_DOMAIN : undefined;
  const findShownPages = createShownPagesLookup(app);
  return async (request: FastifyRequest, { claim, instance, framePolicy }: FrontPageOptions) => {
    const { t } = request;
    const { directory, cover_focus } = instance;
    const isSignedIn = async () => (await findSignedInAccount(request, app)) !== undefined;
    // With a typed name, the page shows only the form.
    const shownPages = claim?.input ? undefined : await findShownPages(request.log, instance);
    const isClub =
      claim === undefined && (hasIdentity(instance) || shownPages?.ourPage !== undefined);
    const pageOptions = {
      t,
      mailDomain,
      countsVisits: app.visitors !== undefined,
      instance,
      shownPages,
      pagesHost: hostOf(pagesOrigin()),
      pagesUrl: config.PAGES_URL ?? '',
      provider: signOn?.name,
      isForEveryone: signUp?.isForEveryone ?? false,
      byInvitation: config.REGISTRATION === 'invite',
      takesApplications: signUp?.takesApplications ?? false,
      isDirectoryVisible:
        directory === 'everybody' || (directory === 'members' && (await isSignedIn())),
    };
    const style = createPageStyle(
      LANDING_CSS +
        (shownPages?.css ?? '') +
        (isClub ? `.cover{object-position:${cover_focus ?? 'center'}}` : await examplePhoneRules()),
    );
    const headers = securityHeaders({
      ...(framePolicy ? PAGE_POLICY : LANDING_CSP),
      'style-src': `'self' ${style.cspSource}`,
      ...framePolicy,
    });
    const document = renderDocument(
      { origin, instanceStore: { current: instance } },
      {
        t,
        title: frontPageTitle(app, instance, t),
        head: html`<meta
            name="description"
            content="${instance.line ?? describeMembership(pageOptions)}"
          />${framePolicy && html`<base target="_blank" />`}`,
        barEnd: html`${pageOptions.isDirectoryVisible && html`<a class="quiet button" href="/members">${t('Members')}</a>`}
        ${!offersSignIn(pageOptions) && html`<a class="button" href="/dashboard/">${t('Sign in')}</a>`}`,
        main: isClub
          ? renderClubPage(pageOptions)
          : pageOptions.isForEveryone
            ? html`${renderClaimPage(claim ?? { input: '' }, pageOptions)}
              ${!framePolicy && SCRIPT_ELEMENT}`
            : renderMembersPage(pageOptions),
        style,
      },
    );
    return { headers, document };
  };
}

function frontPageTitle(
  { signUp, origin }: Pick<Core, 'origin'> & { signUp: SignUpService | undefined },
  { name, displayName }: Instance,
  t: Translator,
): string {
  const title = signUp?.takesApplications
    ? t('Ask to join')
    : signUp?.isOpen
      ? t('Claim your name')
      : t('Names live here');
  return name === null
    ? `${signUp?.isForEveryone ? title : displayName} · ${hostOf(origin())}`
    : title;
}
