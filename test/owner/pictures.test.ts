import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { otherKind } from '#client/index.ts';
import { type UploadPictureResponse } from '#client/owner.ts';
import { sweepPictures } from '#server/features/pictures/sweep-pictures.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode, errorText } from '../support/expected-responses.ts';
import { addPicture, createImage, uploadPicture } from '../support/pictures.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });

async function readStored(url: string, size: number): Promise<Buffer> {
  const path = new URL(url).pathname.replace('1200.webp', `${size}.webp`);
  await makePageVisible();
  const { rawPayload, statusCode } = await server.app.inject({ url: path });
  expect(statusCode).toBe(200);
  return rawPayload;
}

async function readMetadata(url: string) {
  return sharp(await readStored(url, 1_200)).metadata();
}

async function makePageVisible(): Promise<void> {
  const { enabled } = await account.client.site.getSiteStatus();
  if (enabled) return;
  await account.client.account.updateDisplayName({ display_name: 'potter' });
  await account.client.site.toggleSiteVisibility();
}

it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
  'a file of the type %s becomes WebP in three sizes',
  async (format) => {
    const file = await createImage({ width: 1_800, height: 900 }).toFormat(format).toBuffer();
    const { status, body } = await uploadPicture(server, account, file, `image/${format}`);
    expect(status).toBe(200);
    const { picture } = body as UploadPictureResponse;
    expect(picture).toMatchObject({ width: 1_200, height: 600 });
    for (const [size, height] of [
      [96, 48],
      [512, 256],
      [1_200, 600],
    ] as const)
      expect(await sharp(await readStored(picture.url, size)).metadata()).toMatchObject({
        format: 'webp',
        width: size,
        height,
      });
  },
);

it('a picture is never enlarged', async () => {
  const { id, url } = await addPicture(server, account, { width: 60, height: 30 });
  expect(id).toMatch(/-60x30$/);
  expect(await readMetadata(url)).toMatchObject({ width: 60, height: 30 });
});

it('a high picture keeps its width, so that its text can be read', async () => {
  const { id, url } = await addPicture(server, account, { width: 300, height: 9_000 });
  expect(id).toMatch(/-300x9000$/);
  expect(await readMetadata(url)).toMatchObject({ width: 300, height: 9_000 });
});

it('a picture is rotated upright, and its EXIF data is removed', async () => {
  const file = await createImage({ width: 40, height: 20 })
    .jpeg()
    .withExif({ IFD0: { Make: 'Camera', Copyright: 'Jane Doe' }, IFD3: { GPSLatitude: '38/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const { body } = await uploadPicture(server, account, file);
  const { picture } = body as UploadPictureResponse;
  expect(picture).toMatchObject({ width: 20, height: 40 });
  const { exif, xmp, icc, orientation } = await readMetadata(picture.url);
  expect([exif, xmp, icc, orientation]).toEqual(Array(4).fill(undefined));
});

it('a JPEG without its end marker is complete, one without more is damaged', async () => {
  const file = await createNoise('jpeg');
  expect((await uploadPicture(server, account, file.subarray(0, -2))).status).toBe(200);
  for (const missing of [40, file.length / 2])
    expect(await uploadPicture(server, account, file.subarray(0, -missing))).toMatchObject(
      errorCode(400, 'pictureDamaged'),
    );
});

it('uploading the same file again returns the same picture', async () => {
  const file = await createImage({ color: '#123456' }).png().toBuffer();
  const upload = async (owner: TestAccount) =>
    ((await uploadPicture(server, owner, file)).body as UploadPictureResponse).picture;
  const first = await upload(account);
  expect(await upload(account)).toEqual(first);
  expect((await upload(await server.createAccount())).id).not.toBe(first.id);
});

it('the SDK uploads, lists and deletes pictures', async () => {
  const { pictures } = (await server.createAccount()).owner;
  const bytes = await createImage().jpeg().toBuffer();
  const { picture } = await pictures.uploadPicture(bytes);
  expect(await pictures.uploadPicture(new File([bytes], 'picture.jpg'))).toEqual({
    picture,
    animated: false,
  });
  const { bytes: size } = picture;
  expect(await pictures.listPictures()).toEqual({ pictures: [picture], bytes: size, limit: null });
  await pictures.deletePicture({ picture_id: picture.id });
  expect(await pictures.listPictures()).toMatchObject({ pictures: [], bytes: 0 });
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const ONE_BIT_GREY = [1, 0, 0, 0, 0];
const INTERLACED_16_BIT_RGBA = [16, 6, 0, 0, 1];
const createPng = (width: number, height: number, rows: Buffer, header = ONE_BIT_GREY) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    createChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from(header)])),
    createChunk('IDAT', deflateSync(rows)),
    createChunk('IEND', Buffer.alloc(0)),
  ]);

function createChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function createGif(frames: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
  const frame = Buffer.from('21f90404000000002c0000000001000100000202440100', 'hex');
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')]);
}

