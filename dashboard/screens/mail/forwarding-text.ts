import type { ResponseOf, owner } from '#dashboard/api/api.ts';

export type Forwarding = ResponseOf<typeof owner.forwarding.getForwarding>;

/** Says what happens to mail now; mail that nobody forwards is never called forwarded. */
export function describeForwarding({ enabled, email, stage }: Forwarding): string {
  if (!enabled) return 'Mail is not forwarded.';
  switch (stage) {
    case 'settled':
      return `Mail is forwarded to ${email}.`;
    case 'waits for confirmation':
      return `Mail will be forwarded to ${email} once you open the link that we mailed there.`;
    case 'waiting':
      return `Mail will be forwarded to ${email}. The mail provider has not accepted the change yet; we keep trying.`;
    default:
      return `Mail will be forwarded to ${email} as soon as the mail provider has accepted the change.`;
  }
}
