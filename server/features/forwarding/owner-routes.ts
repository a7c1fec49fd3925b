import type { forwarding } from '#contract/owner/forwarding.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { findForwarding } from '#db/queries/forwarding-settings.ts';
import { listForwarding } from '#db/queries/provider-aliases.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { PROVIDER_ERRORS } from './forwarding-provider.ts';
import type { ForwardingService } from './forwarding.ts';
import { serializeGroupAddresses } from './serialize-group-addresses.ts';

export function forwardingRoutes(
  app: Core & { forwarding: ForwardingService },
): Pick<Handlers<typeof forwarding>, 'getForwarding'> {
  const { config, forwarding: service, outbox } = app;
  return {
    getForwarding: async ({ accountId, readDb, getTranslator }) => {
      const [settings, name, group_addresses] = await Promise.all([
        findForwarding(readDb, accountId),
        findDisplayName(readDb, accountId),
        serializeGroupAddresses(readDb, config, accountId),
      ]);
      if (!settings) throw new AccountDeletedError();
      const [stored] = name === undefined ? [] : await listForwarding(readDb, [name]);
      const state = stored && service.addStage(stored);
      return {
        enabled: settings.enabled,
        email: settings.email,
        confirmed:
          outbox.isAvailable && settings.email !== null ? settings.confirmed === true : null,
        login_email: settings.login_email,
        pending_email: settings.pending_email,
        pending_expires_at: settings.pending_expires_at?.toISOString() ?? null,
        forwarding_email: name === undefined ? null : `${name}@${config.MAIL_DOMAIN}`,
        available: service.isAvailable,
        provider_email: state?.provider_destination ?? null,
        stage: state?.stage ?? null,
        attempts: state?.attempts ?? 0,
        last_error: formatStored(PROVIDER_ERRORS, state?.last_error ?? null, getTranslator()),
        next_try_at: state?.next_try_at?.toISOString() ?? null,
        group_addresses,
      };
    },
  };
}
