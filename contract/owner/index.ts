import { initContract } from '@ts-rest/core';
import { account } from './account.ts';
import { addresses } from './addresses.ts';
import { alerts } from './alerts.ts';
import { auditEntries } from './audit-entries.ts';
import { clients } from './clients.ts';
import { connections } from './connections.ts';
import { covers } from './covers.ts';
import { domainCheck, domains } from './domains.ts';
import { events } from './events.ts';
import { forwarding } from './forwarding.ts';
import { grants } from './grants.ts';
import { groupImports } from './group-imports.ts';
import { groups } from './groups.ts';
import { identities } from './identities.ts';
import { instance } from './instance.ts';
import { invitations } from './invitations.ts';
import { accounts, keepers } from './keepers.ts';
import { keys } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { memberLists } from './member-lists.ts';
import { decisions, members } from './members.ts';
import { messages } from './messages.ts';
import { metrics } from './metrics.ts';
import { operatorInvitations } from './operator-invitations.ts';
import { page } from './page.ts';
import { passkeyLogin, passkeys } from './passkeys.ts';
import { pictures, uploads } from './pictures.ts';
import { projects } from './projects.ts';
import { applications, registration } from './registration.ts';
import { reports } from './reports.ts';
import { server } from './server.ts';
import { login, sessions } from './sessions.ts';
import { visitors } from './visitors.ts';

/** Owner endpoints that need neither an API key nor a session. */
export const unauthenticatedContract = initContract().router({
  sessions: login,
  passkeys: passkeyLogin,
  invitations,
  account: { ...registration, ...applications },
});

/** Owner endpoints whose request body is a file. */
export const uploadContract = initContract().router({ pictures: uploads });

/** Owner endpoints for operators. */
export const operatorContract = initContract().router({
  members: { ...members, ...decisions },
  groups: { ...groups, ...groupImports },
  addresses,
  invitations: { ...operatorInvitations, ...memberLists },
  clients,
  messages,
  reports,
  server: { ...server, ...auditEntries, ...instance, ...mailSettings },
});

/** All other owner endpoints. */
export const authenticatedJsonContract = initContract().router({
  sessions,
  keys,
  projects,
  page,
  visitors,
  metrics,
  alerts,
  connections,
  events,
  forwarding,
  account,
  passkeys,
  identities,
  grants,
  accounts,
  keepers,
  pictures: { ...pictures, ...covers },
  domains: { ...domains, ...domainCheck },
});

/** Owner endpoints that need an API key or a session. */
export const authenticatedContract = initContract().router({
  ...authenticatedJsonContract,
  ...operatorContract,
  pictures: { ...uploadContract.pictures, ...authenticatedJsonContract.pictures },
});

/** The owner contract: every endpoint outside the public contract, by area. */
export const ownerContract = initContract().router({
  ...authenticatedContract,
  account: { ...unauthenticatedContract.account, ...authenticatedContract.account },
  invitations: { ...unauthenticatedContract.invitations, ...authenticatedContract.invitations },
  passkeys: { ...unauthenticatedContract.passkeys, ...authenticatedContract.passkeys },
  sessions: { ...unauthenticatedContract.sessions, ...authenticatedContract.sessions },
});
