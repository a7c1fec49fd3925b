import type { mailSettings } from '#contract/owner/mail-settings.ts';
import { findMailServer, saveInstance } from '#db/queries/instance.ts';
import type { Core } from '#server/core.ts';
import { runAuditedByOperator } from '#server/platform/http/contract/audited-runner.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { formatMailSettings } from '#server/platform/mail/settings.ts';

export function mailSettingsRoutes({
  mailServers,
  queues,
}: Pick<Core, 'mailServers' | 'queues'>): Handlers<typeof mailSettings> {
  return {
    exportMailSettings: async ({ readDb, refuse, ...caller }) => {
      // Also the id of the key that a session began with.
      if (caller.credential.keyId !== undefined || caller.credential.kind === 'grant')
        throw refuse('keyForbidden');
      const encrypted = await findMailServer(readDb);
      if (!encrypted) throw refuse('mailNotConnected');
      const server = mailServers.decrypt(encrypted);
      if (!server) throw refuse('mailSettingsUnreadable');
      const db = queues.writes.databaseFor(caller.accountId);
      const { host, port, sender } = server;
      await runAuditedByOperator(db, caller, async (_trx, audit) =>
        audit({ detail: { host, port, sender } }),
      );
      return { settings: formatMailSettings(server) };
    },

    deleteMailSettings: async ({ db, refuse }) => {
      if (!(await findMailServer(db))) throw refuse('mailNotConnected');
      await saveInstance(db, { encrypted_mail_server: null, encrypted_pending_mail_server: null });
      mailServers.forget();
    },
  };
}
