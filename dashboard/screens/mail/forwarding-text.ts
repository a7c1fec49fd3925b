import type { ResponseOf, owner } from '#dashboard/api/api.ts';

export type Forwarding = ResponseOf<typeof owner.forwarding.getForwarding>;

/**
 * What happens to mail now. Must not claim that mail is forwarded before the provider confirms it.
 */
export function describeForwarding({ enabled, email, stage }: Forwarding): string {
  if (!enabled) return 'Mail is not forwarded.';
  switch (stage) {
    case 'settled':
      return `Mail is forwarded to ${email}.`;
    case 'waits for confirmation':
      return `Mail will be forwarded to ${email} once you open the link in the confirmation mail.`;
    case 'waiting':
      return `Mail will be forwarded to ${email}. The mail provider has not accepted the change yet. We keep trying.`;
    default:
      return `Mail will be forwarded to ${email} as soon as the mail provider has accepted the change.`;
  }
}
