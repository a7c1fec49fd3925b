/** A single sign-on that came to nothing. Its code alone says why: other errors may hold secrets. */
export class SignOnError extends Error {
  override readonly name = 'SignOnError';
  /** Whether the provider gave no usable answer, or one that lets nobody in. */
  readonly kind: 'unavailable' | 'refused';
  readonly code: string;

  constructor(kind: 'unavailable' | 'refused', code: string) {
    super(`the single sign-on failed: ${code}`);
    this.kind = kind;
    this.code = code;
  }
}
