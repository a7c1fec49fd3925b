import ipaddr from 'ipaddr.js';

/** All IPv6 addresses that anybody has been given so far. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether an address may be connected to: a public one, or this machine's if the operator listed it. */
export function isAllowedAddress(text: string, loopbackAllowed: boolean): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  if (range === 'loopback') return loopbackAllowed;
  return range === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6));
}
