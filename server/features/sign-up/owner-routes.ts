import type { registration } from '#contract/owner/registration.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createAccountFromLink } from './create-account-from-link.ts';
import { createLoginResponse } from '../sessions/session-response.ts';

export function signUpRoutes(app: App): Handlers<typeof registration> {
  const { cookie, signUps } = app;
  return {
    checkName: async ({ request, body: { display_name: input, invitation, registration } }) => {
      const { name, isAvailable, suggestions } = await signUps.checkName(request, {
        input,
        invitation,
        registration,
      });
      return { status: 200, body: { display_name: name, available: isAvailable, suggestions } };
    },

    requestAccount: async ({ request, body: { display_name: input, email, invitation } }) => {
      await signUps.requestAccount(request, { input, email, invitation });
      return { status: 200, body: { success: true } };
    },

    createAccount: async ({ db, loginClient, body, refuse }) => {
      if (signUps.isClosed) throw refuse('registrationClosed');
      const { registration: token, display_name: displayName } = body;
      const signUp = { token, displayName, isOpen: signUps.isOpen };
      return createLoginResponse(await createAccountFromLink(db, app, signUp, loginClient), cookie);
    },
  };
}
