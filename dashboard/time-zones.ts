const browserTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Browsers report `Etc/Unknown`, an offset or nothing if they do not know the zone. */
export const isTimeZoneUnknown = !/^(?!Etc\/Unknown$)[a-z]/i.test(browserTimeZone ?? '');
export const timeZone = isTimeZoneUnknown ? 'UTC' : browserTimeZone;

/** All time zones, and the selected one in case the browser does not know it. */
export function timeZoneOptions(selected: string): (readonly [string, string])[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), selected]);
  return [...zones].map((zone) => [zone, zone.replaceAll('_', ' ')] as const);
}
