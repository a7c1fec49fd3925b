/** A response with this status and this sentence, for `toMatchObject` or `toEqual`. */
export const errorText = (status: number, error: unknown) => ({ status, body: { error } });

export const errorCode = (status: number, code: string) => ({
  status,
  headers: { 'x-error-code': code },
});

/** A successful response with this body, for `toMatchObject` or `toEqual`. */
export const okBody = <Body>(body: Body) => ({ status: 200, body });