type HostileFile = [title: string, make: () => Buffer | Promise<Buffer>, code: string];
const WRONG_TYPE = 'pictureTypeUnsupported';
const DAMAGED = 'pictureDamaged';
const TOO_LARGE = 'pictureHasTooManyPixels';
const TOO_COMPLEX = 'pictureTooComplex';
const HOSTILE_FILES: HostileFile[] = [
  ['nothing', () => Buffer.alloc(0), 'pictureEmpty'],
  ['a text', () => Buffer.from('hello'), WRONG_TYPE],
  ['an SVG with a script', () => Buffer.from(SVG), WRONG_TYPE],
  ['a TIFF', () => createImage().tiff().toBuffer(), WRONG_TYPE],
  [
    'a HEIC photo',
    () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat'),
    'pictureIsHeic',
  ],
  ['the head of a JPEG', () => Buffer.from('ffd8ffe000104a464946', 'hex'), DAMAGED],
  ...(['jpeg', 'png', 'webp'] as const).map((format): HostileFile => [
    `half a ${format}`,
    async () => {
      const file = await createNoise(format);
      return file.subarray(0, file.length / 2);
    },
    DAMAGED,
  ]),
  [
    'a small file of very many pixels',
    () => createPng(60_000, 60_000, Buffer.alloc(100)),
    TOO_LARGE,
  ],
  ['an AVIF picture of 40 megapixels', () => createDecompressionBomb('8000x5000.avif'), TOO_LARGE],
  [
    'an AVIF picture that takes 490 MB to decode',
    () => createDecompressionBomb('4000x4000.avif'),
    TOO_COMPLEX,
  ],
  [
    'a picture that takes 320 MB when decoded',
    () => createPng(8_000, 5_000, Buffer.alloc(100), INTERLACED_16_BIT_RGBA),
    TOO_COMPLEX,
  ],
  ['a row of 40,000,000 pixels', () => createRowPng(40_000_000), TOO_LARGE],
  [
    'a column of 40,000,000 pixels',
    () => createPng(1, 40_000_000, Buffer.alloc(80_000_000)),
    TOO_LARGE,
  ],
  [
    'an interlaced PNG without most of its pixels',
    () => createPng(80, 50, Buffer.alloc(100), INTERLACED_16_BIT_RGBA),
    DAMAGED,
  ],
  [
    'half an AVIF picture',
    async () => (await createImage().avif({ effort: 0 }).toBuffer()).subarray(0, 300),
    DAMAGED,
  ],
];

/**
 * Reads a single-colored, 12-bit AVIF file with transparency, made with sharp. Appends a counter,
 * because the server remembers files that it has refused.
 */
async function createDecompressionBomb(name: '8000x5000.avif' | '4000x4000.avif'): Promise<Buffer> {
  const file = await readFile(new URL(`support/${name}`, import.meta.url));
  bombs += 1;
  return Buffer.concat([file, uint32(12), Buffer.from('free'), uint32(bombs)]);
}
let bombs = 0;

function createRowPng(pixels: number): Buffer {
  return createPng(pixels, 1, Buffer.alloc(1 + pixels / 8));
}

function createNoise(format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width: 200, height: 200, channels: 3, background: '#888', noise } as const;
  return sharp({ create }).toFormat(format).toBuffer();
}

it.each(HOSTILE_FILES)(
  '%s is refused, the next picture stored',
  async (_title, createFile, code) => {
    const { status, headers } = await uploadPicture(server, account, await createFile());
    const expected = [WRONG_TYPE, 'pictureIsHeic'].includes(code) ? 415 : 400;
    expect([status, headers['x-error-code']]).toEqual([expected, code]);
    const next = await createImage().jpeg().toBuffer();
    expect((await uploadPicture(server, account, next)).status).toBe(200);
  },
);

const decoders: ChildProcess[] = [];
const recordDecoder = (message: unknown) =>
  void decoders.push((message as { process: ChildProcess }).process);
subscribe('child_process', recordDecoder);
afterAll(() => unsubscribe('child_process', recordDecoder));

it.runIf(process.platform === 'linux')(
  'refused pictures use little memory, in a child process with the highest OOM score',
  async () => {
    for (const file of [await createDecompressionBomb('8000x5000.avif'), createRowPng(39_000_000)])
      expect((await uploadPicture(server, account, file)).status).toBe(400);
    const folder = `/proc/${decoders.at(-1)!.pid}`;
    const memory = await readFile(`${folder}/status`, 'utf8');
    const [, peakKilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(memory)!;
    expect(Number(peakKilobytes)).toBeLessThan(450_000);
    expect(await readFile(`${folder}/oom_score_adj`, 'utf8')).toBe('1000\n');
  },
);

it('a file that needed too much memory is not decoded again for any account', async () => {
  const file = await createDecompressionBomb('4000x4000.avif');
  expect((await uploadPicture(server, account, file)).headers['x-error-code']).toBe(
    'pictureTooComplex',
  );
  const count = decoders.length;
  const secondResponse = await uploadPicture(server, await server.createAccount(), file);
  expect(secondResponse.headers['x-error-code']).toBe('pictureTooComplex');
  expect(decoders.length).toBe(count);
});

it('refused files do not stay in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heldBytes = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = heldBytes();
  for (const fill of [1, 2, 3, 4])
    expect((await uploadPicture(server, account, Buffer.alloc(10_000_000, fill))).status).toBe(415);
  // The last body may still be on its way to the decoder.
  await eventually(heldBytes, (bytes) => bytes - before < 20_000_000);
});

