import { BRAND_ICONS, type BrandIcon, hostsOf, type IconName } from '#contract/shared/icons.ts';

const SERVICE_BY_HOST = new Map(
  (Object.keys(BRAND_ICONS) as BrandIcon[]).flatMap((service) =>
    hostsOf(service).map((host) => [host, service] as const),
  ),
);

const CONTACT_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['mailto:', 'mail'],
  ['tel:', 'phone'],
  ['sms:', 'message-circle'],
  ['xmpp:', 'message-circle'],
  ['matrix:', 'matrix'],
  ['geo:', 'map-pin'],
]);

/**
 * Returns a brand icon for known services, or a generic one for contact and `/@user` URLs.
 */
export function serviceIcon(target: string): IconName | undefined {
  const { protocol, hostname, pathname } = new URL(target);
  const contactIcon = CONTACT_ICONS.get(protocol);
  if (contactIcon) return contactIcon;
  const [, firstSegment = ''] = pathname.split('/');
  // Stop before the top-level domain.
  for (let host = hostname; host.includes('.'); host = host.slice(host.indexOf('.') + 1)) {
    const name = SERVICE_BY_HOST.get(`${host}/${firstSegment}`) ?? SERVICE_BY_HOST.get(host);
    if (name) return name;
  }
  return /^\/@[\w.-]+(?:@[\w.-]+)?\/?$/.test(pathname) ? 'at-sign' : undefined;
}

export function serviceName(target: string): string | undefined {
  return BRAND_ICONS[serviceIcon(target) as BrandIcon];
}

/** Does not match subdomains. */
export function isServiceHost(service: BrandIcon, host: string): boolean {
  return hostsOf(service).includes(host);
}
