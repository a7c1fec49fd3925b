import { expect, it } from 'vitest';
import { fieldErrorMessage } from '#dashboard/components/form-problem.ts';

it.each([
  [
    {
      field: 'display_name',
      text: 'display_name must be a string of at most 200 characters, or null.',
    },
    'Title',
    'Title must be a string of at most 200 characters, or null.',
  ],
  [
    { field: 'blocks.3.url', text: 'blocks.3.url must be an absolute http or https URL.' },
    'Address',
    'Address must be a web address, such as https://example.com.',
  ],
  [
    {
      field: 'email',
      text: 'email must not be an address at a.example: no mail is forwarded there.',
    },
    'E-mail',
    'E-mail must not be an address at a.example: no mail is forwarded there.',
  ],
  [
    {
      field: 'confirm',
      code: 'overloaded',
      text: 'The service is overloaded. Try again in a moment.',
    },
    'Type jane to confirm',
    'The service is overloaded. Try again in a moment.',
  ],
  [
    {
      field: 'display_name',
      code: 'displayNameTaken',
      text: 'The name jane is already taken.',
    },
    'Name',
    'The name jane is already taken.',
  ],
])('an error message uses the label of the field: %j', (problem, label, message) => {
  expect(fieldErrorMessage(problem, label)).toBe(message);
});
