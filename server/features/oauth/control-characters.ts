/** PostgreSQL cannot store NUL, and no OAuth parameter needs another one. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

export function hasInvalidParam(params: URLSearchParams): boolean {
  return [...params].flat().some(hasControlCharacter);
}
