import { applicationRequestJob, linkRequestJob } from './link-request-job.ts';
import { signUpMail } from './sign-up-mail.ts';
import { signUpRoutes } from './owner-routes.ts';
import { defineFeature } from '../define-feature.ts';

export const signUp = defineFeature({
  routes: { unauthenticated: { account: signUpRoutes } },
  jobs: [linkRequestJob, applicationRequestJob],
  mails: [signUpMail],
  expiring: ['sign_ups'],
});
