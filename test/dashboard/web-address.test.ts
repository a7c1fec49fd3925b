import { expect, it } from 'vitest';
import {
  isFediverseProfile,
  withScheme,
  withoutDoubledScheme,
} from '#dashboard/screens/page/web-address.ts';

it.each([
  ['https://https://mira.example/shop', 'https://mira.example/shop'],
  ['https://http://mira.example', 'http://mira.example'],
  ['https://https://https://mira.example', 'https://mira.example'],
  ['https://mailto:mira@mira.example', 'mailto:mira@mira.example'],
  ['https://geo:38.7,-9.1', 'geo:38.7,-9.1'],
  [' https://mira.example/https://x', ' https://mira.example/https://x'],
  ['https://archive.example/http://x', 'https://archive.example/http://x'],
])('a URL pasted after a default scheme keeps only its own scheme: %s', (input, expected) => {
  expect(withoutDoubledScheme(input)).toBe(expected);
});

it.each([
  ['mira.example/shop', 'https://mira.example/shop'],
  [' mira.example ', 'https://mira.example'],
  ['//mira.example', 'https://mira.example'],
  ['mira.example:8080/a', 'https://mira.example:8080/a'],
  ['localhost:3000', 'https://localhost:3000'],
  ['mira@mira.example', 'mailto:mira@mira.example'],
  ['http://mira.example', 'http://mira.example'],
  ['tel:12345', 'tel:12345'],
  ['geo:38.7223,-9.1393', 'geo:38.7223,-9.1393'],
  ['xmpp:mira@mira.example', 'xmpp:mira@mira.example'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['nowhere', 'nowhere'],
  ['two words.example', 'two words.example'],
  ['', ''],
])('a URL without a scheme gets one on blur: %j', (input, expected) => {
  expect(withScheme(input)).toBe(expected);
});

it.each([
  ['https://mastodon.social/@jane', true],
  ['club.example/@jane/', true],
  ['https://club.example/users/jane', true],
  ['https://youtube.com/@jane', false],
  ['https://club.example/@jane/1', false],
  ['mailto:jane@club.example', false],
  ['', false],
])('whether %s is a profile of the fediverse: %s', (address, expected) => {
  expect(isFediverseProfile(address)).toBe(expected);
});
