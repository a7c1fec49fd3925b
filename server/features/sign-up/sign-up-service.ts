import type { FastifyRequest } from 'fastify';
import { REGISTRATION_REFUSALS, SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { MAIL_REFUSALS } from '#contract/owner/sessions.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { findOpenInvitation } from '#db/queries/invitations.ts';
import { findInvitationPurpose, hasSignUp } from '#db/queries/sign-ups.ts';
import type { Core } from '#server/core.ts';
import { senderNetwork } from '#server/platform/http/access/client-address.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { languageOf } from '#server/platform/text/language.ts';
import { type NameAvailability, checkNameAvailability } from '../names/check-name.ts';
import type { NameRules } from '../names/reserved-names.ts';
import { type LinkRequest, requestLink } from '../sessions/link-request.ts';
import { mailSignUpLink, requireAllowedEmailDomain } from './sign-up-mail.ts';

const refuse = createRefuser({ ...SIGN_UP_REFUSALS, ...REGISTRATION_REFUSALS, ...MAIL_REFUSALS });

type SignUpApp = Pick<
  Core,
  'config' | 'db' | 'jobs' | 'mailServers' | 'outbox' | 'rateLimits' | 'readDb'
> & { names: NameRules };

/** The API and the landing page share the same limits. */
export class SignUpService {
  readonly #app: SignUpApp;

  constructor(app: SignUpApp) {
    this.#app = app;
  }

  get isOpen(): boolean {
    const { config, mailServers } = this.#app;
    return config.REGISTRATION === 'open' && mailServers.current !== undefined;
  }

  /** Whether people can apply for an account. */
  get takesApplications(): boolean {
    const { config, mailServers } = this.#app;
    return config.REGISTRATION === 'approval' && mailServers.current !== undefined;
  }

  /** Whether sign-up needs no invitation. */
  get isForEveryone(): boolean {
    return this.isOpen || this.takesApplications;
  }

  get isClosed(): boolean {
    return this.#app.config.REGISTRATION === 'closed';
  }

  async checkRegistration(
    request: FastifyRequest,
    {
      input,
      invitation,
      registration,
    }: { input: string; invitation?: string | undefined; registration?: string | undefined },
  ): Promise<NameAvailability> {
    const { readDb, rateLimits } = this.#app;
    if (this.isClosed || (!this.isForEveryone && (invitation ?? registration) === undefined))
      throw refuse('registrationClosed');
    const rateLimitError = await rateLimits.nameChecks.count(request);
    if (rateLimitError) throw rateLimitError;
    if (
      invitation !== undefined &&
      !(isToken(invitation) && (await findOpenInvitation(readDb, hashToken(invitation))))
    )
      throw refuse('invitationInvalid');
    // An account may have used the token. An application that did holds the name that it asks for.
    if (
      (!this.isForEveryone || this.takesApplications) &&
      registration !== undefined &&
      !(isToken(registration) && (await hasSignUp(readDb, hashToken(registration))))
    )
      throw refuse('registrationInvalid');
    return checkNameAvailability(readDb, this.#app, input);
  }

  /**
   * Queues the request for an email with a sign-up link. Nothing that depends on the address is awaited
   * or counted, so neither the response nor its timing reveals whether the address has an account.
   */
  async createRegistration(
    request: FastifyRequest,
    {
      email,
      application_text = '',
      application_name = null,
      ...nameCheck
    }: {
      input: string;
      email: string;
      application_text?: string | undefined;
      application_name?: string | null | undefined;
      invitation?: string | undefined;
    },
  ): Promise<void> {
    const { db, outbox, rateLimits } = this.#app;
    const { name, isAvailable } = await this.checkRegistration(request, nameCheck);
    const { invitation } = nameCheck;
    if (invitation !== undefined && !outbox.isAvailable) throw refuse('mailUnavailable');
    requireAllowedEmailDomain(email, this.#app.config);
    if (!isAvailable) throw refuse('nameUnavailable', { name });
    // Invitations have their own limit, because all members of a club may accept them from one
    // network.
    const rateLimitError = invitation === undefined && (await rateLimits.signUps.count(request));
    if (rateLimitError) throw rateLimitError;
    const invitationHash = invitation === undefined ? null : hashToken(invitation);
    const purpose = invitationHash ? await findInvitationPurpose(db, invitationHash) : 'sign_up';
    if (!purpose) throw refuse('invitationLinksUsedUp', retryAfter(DAY_MS));
    const sender = invitationHash?.toString('base64') ?? senderNetwork(request);
    await outbox.countUnconfirmed(db, purpose, sender);
    await requestLink(this.#app, {
      email,
      signUp: {
        language: languageOf(request),
        display_name: name,
        invitation_hash: invitationHash?.toString('base64') ?? null,
        ...(this.takesApplications && !invitationHash
          ? { application_text, application_name }
          : { application_text: null, application_name: null }),
      },
    });
  }

  /** For the job of the request. */
  async mailLink({ email, signUp }: LinkRequest): Promise<void> {
    const { db, outbox } = this.#app;
    const { invitation_hash: base64, ...rest } = signUp!;
    const invitation_hash = base64 === null ? null : Buffer.from(base64, 'base64');
    await mailSignUpLink(db, outbox, { email, ...rest, invitation_hash });
  }
}