describe('a public server', () => {
  const { server: limitedServer } = useServer({ allowances: { uploadsPerHour: 7 } });

  it('a public server limits uploads per account and hour; a refused file counts as five', async () => {
    const stranger = await limitedServer.createAccount();
    const [first, second, third] = (await Promise.all(
      ['#000001', '#000002', '#000003'].map((color) => createImage({ color }).png().toBuffer()),
    )) as [Buffer, Buffer, Buffer];
    const upload = (file: Buffer) => uploadPicture(limitedServer, stranger, file);
    expect((await upload(first)).status).toBe(200);
    expect((await upload(Buffer.from('no picture, never sent before'))).status).toBe(415);
    expect((await upload(second)).status).toBe(200);
    const refused = await upload(third);
    const error = /^You have uploaded too many pictures\. Try again in \d+ minutes\.$/;
    expect(refused).toMatchObject(errorText(429, expect.stringMatching(error)));
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    // A file that is already stored is not decoded again.
    expect((await upload(first)).status).toBe(200);
    const other = await limitedServer.createAccount();
    expect((await uploadPicture(limitedServer, other, third)).status).toBe(200);
  });
});

it('a file of more than 10 MiB is refused', async () => {
  const { status, headers } = await uploadPicture(server, account, Buffer.alloc(10_485_761));
  expect([status, headers['x-error-code']]).toEqual([413, 'pictureTooLarge']);
  expect((await uploadPicture(server, account, Buffer.alloc(10_485_760))).status).toBe(415);
});

it.each(['application/json', 'text/html', 'multipart/form-data; boundary=x'])(
  'a body that is declared as %s is refused',
  async (type) => {
    const file = await createImage().jpeg().toBuffer();
    expect(await uploadPicture(server, account, file, type)).toMatchObject(
      errorCode(415, 'pictureTypeUnsupported'),
    );
  },
);

it('only the picture in a polyglot file is stored', async () => {
  const jpeg = await createImage({ color: '#abcdef' }).jpeg().toBuffer();
  const polyglot = Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004<script>alert(1)</script>')]);
  const { body } = await uploadPicture(server, account, polyglot);
  for (const size of [96, 512, 1_200])
    expect(
      String(await readStored((body as UploadPictureResponse).picture.url, size)),
    ).not.toContain('script');
});

it('a PNG is not unpacked beyond its declared size', async () => {
  const file = createPng(100, 100, Buffer.alloc(30_000_000));
  const { body } = await uploadPicture(server, account, file, 'image/png');
  expect((body as UploadPictureResponse).picture).toMatchObject({ width: 100, height: 100 });
});

it("only the first of an animation's 10,000 frames is kept, and the response says so", async () => {
  const { status, body } = await uploadPicture(server, account, createGif(10_000), 'image/gif');
  expect([status, body]).toMatchObject([200, { animated: true }]);
  const {
    width,
    height,
    pages = 1,
  } = await readMetadata((body as UploadPictureResponse).picture.url);
  expect([width, height, pages]).toEqual([1, 1, 1]);
  const frames = Buffer.concat([Buffer.alloc(12, 1), Buffer.alloc(12, 200)]);
  const raw = { width: 2, height: 4, channels: 3, pageHeight: 2 } as const;
  const webp = await sharp(frames, { raw })
    .webp({ delay: [100, 100] })
    .toBuffer();
  for (const [file, animated] of [
    [webp, true],
    [createGif(1), false],
    [await createImage().png().toBuffer(), false],
  ] as const)
    expect((await uploadPicture(server, account, file)).body).toMatchObject({ animated });
});

it('unused pictures are deleted after 30 days', async () => {
  const owner = await server.createAccount();
  const names = ['unused', 'avatar', 'block', 'earlier', 'recent'] as const;
  const all = {} as Record<(typeof names)[number], { id: string; url: string }>;
  for (const [index, name] of names.entries())
    all[name] = await addPicture(server, owner, { width: 50 + index });
  await owner.client.site.updateSiteConfiguration({ avatar_url: all.earlier.url });
  await owner.client.site.updateSiteConfiguration({
    avatar_url: all.avatar.url,
    blocks: [{ type: otherKind('album'), items: [{ deep: { picture: all.block.url } }] }],
  });
  await server.sql`UPDATE pictures SET used_at = now() - interval '31 days'
    WHERE id <> ${all.recent.id} AND account_id = ${owner.id}`;
  await sweepPictures(server.db);
  const { pictures } = await owner.owner.pictures.listPictures();
  const remainingIds = pictures.map(({ id: picture_id }) => picture_id).toSorted();
  const expectedIds = [all.avatar, all.block, all.earlier, all.recent].map(({ id }) => id);
  expect(remainingIds).toEqual(expectedIds.toSorted());
});
