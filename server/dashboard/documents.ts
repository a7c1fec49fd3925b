import type { FastifyInstance } from 'fastify';
import { securityHeaders } from '../http/answers/headers.ts';
import type { Whereabouts } from '../http/access/own-host.ts';
import { PAGE_REFUSALS } from '../http/answers/refusals.ts';
import { encodingOf, sendRepresentation } from '../http/answers/representation.ts';
import { type SignIns, signedInAccount } from '../http/access/signed-in.ts';
import type { Outbox } from '../mail/outbox.ts';
import { loadOnce } from '../load-once.ts';
import { refuserOf } from '../refusal.ts';
import type { Registration } from '../settings/registration.ts';
import type { SignOn } from '../features/sign-on/sign-on.ts';
import { bundleDashboard } from './bundle.ts';
import { renderShell } from './shell.ts';

const refuse = refuserOf(PAGE_REFUSALS);

/** `pictures` are from where some may come beside those over https. */
const shellHeaders = (pictures: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  ...securityHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': `'self' data: https: ${pictures}`.trim(),
    'connect-src': "'self'",
    'frame-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
});

/** Cache header of files whose content never changes: the name is of what is in it. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Dependencies of the document. */
export interface DocumentDependencies extends SignIns, Omit<Whereabouts, 'host'> {
  outbox: Pick<Outbox, 'isAvailable'>;
  signOn?: Pick<SignOn, 'name'> | undefined;
  registration: Registration;
}

/**
 * One document for every page of the dashboard, which names the account that is logged in, and the
 * files that it loads; `entry` is where its code begins.
 */
export function documents(
  scope: FastifyInstance,
  { outbox, signOn, registration, publicUrl, pagesUrl, ...signIns }: DocumentDependencies,
  entry?: string,
): void {
  const elsewhere = pagesUrl === publicUrl ? undefined : pagesUrl;
  const headers = shellHeaders(elsewhere === undefined ? '' : new URL(elsewhere).origin);
  // Made when it is first asked for: a start does not wait for it.
  const bundle = loadOnce(() =>
    bundleDashboard(entry).catch((cause: unknown) => {
      throw refuse('bundleFailed', { cause });
    }),
  );

  scope.get('/dashboard', (_request, reply) => reply.redirect('/dashboard/', 308));
  scope.get('/dashboard/*', async (request, reply) => {
    const { entry: files, screens } = await bundle();
    const accountId = await signedInAccount(request, signIns);
    const [place] = (request.params as { '*': string })['*'].split('/');
    // Signed-out visitors see the login form, so no screen is preloaded.
    const screen = accountId && (screens.get(place || 'overview') ?? screens.get('account'));
    const imports = [...new Set([...files.imports, ...(screen ?? [])])];
    const told = {
      accountId,
      mailsLinks: outbox.isAvailable,
      signOn: signOn?.name,
      isRegistrationOpen: registration === 'open',
      pagesUrl: elsewhere,
    };
    return reply.headers(headers).send(renderShell({ ...files, imports }, told));
  });
  scope.get<{ Params: { file: string } }>('/dashboard/assets/:file', async (request, reply) => {
    const asset = (await bundle()).assets.get(request.params.file);
    if (!asset) throw refuse('assetNotFound');
    return sendRepresentation(request, reply, asset[encodingOf(request)], FOR_EVER);
  });
}
