import type { FastifyRequest } from 'fastify';
import type { Instance } from '#server/platform/instance-store.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { hostOf, PAGE_POLICY, renderDocument } from '#server/platform/http/responses/page.ts';
import type { Translator } from '#translations/translator.ts';
import { html } from '#page/html/html.ts';
import {
  type ClaimForm,
  describeMembership,
  LANDING_CSP,
  landingStyle,
  renderClaimPage,
  renderMembersPage,
  SCRIPT_ELEMENT,
} from './landing-page.ts';
import { createShownPagesLookup } from './shown-pages.ts';
import type { SignUpService } from '#server/features/sign-up/sign-up-service.ts';
import type { Core } from '#server/core.ts';
import type { Services } from '#server/features/services.ts';

interface FrontPageOptions {
  claim?: ClaimForm;
  instance: Instance;
  /** For a frame, in which no script runs and links open in a new tab. */
  framePolicy?: Record<string, string>;
}

export function createFrontPage(app: Services) {
  const { config, signUps, signOn, origin, pagesOrigin } = app;
  const mailDomain = app.forwarding.isAvailable ? config.MAIL_DOMAIN : undefined;
  const findShownPages = createShownPagesLookup(app);
  return async (
    { t, log }: Pick<FastifyRequest, 't' | 'log'>,
    { claim = { input: '' }, instance, framePolicy }: FrontPageOptions,
  ) => {
    // With a typed name, the page shows only the form.
    const shownPages = claim.input === '' ? await findShownPages(log) : undefined;
    const style = landingStyle(shownPages);
    const pageOptions = {
      t,
      mailDomain,
      instance,
      shownPages,
      pagesHost: hostOf(pagesOrigin()),
      provider: signOn?.name,
      takesApplications: signUps.takesApplications,
    };
    const headers = securityHeaders({
      ...(framePolicy ? PAGE_POLICY : LANDING_CSP),
      'style-src': `'self' ${style.cspSource}`,
      ...(shownPages?.featured && { 'frame-src': config.PAGES_URL ?? "'self'" }),
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
        barEnd: html`<a class="button" href="/dashboard/">${t('Sign in')}</a>`,
        main: signUps.isForEveryone
          ? html`${renderClaimPage(claim, pageOptions)} ${!framePolicy && SCRIPT_ELEMENT}`
          : renderMembersPage(pageOptions, {
              byInvitation: config.REGISTRATION === 'invite',
            }),
        style,
      },
    );
    return { headers, document };
  };
}

function frontPageTitle(
  { signUps, origin }: Pick<Core, 'origin'> & { signUps: SignUpService },
  { name, displayName }: Instance,
  t: Translator,
): string {
  const title = signUps.takesApplications
    ? t('Ask to join')
    : signUps.isOpen
      ? t('Claim your name')
      : t('Names live here');
  return name === null
    ? `${signUps.isForEveryone ? title : displayName} · ${hostOf(origin())}`
    : title;
}
