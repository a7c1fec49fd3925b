/** The path of `keys.createKey` is `/owner/keys/create-key`. */
export function ownerPath(name: string): string {
  const path = name.replace('.', '/');
  return `/owner/${path.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
