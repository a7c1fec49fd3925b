/** Converts the domain as Chromium's email fields do: `münchen.de` becomes `xn--mnchen-3ya.de`. */
export function withAsciiDomain(email: string): string {
  const start = email.lastIndexOf('@') + 1;
  const domain = email.slice(start);
  const isInternational = /[^!-~]/.test(domain) && /^[\p{L}\p{M}\p{N}.。-]+$/u.test(domain);
  const host = isInternational ? URL.parse(`http://${domain}`)?.hostname : domain;
  return email.slice(0, start) + (host ?? domain);
}

/** Mail servers refuse such addresses, unless they and all on the way know RFC 6531. */
export function hasInternationalLocalPart(email: string): boolean {
  const [localPart = '', domain] = email.split('@');
  return domain !== undefined && /[\u0080-\u{10FFFF}]/u.test(localPart);
}
