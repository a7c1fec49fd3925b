import sharp from 'sharp';
import { type TestResponse, call } from './call.ts';
import type { TestAccount, TestApp } from './test-app.ts';

interface ImageOptions {
  width?: number;
  height?: number;
  color?: string;
}

export function createImage({ width = 600, height = 400, color = '#c0392b' }: ImageOptions = {}) {
  return sharp({ create: { width, height, channels: 3, background: color } });
}

export function uploadPicture(
  { app }: Pick<TestApp, 'app'>,
  { key }: Pick<TestAccount, 'key'>,
  payload: Buffer | undefined,
  type = 'image/jpeg',
): Promise<TestResponse> {
  return call(app, {
    method: 'POST',
    path: '/owner/pictures/upload-picture',
    key,
    payload,
    headers: { 'content-type': type },
  });
}

/** Uploads a generated image. */
export async function addPicture(
  server: Pick<TestApp, 'app'>,
  account: Pick<TestAccount, 'key'>,
  picture: ImageOptions = {},
): Promise<{ id: string; url: string; bytes: number }> {
  const { body } = await uploadPicture(
    server,
    account,
    await createImage(picture).jpeg().toBuffer(),
  );
  return (body as { picture: { id: string; url: string; bytes: number } }).picture;
}
