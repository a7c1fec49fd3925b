import type { OperationExamples } from './example.ts';

export const accountExamples = {
  getDisplayName: {
    answer: {
      name: 'DisplayName',
      summary: 'The display name of the account.',
      value: { display_name: 'jane-doe' },
    },
  },
  updateDisplayName: {
    request: {
      name: 'NewDisplayName',
      summary: 'A name that becomes jane-doe.',
      value: { display_name: 'Jane Doe' },
    },
    answer: {
      name: 'DisplayNameUpdated',
      summary: 'The account has the name now.',
      value: {
        success: true,
        message:
          'The display name was updated to jane-doe. Email forwarding was disabled and can be re-enabled via the API or dashboard.',
      },
    },
  },
} satisfies Record<string, OperationExamples>;
