import type { OperationExamples } from './example.ts';

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
  },
} satisfies Record<string, OperationExamples>;
