import { expect, it } from 'vitest';
import { fieldErrorMessage } from '#dashboard/components/form-problem.ts';

it.each([
  [
    'bio',
    'bio must be a string of at most 200 characters.',
    'must be a string of at most 200 characters.',
  ],
  [
    'blocks.3.url',
    'blocks.3.url must be an absolute http or https URL.',
    'must be a web address, such as https://example.com.',
  ],
])('an error message about %s uses the label of the field', (field, text, message) => {
  expect(fieldErrorMessage({ field, text }, 'Label')).toBe(`Label ${message}`);
});

it('an address without its ending gets a short message, and one with an umlaut the whole one', () => {
  const text = 'email must be one plain email address, with a domain such as xn--mnchen-3ya.de.';
  const message = (value: string) => fieldErrorMessage({ field: 'email', text }, 'Email', value);
  expect(message('jane@company')).toBe('Enter an address such as jane@example.org.');
  expect(message('jane@münchen.de')).toBe(text.replace('email', 'Email'));
});

it.each([
  ['confirm', 'overloaded', 'The service is overloaded. Try again in a moment.'],
  ['display_name', 'displayNameTaken', 'The name jane is already taken.'],
])('an error message about %s without its name stays (%s)', (field, code, text) => {
  expect(fieldErrorMessage({ field, code, text }, 'Label')).toBe(text);
});
