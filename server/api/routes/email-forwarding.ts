import type { contract } from '../../../contract/index.ts';
import { lockProfile } from '../../../db/queries/profiles.ts';
import { updateForwarding } from '../../../db/queries/profiles.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { isRefusedDomain, isWithin } from '../../service/forwarding/refused-domain.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { Dependencies } from '../dependencies.ts';

export function emailForwardingRoutes({
  forwarding,
  mailDomain,
  refusedDomains,
}: Pick<Dependencies, 'forwarding' | 'mailDomain' | 'refusedDomains'>): Handlers<
  typeof contract.emailForwarding
> {
  return {
    emailForwardingToggle: async ({ accountId, body, db, refuse }) => {
      const { address, email } = await inTransaction(db, async (trx) => {
        const profile = await lockProfile(trx, accountId);
        if (!profile) throw refuse('profileNotFound');
        const name = profile.display_name;
        const destination = body.email ?? profile.forwarding_email;
        // A stored address, too: the domains are settings, which may have changed.
        const domain = destination?.toLowerCase().split('@')[1] ?? '';
        const isUsed = body.enabled || body.email;
        if (isUsed && isWithin(domain, [mailDomain]))
          throw refuse('forwardingAddressCircular', { domain });
        if (isUsed && isRefusedDomain(domain, refusedDomains))
          throw refuse('forwardingAddressRefused', { domain });
        if (body.enabled && name === null) throw refuse('displayNameNotSet');
        if (body.enabled && destination === null) throw refuse('forwardingAddressMissing');
        await updateForwarding(trx, accountId, { enabled: body.enabled, email: destination });
        if (name !== null) await forwarding.queue(trx, name);
        return { address: `${name}@${mailDomain}`, email: destination };
      });
      const message = body.enabled
        ? `Mail to ${address} is forwarded to ${email}.`
        : 'Email forwarding is disabled.';
      return { status: 200, body: { success: true, message, enabled: body.enabled, email } };
    },
  };
}
