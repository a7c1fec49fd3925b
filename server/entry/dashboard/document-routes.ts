import type { FastifyInstance } from 'fastify';
import { type Language, LANGUAGES } from '#contract/shared/languages.ts';
import type { Core } from '#server/core.ts';
import type { AllFeatures } from '#server/features/define-feature.ts';
import type { ForwardingService } from '#server/features/forwarding/forwarding.ts';
import type { Authentication } from '#server/features/sessions/authentication.ts';
import type { SignOnProvider } from '#server/features/sign-on/sign-on.ts';
import type { SignUpService } from '#server/features/sign-up/sign-up-service.ts';
import { findSignedInCaller } from '#server/platform/http/access/caller.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import {
  preferredEncoding,
  sendRepresentation,
} from '#server/platform/http/responses/representation.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { languageOf } from '#server/platform/text/language.ts';
import { bundleDashboard } from './bundle.ts';
import { registerIconRoutes } from './icon-routes.ts';
import { renderShell } from './shell.ts';

const refuse = createRefuser(PAGE_REFUSALS);

/** `pictureOrigin` is allowed in addition to https URLs. */
const shellHeaders = (pictureOrigin: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  ...securityHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': `'self' data: https: ${pictureOrigin}`.trim(),
    'connect-src': "'self'",
    'frame-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
});

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** All servers of a process share them, because tests start many servers. */
const sharedBundles = createBundles();

export function registerDocumentRoutes(
  server: FastifyInstance,
  app: Pick<Core, 'config' | 'instanceStore' | 'outbox' | 'sessionCookie'> & {
    sessions: Authentication;
    forwarding: ForwardingService;
    features: Pick<AllFeatures, 'off'>;
    signOn: SignOnProvider | undefined;
    signUp: SignUpService | undefined;
  },
  entry?: string,
): void {
  const { config, instanceStore } = app;
  const separatePagesUrl = config.PAGES_URL === config.PUBLIC_URL ? undefined : config.PAGES_URL;
  const headers = shellHeaders(
    separatePagesUrl === undefined ? '' : new URL(separatePagesUrl).origin,
  );
  const bundles = entry === undefined ? sharedBundles : createBundles(entry);
  const findAsset = async (path: string) => {
    const [language, file = ''] = path.split('/');
    const asset = (await bundles.get(language as Language)?.())?.assets.get(file);
    if (!asset) throw refuse('assetNotFound');
    return asset;
  };

  registerIconRoutes(server);
  server.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/', 308));
  server.get('/dashboard/*', async (request, reply) => {
    const { accountId, language: accountLanguage } = (await findSignedInCaller(request, app)) ?? {};
    const language = accountLanguage ?? languageOf(request);
    const { entry: entryFiles, screens } = await bundles.get(language)!();
    const [path] = (request.params as { '*': string })['*'].split('/');
    // Signed-out visitors see the login form, so no screen is preloaded.
    const screen = accountId && (screens.get(path || 'overview') ?? screens.get('account'));
    const imports = [...new Set([...entryFiles.imports, ...(screen ?? [])])];
    const facts = {
      accountId,
      featuresOff: app.features.off,
      canMailLoginLinks: app.outbox.isAvailable,
      ssoProvider: app.signOn?.name,
      isSignUpOpen: app.signUp?.isOpen ?? false,
      takesApplications: app.signUp?.takesApplications ?? false,
      forwardsMail: app.forwarding.isAvailable,
      quarantineDays: config.NAME_QUARANTINE_DAYS,
      pagesUrl: separatePagesUrl,
    };
    const files = { ...entryFiles, imports };
    const document = renderShell(files, language, instanceStore.current, facts);
    return reply.headers(headers).send(document);
  });
  // Servers that have not built the language yet must have its files, too: a document may be of
  // another server, or from before a restart.
  server.get<{ Params: { '*': string } }>('/dashboard/assets/*', async (request, reply) => {
    const asset = await findAsset(request.params['*']);
    return sendRepresentation(request, reply, asset[preferredEncoding(request)], IMMUTABLE);
  });
}

/** Bundles on the first request for a language, so that the server starts fast. */
function createBundles(entry?: string) {
  return new Map(
    LANGUAGES.map((language) => [
      language,
      loadOnce(() =>
        bundleDashboard(language, entry).catch((cause: unknown) => {
          throw refuse('bundleFailed', { cause });
        }),
      ),
    ]),
  );
}
