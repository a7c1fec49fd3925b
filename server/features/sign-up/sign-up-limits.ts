import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { DAY_MS } from '#contract/durations.ts';
import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import { MAIL_REFUSALS } from '#contract/owner/session.ts';
import type { Reads } from '#db/connections/databases.ts';
import { isInvitationOpen } from '#db/queries/sessions/invitations.ts';
import { canMailInvitation } from '#db/queries/sessions/sign-ups.ts';
import type { Database } from '#db/schema.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { networkQueue } from '#server/limits/fair-queue.ts';
import { waiting } from '#server/limits/allowances/waiting.ts';
import type { Naming } from '../names/change-display-name.ts';
import { refuserOf } from '#server/refusal.ts';
import { type CheckedName, checkName } from './check-name.ts';
import { type AddressRules, mailRegistration, refuseAddress } from './request-account.ts';
import type { Registration } from '#server/settings/registration.ts';
import { hashToken, isToken } from '#server/token.ts';
import { networkOf } from '#server/http/access/address.ts';
import type { Rates } from '#server/http/access/rate-limits.ts';

const refuse = refuserOf({ ...SIGN_UP_REFUSALS, ...MAIL_REFUSALS });

/** Time for which mails wait for their turn, in milliseconds. */
const MAIL_PATIENCE_MS = 60_000;

/** Dependencies of sign-ups. */
export interface SigningUp extends Naming, AddressRules {
  db: Kysely<Database>;
  reads: Reads;
  outbox: Outbox;
  registration: Registration;
  rates: Rates;
}

/** Sign-ups of strangers, from the API and from the landing page, in one queue and under the same limits. */
export class SignUps {
  readonly #dependencies: SigningUp;
  readonly #mails = networkQueue('login-mails', MAIL_PATIENCE_MS);

  constructor(dependencies: SigningUp) {
    this.#dependencies = dependencies;
  }

  /** Whether anybody can sign up. */
  get areOpen(): boolean {
    return this.#dependencies.registration === 'open';
  }

  /** Whether nobody can sign up, even with an invitation. */
  get areClosed(): boolean {
    return this.#dependencies.registration === 'closed';
  }

  /** Checks a name for a visitor who may sign up. */
  async checkName(
    request: FastifyRequest,
    { input, invitation }: { input: string; invitation?: string | undefined },
  ): Promise<CheckedName> {
    const { reads, rates } = this.#dependencies;
    if (this.areClosed || (invitation === undefined && !this.areOpen))
      throw refuse('registrationClosed');
    const tooMany = await rates.nameChecks.count(request);
    if (tooMany) throw tooMany;
    if (invitation !== undefined && !(await isInvitation(reads, invitation)))
      throw refuse('invitationInvalid');
    return checkName(reads, this.#dependencies, input);
  }

  /**
   * Queues the mail with the sign-up link, or refuses at once if the queue is full. Nothing that depends on
   * the address is awaited or counted, so neither the response nor its timing reveals whether an account has it.
   */
  async requestAccount(
    request: FastifyRequest,
    { email, ...wanted }: { input: string; email: string; invitation?: string | undefined },
  ): Promise<void> {
    const { db, outbox, rates } = this.#dependencies;
    const { name, isAvailable } = await this.checkName(request, wanted);
    const { invitation } = wanted;
    if (invitation !== undefined && !outbox.isAvailable) throw refuse('mailUnavailable');
    refuseAddress(email, this.#dependencies);
    if (!isAvailable) throw refuse('nameUnavailable', { name });
    // Invitations have their own limit, because all members of a club may accept theirs from one network.
    const tooMany = invitation === undefined && (await rates.registrations.count(request));
    if (tooMany) throw tooMany;
    // Checked before the hourly limit, so that one invitation cannot use it up.
    if (invitation !== undefined && !(await canMailInvitation(db, hashToken(invitation))))
      throw refuse('invitationLinksUsedUp', waiting(DAY_MS));
    await outbox.countUnconfirmed(db, 'sign_up');
    this.#mails
      .begin(networkOf(request), () =>
        mailRegistration(db, outbox, {
          email,
          display_name: name,
          invitation_hash: invitation === undefined ? null : hashToken(invitation),
        }),
      )
      .catch((error: unknown) => {
        request.log.error({ err: error }, 'a registration could not be mailed');
      });
  }
}

async function isInvitation(reads: Reads, token: string): Promise<boolean> {
  return isToken(token) && isInvitationOpen(reads, hashToken(token));
}
