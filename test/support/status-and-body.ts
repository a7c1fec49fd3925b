import { APIError, type APIPromise } from '#client/index.ts';

/** Awaits an SDK call and returns the response's status and body, even if it is an error. */
export async function statusAndBody(
  call: APIPromise<unknown>,
): Promise<{ status: number; body: unknown }> {
  try {
    const { status, data } = await call.withResponse();
    return { status, body: data };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return { status: error.status, body: { error: error.message } };
  }
}
