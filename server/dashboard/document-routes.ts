import type { FastifyInstance } from 'fastify';
import { LANGUAGES } from '#contract/languages.ts';
import { securityHeaders } from '../http/responses/headers.ts';
import type { HostOptions } from '../http/access/hosts.ts';
import { PAGE_REFUSALS } from '../http/responses/refusals.ts';
import { preferredEncoding, sendRepresentation } from '../http/responses/representation.ts';
import { type SignInDeps, findSignedInCaller } from '../http/access/signed-in-caller.ts';
import type { PageSettings } from '../http/responses/page.ts';
import type { Forwarding } from '../features/forwarding/forwarding.ts';
import type { Outbox } from '../mail/outbox.ts';
import { languageOf } from '../language.ts';
import { loadOnce } from '../load-once.ts';
import { createRefuser } from '../refusal.ts';
import type { SignUpMode } from '../settings/sign-up-settings.ts';
import type { SignOnProvider } from '../features/sign-on/sign-on.ts';
import { bundleDashboard } from './bundle.ts';
import { registerIconRoutes } from './icon-routes.ts';
import { registerManifestRoutes } from './manifest.ts';
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
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
});

const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface DocumentDependencies
  extends SignInDeps, Omit<HostOptions, 'host'>, Pick<PageSettings, 'instanceStore'> {
  outbox: Pick<Outbox, 'isAvailable'>;
  forwarding: Pick<Forwarding, 'isAvailable'>;
  quarantineDays: number;
  signOn?: Pick<SignOnProvider, 'name'> | undefined;
  signUpMode: SignUpMode;
}

export function registerDocumentRoutes(
  app: FastifyInstance,
  {
    outbox,
    forwarding,
    quarantineDays,
    signOn,
    signUpMode,
    publicUrl,
    pagesUrl,
    instanceStore,
    ...signInDeps
  }: DocumentDependencies,
  entry?: string,
): void {
  const separatePagesUrl = pagesUrl === publicUrl ? undefined : pagesUrl;
  const headers = shellHeaders(
    separatePagesUrl === undefined ? '' : new URL(separatePagesUrl).origin,
  );
  // Bundled on the first request for a language, so that the server starts fast.
  const bundles = new Map(
    LANGUAGES.map((language) => [
      language,
      loadOnce(() =>
        bundleDashboard(language, entry).catch((cause: unknown) => {
          throw refuse('bundleFailed', { cause });
        }),
      ),
    ]),
  );
  const findAsset = async (file: string) => {
    for (const bundle of bundles.values()) {
      const asset = (await bundle()).assets.get(file);
      if (asset) return asset;
    }
    throw refuse('assetNotFound');
  };

  registerManifestRoutes(app, { instanceStore });
  registerIconRoutes(app);
  app.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/', 308));
  app.get('/dashboard/*', async (request, reply) => {
    const { accountId, language: accountLanguage } =
      (await findSignedInCaller(request, signInDeps)) ?? {};
    const language = accountLanguage ?? languageOf(request);
    const { entry: entryFiles, screens } = await bundles.get(language)!();
    const [path] = (request.params as { '*': string })['*'].split('/');
    // Signed-out visitors see the login form, so no screen is preloaded.
    const screen = accountId && (screens.get(path || 'overview') ?? screens.get('account'));
    const imports = [...new Set([...entryFiles.imports, ...(screen ?? [])])];
    const data = {
      accountId,
      canMailLinks: outbox.isAvailable,
      signOnName: signOn?.name,
      isSignUpOpen: signUpMode === 'open',
      forwardsMail: forwarding.isAvailable,
      quarantineDays,
      pagesUrl: separatePagesUrl,
      instance: instanceStore.current,
      language,
    };
    return reply.headers(headers).send(renderShell({ ...entryFiles, imports }, data));
  });
  app.get<{ Params: { file: string } }>('/dashboard/assets/:file', async (request, reply) => {
    const asset = await findAsset(request.params.file);
    return sendRepresentation(request, reply, asset[preferredEncoding(request)], IMMUTABLE);
  });
}
