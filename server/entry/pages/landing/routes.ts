import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { EMAIL_PATTERN } from '#contract/email.ts';
import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { hasInternationalLocalPart, withAsciiDomain } from '#contract/shared/ascii-email.ts';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { oneLine } from '#contract/text.ts';
import { html } from '#page/html/html.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import { suggestName } from '#server/features/names/display-name.ts';
import type { NameRules } from '#server/features/names/reserved-names.ts';
import type { Services } from '#server/features/services.ts';
import type { SignUpService } from '#server/features/sign-up/sign-up-service.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { createSameOriginCheck } from '#server/platform/http/access/same-origin.ts';
import { refusalHeaders } from '#server/platform/http/responses/headers.ts';
import {
  createRepresentation,
  preferredEncoding,
  sendRepresentation,
} from '#server/platform/http/responses/representation.ts';
import { RefusalError, createRefuser } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { acceptForms } from '../form.ts';
import type { SiteResponder } from '../site/site-responder.ts';
import { EXAMPLE_PICTURES } from './example-phones.ts';
import { createFrontPage } from './front-page.ts';
import type { ClaimForm } from './landing-page.ts';

const FORM_FIELDS = {
  name: 100,
  email: LIMITS.email,
  person: LIMITS.memberName,
  text: LIMITS.applicationText,
  /** Set by the button that sends the same once more. */
  again: 1,
};

const personName = oneLine(LIMITS.memberName);

const refuse = createRefuser(SIGN_UP_REFUSALS);

interface NameQuery {
  Querystring: { name?: unknown };
}

/** Visitors claim a name in two forms that work without scripts. */
export async function registerLandingRoutes(
  server: FastifyInstance,
  app: Services,
  responder: SiteResponder,
): Promise<void> {
  const { config, instanceStore, names, rateLimits, signUp } = app;
  const renderFrontPage = createFrontPage(app);
  /** By a hash, so that a form that is sent twice is one mail. Each server has its own. */
  const recent = new LRUCache<string, Promise<void>>({ max: 1_000, ttl: MINUTE_MS });
  const send = async (request: FastifyRequest, reply: FastifyReply, claim?: ClaimForm) => {
    const instance = instanceStore.current;
    const { headers, document: body } = await renderFrontPage(request, { claim, instance });
    const content = { type: 'text/html; charset=utf-8', headers, body };
    const page = await createRepresentation(content, preferredEncoding(request));
    // After Back, browsers restore what was typed only into pages that they may store. Private,
    // because the language depends on a request header.
    const cacheControl = request.method === 'POST' ? 'no-store' : 'private, no-cache';
    return sendRepresentation(request, reply, page, cacheControl);
  };
  server.get<NameQuery>(
    '/',
    { config: { hostKinds: ['server', 'domains'] } },
    async (request, reply) => {
      if (request.domain) return responder.respondAtDomain(request, reply, 'page');
      if (config.HOME_URL !== undefined) return reply.redirect(config.HOME_URL, 303);
      const { name } = request.query;
      if (name === undefined || !signUp?.isForEveryone) return send(request, reply);
      const input = typeof name === 'string' ? name.slice(0, FORM_FIELDS.name) : '';
      return send(request, reply, await checkClaim({ names, signUp }, request, input));
    },
  );

  registerExamplePictures(server);

  if (!signUp) return;
  await server.register(async (formApp) => {
    const checkSameOrigin = createSameOriginCheck(app.origin);
    formApp.addHook('onRequest', (request, _reply, done) => done(checkSameOrigin(request)));
    formApp.removeAllContentTypeParsers();
    const readForm = acceptForms(formApp, FORM_FIELDS);
    formApp.post('/', async (request, reply) => {
      const rateLimitError = await rateLimits.nameChecks.count(request);
      if (rateLimitError) throw rateLimitError;
      const { values, tooLong } = readForm(request);
      const { name: input, person, text: application_text } = values;
      const email = withAsciiDomain(values.email);
      try {
        if (tooLong.includes('email') || !EMAIL_PATTERN.test(email))
          throw refuse('signUpEmailInvalid');
        if (tooLong.includes('text')) throw refuse('applicationTextInvalid');
        const { data: application_name } = personName.safeParse(person);
        const applicant = { email, application_name, application_text };
        const key = hash('sha256', JSON.stringify([clientNetwork(request), values]));
        const queued =
          recent.get(key) ?? signUp.createRegistration(request, { input, ...applicant });
        recent.set(key, queued, { noUpdateTTL: true });
        await queued.catch((error: unknown) => {
          recent.delete(key);
          throw error;
        });
      } catch (error) {
        if (!isFormError(error)) throw error;
        const claim = await checkClaim({ names, signUp }, request, input);
        const emailProblem = describeEmailProblem(error, email, request.t);
        const textProblem =
          error.code === 'applicationTextInvalid' ? describeTextProblem(request.t) : undefined;
        reply.status(error.status).headers(refusalHeaders(error));
        const problems = { emailProblem, textProblem };
        return await send(request, reply, { ...values, ...claim, email, ...problems });
      }
      return reply.send(renderMailSent(app, request.t, { ...values, email }));
    });
  });
}

