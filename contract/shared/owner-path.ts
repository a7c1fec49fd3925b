/** The path of `keys.createKey` is `/owner/keys/create-key`. */
export function ownerPath(name: string): string {
  const path = name.replace('.', '/');
  return `/owner/${path.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The inverse of `ownerPath`. Undefined if the path does not begin with `/owner/`. */
export function operationOf(path: string): string | undefined {
  const [, name] = /^\/owner\/(.+)/.exec(path) ?? [];
  return name
    ?.replace('/', '.')
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
