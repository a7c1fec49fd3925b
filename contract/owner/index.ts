import { initContract } from '@ts-rest/core';
import { account } from './account.ts';
import { alerts } from './alerts.ts';
import { domainCheck, domains } from './domains.ts';
import { events } from './events.ts';
import { forwarding } from './forwarding.ts';
import { metrics } from './metrics.ts';
import { identities } from './identities.ts';
import { page } from './page.ts';
import { invitations } from './invitations.ts';
import { keys } from './keys.ts';
import { operator } from './operator.ts';
import { passkeyLogin, passkeys } from './passkeys.ts';
import { pictures, uploads } from './pictures.ts';
import { projects } from './projects.ts';
import { registration } from './registration.ts';
import { login, session } from './session.ts';
import { visitors } from './visitors.ts';
import { webhooks } from './webhooks.ts';

/** Owner endpoints that need neither an API key nor a session. */
export const unauthenticatedContract = initContract().router({
  session: login,
  passkeys: passkeyLogin,
  invitations,
  registration,
});

/** Owner endpoints whose request body is a file. */
export const uploadContract = initContract().router({ pictures: uploads });

/** Owner endpoints for operators. */
export const operatorContract = initContract().router({ operator });

/** All other owner endpoints. */
export const authenticatedJsonContract = initContract().router({
  session,
  keys,
  projects,
  page,
  visitors,
  metrics,
  alerts,
  webhooks,
  events,
  forwarding,
  account,
  passkeys,
  identities,
  pictures,
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
  session: { ...unauthenticatedContract.session, ...authenticatedContract.session },
  invitations,
  registration,
  passkeys: { ...unauthenticatedContract.passkeys, ...authenticatedContract.passkeys },
});
