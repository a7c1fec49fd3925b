/** The settings are the first enabled block of type `page`. Returns -1 if there are none. */
export function findPageSettingsIndex(
  blocks: readonly { type: string; enabled: boolean }[],
): number {
  return blocks.findIndex(({ type, enabled }) => type === 'page' && enabled);
}
