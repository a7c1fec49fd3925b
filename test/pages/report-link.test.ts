import { expect, it } from 'vitest';
import { attribute, renderPage, readText } from './support/site.ts';

function findReportLinks(abuseContact?: string) {
  const links = renderPage({}, abuseContact).findAll('a');
  return links.filter((link) => readText(link) === 'Report this page');
}

it.each([
  [
    'abuse@example.org',
    'mailto:abuse@example.org?subject=Report%20of%20https%3A%2F%2Fexample.org%2F%40jane-doe',
  ],
  [
    'https-abuse@example.org',
    'mailto:https-abuse@example.org?subject=Report%20of%20https%3A%2F%2Fexample.org%2F%40jane-doe',
  ],
  ['https://example.org/report?by=@me', 'https://example.org/report?by=@me'],
])('a page links to the abuse contact %s', (contact, href) => {
  const [link, ...others] = findReportLinks(contact);
  expect(others).toEqual([]);
  expect(attribute(link!, 'href')).toBe(href);
});

it('a page links to the report form if no contact is set', () => {
  const [link, ...others] = findReportLinks();
  expect(others).toEqual([]);
  expect(attribute(link!, 'href')).toBe('https://example.org/@jane-doe/report');
  expect(attribute(link!.parentNode as typeof link & {}, 'id')).toBe('share');
});

it('a page is signed with its name and host, which lead to the home page', () => {
  const plate = renderPage({})
    .findAll('a')
    .find((link) => attribute(link, 'class') === 'plate');
  expect([readText(plate!), attribute(plate!, 'href')]).toEqual([
    '@jane-doe · example.org',
    'https://example.org/',
  ]);
});
