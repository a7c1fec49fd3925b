import { invitationMail } from './invitation-mail.ts';
import { defineFeature } from '../define-feature.ts';

export const invitations = defineFeature({
  mails: [invitationMail],
  expiring: ['invitations'],
  accountTables: {
    invitations: 'not exported: entered by operators, and deleted 30 days after they expire',
  },
});
