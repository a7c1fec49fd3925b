import type { Core } from '#server/core.ts';
import { defineFeature } from '../define-feature.ts';
import { names } from '../names/feature.ts';
import type { NameRules } from '../names/reserved-names.ts';
import { applicationRequestJob } from '../sessions/link-request-job.ts';
import { applicationMail, applicationNoticeMail, approvalMail } from './application-mails.ts';
import { applicationRoutes, decisionRoutes } from './application-routes.ts';
import { expireApplications } from './decide.ts';
import { type SignUpServices, signUpRoutes } from './owner-routes.ts';
import { signUpMail } from './sign-up-mail.ts';
import { SignUpService } from './sign-up-service.ts';
import { findWaitingPeople } from './waiting-finding.ts';

export const signUp = defineFeature({
  name: 'signUp',
  optional: true,
  needs: [names],
  service: (app: Core & { names: NameRules }) => new SignUpService(app),
  toDo: [findWaitingPeople],
  routes: {
    unauthenticated: {
      account: (app: SignUpServices) => ({ ...signUpRoutes(app), ...applicationRoutes(app) }),
    },
    operator: { members: decisionRoutes },
  },
  jobs: [applicationRequestJob],
  mails: [signUpMail, applicationMail, applicationNoticeMail, approvalMail],
  links: ['registration', 'application', 'withdrawal', 'operator/members/waiting'].map(
    (screen) => `/dashboard/${screen}`,
  ),
  deletesByAge: expireApplications,
  expiring: ['applications', 'sign_ups'],
});
