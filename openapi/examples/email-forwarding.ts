import { error, type OperationExamples } from './example.ts';

export const emailForwardingExamples = {
  emailForwardingToggle: {
    request: {
      name: 'ForwardingWanted',
      summary: 'Forward to this address from now on.',
      value: { enabled: true, email: 'jane@example.com' },
    },
    answer: {
      name: 'ForwardingEnabled',
      summary: 'Forwarding is on.',
      value: {
        success: true,
        message: 'Mail to jane-doe@example.org is forwarded to jane@example.com.',
        enabled: true,
        email: 'jane@example.com',
      },
    },
    errors: {
      400: [
        error(
          'ForwardingStateMissing',
          'It is not said whether mail is forwarded.',
          'enabled must be true or false.',
        ),
        error(
          'DisplayNameNotSet',
          'There is no address to forward from.',
          'A display name must be set before forwarding is enabled.',
        ),
        error(
          'ForwardingAddressMissing',
          'No address was sent, and none is stored.',
          'An email is required to enable forwarding.',
        ),
        error(
          'ForwardingAddressInvalid',
          'The address is not one plain email address.',
          'email must be one plain email address of at most 254 characters.',
        ),
      ],
      404: [
        error(
          'ForwardingProfileNotFound',
          'The key is valid, but the profile is gone.',
          'The profile could not be found; the session may be stale.',
        ),
      ],
    },
  },
} satisfies Record<string, OperationExamples>;
