// One story runs through the examples of both documents. Jane Doe, a potter in Lisbon, is an
// operator of the server of a sailing club, with a page and the project “Shop”. Joe Bloggs is a
// member, Ana Silva keeps an account together with others, and José Müller wants to join.

export const JANE_ID = '0b7e5c1e-0f4e-4d53-9f0f-3d1c2b5a6e77';
export const JOE_ID = '9a4f2c61-3b7d-4e58-8c20-6d1e5f0a7b43';
export const ANA_ID = 'e4817f5a-62c3-4d09-a7b8-1c5f93d0e264';
export const JOSE_ID = 'c27d9e04-5a18-4f6b-b3e1-0f8a4d2c6917';

export const PROJECT_ID = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';
export const ALERT_ID = '5f0e2d7c-6b1a-4c39-9d84-1e2f3a4b5c60';
export const BLOCK_ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';
export const SESSION_ID = '6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10';
export const CLIENT_ID = '6d0c1a52-0f0e-4c43-8d4f-0f6a9c1f7d10';
export const BATCH_ID = 'd81b6f35-9c02-4a7e-95d4-3e7f1b0c8a26';
export const PICTURE_ID = 'VYl0tjXyQ2C8mHn4sRbA1f-1200x800';
export const PICTURE_URL = `https://club.example/pictures/${PICTURE_ID}/1200.webp`;

export const EXAMPLE_TIME = '2026-01-31T09:30:00.000Z';

/** What a mailed link has after the #. */
const TOKEN = '2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA';

export const exampleLink = (screen: string, suffix = ''): string =>
  `https://club.example/dashboard/${screen}#${TOKEN}${suffix}`;
