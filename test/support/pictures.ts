import sharp from 'sharp';
import { type Reply, call } from './call.ts';
import type { TestAccount, TestApp } from './test-app.ts';

interface Drawn {
  width?: number;
  height?: number;
  colour?: string;
}

/** A picture in one colour. */
export function drawn({ width = 600, height = 400, colour = '#c0392b' }: Drawn = {}) {
  return sharp({ create: { width, height, channels: 3, background: colour } });
}

/** Uploads a file for an account. */
export function upload(
  { app }: Pick<TestApp, 'app'>,
  { key }: Pick<TestAccount, 'key'>,
  payload: Buffer | undefined,
  type = 'image/jpeg',
): Promise<Reply> {
  return call(app, {
    method: 'POST',
    path: '/owner/pictures/upload',
    key,
    payload,
    headers: { 'content-type': type },
  });
}

/** A picture of an account: its id and its address. */
export async function addPicture(
  server: Pick<TestApp, 'app'>,
  account: Pick<TestAccount, 'key'>,
  picture: Drawn = {},
): Promise<{ id: string; url: string; bytes: number }> {
  const { body } = await upload(server, account, await drawn(picture).jpeg().toBuffer());
  return (body as { picture: { id: string; url: string; bytes: number } }).picture;
}
