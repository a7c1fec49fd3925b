import { accounts } from './accounts/feature.ts';
import { addresses } from './addresses/feature.ts';
import { alerts } from './alerts/feature.ts';
import { audit } from './audit/feature.ts';
import { backups } from './backups/feature.ts';
import { chat } from './chat/feature.ts';
import { connections } from './connections/feature.ts';
import { covers } from './covers/feature.ts';
import { domains } from './domains/feature.ts';
import { events } from './events/feature.ts';
import { forwarding } from './forwarding/feature.ts';
import { instance } from './instance/feature.ts';
import { invitations } from './invitations/feature.ts';
import { keys } from './keys/feature.ts';
import { mails } from './mails/feature.ts';
import { listing } from './listing/feature.ts';
import { messages } from './messages/feature.ts';
import { metrics } from './metrics/feature.ts';
import { names } from './names/feature.ts';
import { members } from './members/feature.ts';
import { passkeys } from './passkeys/feature.ts';
import { pictures } from './pictures/feature.ts';
import { projects } from './projects/feature.ts';
import { reports } from './reports/feature.ts';
import { serverStatus } from './server-status/feature.ts';
import { sessions } from './sessions/feature.ts';
import { signOn } from './sign-on/feature.ts';
import { signUp } from './sign-up/feature.ts';
import { sites } from './sites/feature.ts';
import { visitors } from './visitors/feature.ts';
import { weekSummaries } from './week-summaries/feature.ts';
import type { ArchiveFile } from '#server/platform/archive-file.ts';
import type { AllFeatures, Feature, RouteGroup } from './define-feature.ts';
import type { Services } from './services.ts';

/**
 * Effects run in this order, which is also that of their locks: after the accounts, `addresses` lock
 * groups, then `forwarding` locks aliases.
 */
const DECLARED = [
  accounts,
  names,
  sites,
  visitors,
  addresses,
  forwarding,
  domains,
  keys,
  passkeys,
  signOn,
  sessions,
  connections,
  messages,
  alerts,
  events,
  weekSummaries,
  listing,
  projects,
  metrics,
  pictures,
  covers,
  backups,
  chat,
  instance,
  invitations,
  mails,
  members,
  reports,
  audit,
  serverStatus,
  signUp,
] as const;

export const FEATURES: readonly Feature<Services>[] = DECLARED;

/** `getApp` is called later, because services need the result. */
export function callFeatures(getApp: () => Services): AllFeatures {
  const declaredMails = FEATURES.flatMap((feature) => feature.mails ?? []);
  return {
    mails: new Map(declaredMails.map((mail) => [mail.kind, mail])),
    listExportFiles: async (db, account) => {
      const files: ArchiveFile[] = [];
      for (const { exportFiles } of FEATURES)
        files.push(...((await exportFiles?.(db, account)) ?? []));
      return files;
    },
    accountClosed: async (trx, account) => {
      for (const { onAccountClosed } of FEATURES) await onAccountClosed?.(trx, getApp(), account);
    },
  };
}

type HandlersOf<F, Group extends RouteGroup> = F extends { routes: Record<Group, infer Areas> }
  ? {
      [Area in keyof Areas]: Areas[Area] extends (app: never) => infer Created
        ? Created
        : Areas[Area];
    }
  : never;

type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The compiler compares them with the contract. Several features can have handlers of one area. */
export function createRoutes<Group extends RouteGroup>(
  group: Group,
  app: Services,
): Merged<HandlersOf<(typeof DECLARED)[number], Group>> {
  const areas: Record<string, object> = {};
  for (const { routes } of FEATURES)
    for (const [area, handlers] of Object.entries(routes?.[group] ?? {})) {
      const created: object = typeof handlers === 'function' ? handlers(app) : handlers;
      for (const name of Object.keys(created))
        if (Object.hasOwn(areas[area] ?? {}, name)) throw new Error(`${area}.${name} exists twice`);
      areas[area] = { ...areas[area], ...created };
    }
  return areas as never;
}
