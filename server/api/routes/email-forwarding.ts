import type { contract } from '../../../contract/index.ts';
import { changeForwarding } from '../../service/forwarding/change-forwarding.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { Dependencies } from '../dependencies.ts';

export function emailForwardingRoutes(
  rules: Dependencies,
): Handlers<typeof contract.emailForwarding> {
  return {
    emailForwardingToggle: async ({ accountId, via, body, db }) => {
      const { name, email } = await changeForwarding(db, rules, {
        accountId,
        ...body,
        via,
      });
      const message = body.enabled
        ? `Mail to ${name}@${rules.mailDomain} is forwarded to ${email}.`
        : 'Email forwarding is disabled.';
      return { status: 200, body: { success: true, message, enabled: body.enabled, email } };
    },
  };
}
