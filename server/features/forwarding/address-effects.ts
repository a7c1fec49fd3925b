import { FORWARDING_REFUSALS } from '#contract/email-forwarding.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { cancelConfirmations } from '#db/queries/confirmations.ts';
import { storeAddress } from '#db/queries/forwarding-settings.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import type { Transaction } from '#db/connections/handles.ts';
import type { Core } from '#server/core.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { logEvent } from '../events/log-event.ts';
import type { Outbox } from '../mails/outbox.ts';
import { changeMail, confirmationMail, mailDestination } from './destination-mails.ts';
import { enqueueAccountSync, type ForwardingService } from './forwarding.ts';
import type { AddressStep } from './next-address.ts';

const refuse = createRefuser(FORWARDING_REFUSALS);

export type AddressServices = Pick<Core, 'allowances' | 'jobs'> & {
  forwarding: ForwardingService;
  outbox: Outbox;
};

interface AddressOwner {
  accountId: string;
  /** Display name. */
  name: string | null;
  /** Name of the operator who changes the address of a member. Null if the operator has none. */
  operator?: string | null | undefined;
  /** Refuses unless the sender may add a login with the address. Default: anyone may. */
  authorize?: (email: string) => Promise<void>;
}

/** The caller holds the lock of `lockForwardingSettings`. */
export async function runAddressStep(
  trx: Transaction,
  app: AddressServices,
  owner: AddressOwner,
  { state, effects }: AddressStep,
): Promise<void> {
  const { accountId, operator } = owner;
  for (const effect of effects)
    switch (effect.kind) {
      case 'authorize':
        await owner.authorize?.(effect.email);
        break;
      case 'cancelConfirmations':
        await cancelConfirmations(trx, accountId);
        break;
      case 'mailChange': {
        const { to, isForwarding, waits } = effect;
        const mail = { accountId, operator, address: to, name: owner.name ?? to, isForwarding };
        await mailDestination(trx, app.outbox, changeMail, { ...mail, waits });
        break;
      }
      case 'mailConfirmation': {
        const { to, isForwarding, isRequired } = effect;
        const mail = { accountId, operator, address: to, name: owner.name ?? to, isForwarding };
        const isSent = await mailDestination(trx, app.outbox, confirmationMail, mail);
        if (isRequired && !isSent)
          throw refuse('forwardingAddressLimitReached', retryAfter(DAY_MS));
        break;
      }
      case 'store':
        await storeAddress(trx, accountId, state);
        break;
      case 'syncAliases':
        await enqueueAccountSync(trx, app.forwarding, accountId);
        break;
      case 'endLoginLinks':
        await deleteLoginLinks(trx, accountId);
        break;
      case 'log': {
        // The event does not contain the address, because events are kept longer than addresses.
        const { isReplaced: destination_changed, by } = effect;
        const detail = { enabled: state.enabled, destination_changed, by };
        await logEvent(trx, app, { accountId, type: 'forwarding_updated', detail });
      }
    }
}
