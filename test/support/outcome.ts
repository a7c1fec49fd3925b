import { APIError, type APIPromise } from '../../client/src/index.ts';

/** Result of a call of the SDK: the status and the body of its answer. */
export async function outcome(
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