async function checkClaim(
  { names, signUp }: { names: NameRules; signUp: SignUpService },
  request: FastifyRequest,
  input: string,
): Promise<ClaimForm> {
  if (input === '') return { input };
  try {
    return { input, ...(await signUp.checkRegistration(request, { input })) };
  } catch (error) {
    if (!isFormError(error)) throw error;
    const suggestions =
      error.code === 'displayNameInvalid' ? [suggestName(input, names.isReserved)] : [];
    return { input, problem: describeNameProblem(error, request.t), suggestions };
  }
}

function registerExamplePictures(server: FastifyInstance): void {
  for (const url of EXAMPLE_PICTURES) {
    const picture = readFileSync(new URL(`.${url}`, import.meta.url));
    server.get(url, (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(picture),
    );
  }
}

function renderMailSent(
  app: Services,
  t: Translator,
  values: Record<keyof typeof FORM_FIELDS, string>,
): string {
  const { name, email } = values;
  return renderCardPage(app, {
    t,
    title: t('Check your mail'),
    text: t('We sent a link to'),
    body: html`<dl class="facts">
        <dt>${t('Email address')}</dt>
        <dd>${email}</dd>
      </dl>
      <p class="muted">
        ${t('The link works once, for 24 hours. If nothing arrives, look in the spam folder.')}
      </p>
      <form method="post">
        ${Object.entries({ ...values, again: '1' }).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`)}
        <button>${t('Send it again')}</button>
      </form>`,
    footnote: html`${t.rich('Wrong address? <link>Use another one</link>', { link: (children) => html`<a href="?name=${encodeURIComponent(name)}">${children}</a>` })}`,
  });
}

function describeNameProblem(error: RefusalError, t: Translator): string {
  if (error.code !== 'displayNameTooShort' && error.code !== 'displayNameInvalid')
    return error.messageIn(t);
  const [min, max] = [LIMITS.displayNameMin, LIMITS.displayNameMax];
  return t('A name has {min} to {max} letters a to z, digits and hyphens.', { min, max });
}

function describeEmailProblem(
  error: RefusalError,
  email: string,
  t: Translator,
): string | undefined {
  if (error.code === 'signUpEmailInvalid')
    return hasInternationalLocalPart(email)
      ? t('Only letters from a to z, digits and signs work before the @.')
      : t('This is not an email address.');
  return error.code === 'emailDomainRefused' ? error.messageIn(t) : undefined;
}

function describeTextProblem(t: Translator): string {
  const [field, max] = [t('Why would you like to join?'), LIMITS.applicationText];
  return t('“{field}” has room for {max} characters. The rest was cut off.', { field, max });
}

function isFormError(error: unknown): error is RefusalError {
  return error instanceof RefusalError && (error.status === 400 || error.status === 409);
}
