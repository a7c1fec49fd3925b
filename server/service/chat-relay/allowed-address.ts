import ipaddr from 'ipaddr.js';

/** Whether an address may be connected to: a public one, or this machine's if the operator listed it. */
export function isAllowedAddress(address: string, loopbackAllowed: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === 'unicast' || (loopbackAllowed && range === 'loopback');
}
