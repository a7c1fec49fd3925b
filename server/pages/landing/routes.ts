import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EMAIL_PATTERN } from '#contract/email.ts';
import { LIMITS } from '#contract/limits.ts';
import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { originOf } from '#server/http/access/public-origin.ts';
import { refuseOtherSites } from '#server/http/access/same-origin.ts';
import { refusalHeaders, securityHeaders } from '#server/http/answers/headers.ts';
import { hostOf, renderDocument, renderPage } from '#server/http/answers/page.ts';
import { RefusalError, refuserOf } from '#server/refusal.ts';
import { html } from '#page/html.ts';
import type { PageDependencies } from '../dependencies.ts';
import type { SiteAnswers } from '../site/site-answers.ts';
import {
  type Claim,
  claimPage,
  EXAMPLES,
  exampleAddress,
  LANDING_POLICY,
  LANDING_STYLE,
  quietPage,
} from './landing-page.ts';

/** A form with a name and an address is far smaller, in bytes. */
const FORM_BYTES = 4_096;

const refuse = refuserOf(SIGN_UP_REFUSALS);
/** Sentences about an address, by the refusal of the API. */
const EMAIL_PROBLEMS: Readonly<Record<string, string>> = {
  signUpEmailInvalid: 'This is not an email address.',
  emailDomainRefused: 'No account can be made with an address of this domain.',
};
/** Short sentences about a name, by the refusal of the API. */
const NAME_PROBLEMS: Readonly<Record<string, string>> = {
  displayNameTooShort: `Too short. Use at least ${LIMITS.displayNameMin} characters.`,
};
const HEADERS = securityHeaders(LANDING_POLICY);

interface Asked {
  Querystring: { name?: unknown };
}

/** The bare address, where anybody claims a name, if they can, in two forms that need no script. */
export async function landing(
  scope: FastifyInstance,
  dependencies: PageDependencies,
  answers: SiteAnswers,
): Promise<void> {
  const { homeUrl, registration, signUps, signOn, publicUrl, pagesUrl, mailDomain } = dependencies;
  const hosts = () => ({
    host: hostOf(originOf(scope, publicUrl)),
    pagesHost: hostOf(originOf(scope, pagesUrl)),
    mailDomain,
    provider: signOn?.name,
  });
  const send = (reply: FastifyReply, claim: Claim) =>
    reply.headers(HEADERS).send(
      renderDocument(scope, dependencies, {
        title: `${signUps.areOpen ? 'Claim your name' : 'Nameplate'} · ${hosts().host}`,
        head: html`<meta
          name="description"
          content="A name with a page, a mail address, metrics and an API."
        />`,
        bar: html`<a class="button" href="/dashboard/">Sign in</a>`,
        main: signUps.areOpen
          ? claimPage(claim, hosts())
          : quietPage(hosts(), registration === 'invite'),
        style: LANDING_STYLE,
      }),
    );
  const check = async (request: FastifyRequest, typed: string): Promise<Claim> => {
    if (typed === '' || !signUps.areOpen) return { typed };
    try {
      return { typed, ...(await signUps.checkName(request, { input: typed })) };
    } catch (error) {
      if (isTold(error)) return { typed, problem: NAME_PROBLEMS[error.code] ?? error.message };
      throw error;
    }
  };

  scope.get<Asked>(
    '/',
    { config: { isFoundAt: ['server', 'domains'] } },
    async (request, reply) => {
      if (request.domain) return answers.answerAtDomain(request, reply, 'page');
      if (homeUrl !== undefined) return reply.redirect(homeUrl, 303);
      const { name } = request.query;
      const typed = typeof name === 'string' ? name.slice(0, 1_000) : '';
      return send(reply, await check(request, typed));
    },
  );

  for (const name of Object.keys(EXAMPLES)) {
    const picture = readFileSync(new URL(`./examples/${name}.webp`, import.meta.url));
    scope.get(exampleAddress(name), (_request, reply) =>
      reply.type('image/webp').header('cache-control', 'public, max-age=86400').send(picture),
    );
  }

  await scope.register(async (forms) => {
    const siteProblem = refuseOtherSites(forms, publicUrl);
    forms.addHook('onRequest', (request, _reply, done) => done(siteProblem(request)));
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    forms.post('/', async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const [typed, email] = ['name', 'email'].map((field) => form.get(field)?.trim() ?? '') as [
        string,
        string,
      ];
      try {
        if (email.length > LIMITS.email || !EMAIL_PATTERN.test(email))
          throw refuse('signUpEmailInvalid');
        await signUps.requestAccount(request, { input: typed, email });
      } catch (error) {
        if (!isTold(error)) throw error;
        const claim = await check(request, typed);
        const emailProblem = EMAIL_PROBLEMS[error.code];
        reply.status(error.status).headers(refusalHeaders(error));
        return await send(reply, { ...claim, email, emailProblem });
      }
      return reply.send(
        renderPage(scope, dependencies, {
          title: 'Check your mail',
          text: 'We sent a link to',
          body: html`<dl class="facts">
              <dt>Email address</dt>
              <dd>${email}</dd>
            </dl>
            <p class="next muted">
              The link works once, for 24 hours. If nothing arrives, look in the spam folder.
            </p>
            <form method="post">
              <input type="hidden" name="name" value="${typed}" />
              <input type="hidden" name="email" value="${email}" />
              <button>Send it again</button>
            </form>`,
          below: html`Wrong address? <a href="?name=${typed}">Use another one</a>`,
        }),
      );
    });
  });
}

/** Whether somebody is told on the page itself what is wrong, and not by an error page. */
function isTold(error: unknown): error is RefusalError {
  return error instanceof RefusalError && (error.status === 400 || error.status === 409);
}
