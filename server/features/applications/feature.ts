import { defineFeature } from '../define-feature.ts';
import { applicationMail, applicationNoticeMail, approvalMail } from './application-mails.ts';
import { expireApplications } from './decide.ts';
import { applicantRoutes, applicationRoutes } from './owner-routes.ts';

export const applications = defineFeature({
  routes: {
    unauthenticated: { applications: applicantRoutes },
    operator: { applications: applicationRoutes },
  },
  mails: [applicationMail, applicationNoticeMail, approvalMail],
  deletesByAge: expireApplications,
  expiring: ['applications'],
});
