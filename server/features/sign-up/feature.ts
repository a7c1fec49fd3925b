import { linkRequestJob } from './link-request-job.ts';
import { signUpMail } from './sign-up-mail.ts';
import { defineFeature } from '../define-feature.ts';

export const signUp = defineFeature({
  jobs: [linkRequestJob],
  mails: [signUpMail],
  expiring: ['sign_ups'],
});
