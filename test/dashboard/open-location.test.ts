import { expect, it } from 'vitest';
import { openLocation } from '#dashboard/screens/websites/open-location.ts';

const CALLBACK = 'https://club.example/members/callback';

it('the page after the sign-out is open in Apache', () => {
  expect(openLocation(CALLBACK, 'https://club.example/bye')).toContain('<Location /bye>');
});

it.each(['/', '/members', '/members/', 'https://portal.example/bye'])(
  'Apache opens nothing that is protected for a page after the sign-out at %s',
  (path) => {
    expect(openLocation(CALLBACK, new URL(path, CALLBACK).href)).toBe('');
  },
);
