/** Breaks before the host and after dots and hyphens, not within a word. */
export function EmailText({ email }: { email: string }) {
  return email
    .split(/(?=@)|(?<=[.-])/)
    .flatMap((part, index) => (index > 0 ? [<wbr />, part] : [part]));
}
