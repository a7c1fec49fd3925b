import { expect, it } from 'vitest';
import {
  toBrowsableOrigin,
  describeListeningAddress,
} from '#server/platform/settings/listening-address.ts';

const ALL_INTERFACES = ' and all other addresses of this machine,';

it.each([
  ['127.0.0.1', 'IPv4', 'http://127.0.0.1:3000', ''],
  ['192.0.2.7', 'IPv4', 'http://192.0.2.7:3000', ''],
  ['::1', 'IPv6', 'http://[::1]:3000', ''],
  ['0.0.0.0', 'IPv4', 'http://127.0.0.1:3000', ALL_INTERFACES],
  ['::', 'IPv6', 'http://localhost:3000', ALL_INTERFACES],
])(
  'a server that listens on %s prints a usable address, and says whether it listens on all interfaces',
  (host, family, address, otherAddressesNote) => {
    expect(describeListeningAddress({ address: host, family, port: 3000 })).toEqual({
      address,
      otherAddressesNote,
    });
  },
);

it.each([
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://localhost:3000'],
  ['http://127.0.0.1', 'http://localhost'],
  ['http://127.0.0.12:3000', 'http://127.0.0.12:3000'],
  ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ['https://names.example.org', 'https://names.example.org'],
])('links for %s begin with %s', (address, link) => {
  expect(toBrowsableOrigin(address)).toBe(link);
});
