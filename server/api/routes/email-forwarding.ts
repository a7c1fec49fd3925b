import type { contract } from '../../../contract/index.ts';
import { lockProfile } from '../../../db/queries/profiles.ts';
import { updateForwarding } from '../../../db/queries/profiles.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { Dependencies } from '../dependencies.ts';

export function emailForwardingRoutes({
  forwarding,
  mailDomain,
}: Pick<Dependencies, 'forwarding' | 'mailDomain'>): Handlers<typeof contract.emailForwarding> {
  return {
    emailForwardingToggle: async ({ accountId, body, db, refuse }) => {
      const { address, email } = await inTransaction(db, async (trx) => {
        const profile = await lockProfile(trx, accountId);
        if (!profile) throw refuse('profileNotFound');
        const name = profile.display_name;
        const destination = body.email ?? profile.forwarding_email;
        // A stored address, too: the mail domain is a setting, which may have changed.
        if (destination?.toLowerCase().endsWith(`@${mailDomain}`) && (body.enabled || body.email))
          throw refuse('forwardingAddressCircular', { domain: mailDomain });
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
