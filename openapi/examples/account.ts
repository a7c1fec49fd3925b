import { error, type OperationExamples } from './example.ts';

export const accountExamples = {
  getDisplayName: {
    answer: {
      name: 'DisplayName',
      summary: 'The display name of the account.',
      value: { display_name: 'jane-doe' },
    },
    errors: {},
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
    errors: {
      400: [
        error('DisplayNameMissing', 'No name was sent.', 'A display name is required.'),
        error(
          'DisplayNameTooShort',
          'Too little is left of the name.',
          'The display name must be at least 3 characters long: letters a-z, digits and hyphens count, hyphens at the ends do not.',
        ),
        error(
          'DisplayNameInvalid',
          'The name has letters that a display name cannot have.',
          'The display name is not valid. How about jos-doe?',
        ),
      ],
      404: [
        error(
          'ProfileNotFound',
          'The key is valid, but the profile is gone.',
          'The profile could not be found; the session may be stale.',
        ),
      ],
      409: [
        error(
          'DisplayNameReserved',
          'The name is on the list of reserved names.',
          'The display name admin is not available.',
        ),
        error(
          'DisplayNameTaken',
          'Another account has the name.',
          'The display name jane-doe is already taken.',
        ),
      ],
    },
  },
} satisfies Record<string, OperationExamples>;
