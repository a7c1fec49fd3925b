import type { FastifyRequest } from 'fastify';
import type { App } from '#server/app.ts';
import type { Instance } from '#server/features/instance/instance-store.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { hostOf, renderDocument } from '#server/platform/http/responses/page.ts';
import type { Translator } from '#translations/translator.ts';
import { type Html, html } from '#page/html.ts';
import {
  type ClaimForm,
  describeMembership,
  LANDING_CSP,
  LANDING_STYLE,
  renderClaimPage,
  renderMembersPage,
} from './landing-page.ts';
import { createShownPagesLookup } from './shown-pages.ts';

interface FrontPageOptions {
  claim?: ClaimForm;
  instance: Instance;
  /** Directives of the Content-Security-Policy besides those of the page. */
  policy?: Record<string, string>;
  head?: Html;
}

export function createFrontPage(app: App) {
  const { config, signUps, signOn, origin, pagesOrigin } = app;
  const mailDomain = app.forwarding.isAvailable ? config.MAIL_DOMAIN : undefined;
  const findShownPages = createShownPagesLookup(app);
  return async (
    { t, log }: Pick<FastifyRequest, 't' | 'log'>,
    { claim = { input: '' }, instance, policy, head }: FrontPageOptions,
  ) => {
    const pageOptions = {
      ...{ t, mailDomain, instance },
      pagesHost: hostOf(pagesOrigin()),
      provider: signOn?.name,
    };
    // A visitor who has typed a name sees the form without them.
    const shownPages = claim.input === '' ? await findShownPages(log) : undefined;
    const headers = securityHeaders({
      ...LANDING_CSP,
      'img-src': `'self' ${pagesOrigin()}`,
      ...policy,
    });
    const document = renderDocument(
      { origin, instanceStore: { current: instance } },
      {
        t,
        title: frontPageTitle(app, instance, t),
        head: html`<meta
            name="description"
            content="${instance.line ?? describeMembership(pageOptions)}"
          />${head}`,
        barEnd: html`<a class="button" href="/dashboard/">${t('Sign in')}</a>`,
        main: signUps.isOpen
          ? renderClaimPage(claim, pageOptions, shownPages)
          : renderMembersPage(pageOptions, shownPages ?? [], {
              byInvitation: config.REGISTRATION === 'invite',
            }),
        style: LANDING_STYLE,
      },
    );
    return { headers, document };
  };
}

function frontPageTitle(
  { signUps, origin }: Pick<App, 'signUps' | 'origin'>,
  { name, displayName }: Instance,
  t: Translator,
): string {
  const title = signUps.isOpen ? t('Claim your name') : t('Names live here');
  return name === null ? `${signUps.isOpen ? title : displayName} · ${hostOf(origin())}` : title;
}
