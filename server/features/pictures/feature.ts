import type { ReadDatabase } from '#db/connections/handles.ts';
import { findPictureFiles, listPictures, pictureKey } from '#db/queries/pictures.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { pictureRoutes, uploadRoutes } from './owner-routes.ts';
import { sweepPictures } from './sweep-pictures.ts';

export const pictures = defineFeature({
  name: 'pictures',
  routes: { owner: { pictures: pictureRoutes }, upload: { pictures: uploadRoutes } },
  deletesByAge: ({ db }: Pick<Core, 'db'>) => sweepPictures(db),
  accountTables: { pictures: 'exported' },
  exportFiles: async (db, { accountId }) => {
    const stored = await listPictures(db, accountId);
    return [
      jsonFile('pictures.json', 'The pictures, newest first.', async () => stored),
      ...stored.map(({ id }) => ({
        name: `pictures/${id}.webp`,
        description: 'A picture at its largest size.',
        read: () => readPicture(db, id),
      })),
    ];
  },
});

/** Yields nothing if the picture was deleted after the export started. */
async function* readPicture(db: ReadDatabase, id: string): AsyncGenerator<Buffer> {
  const key = pictureKey(id, 1_200);
  const file = (await findPictureFiles(db, [key])).get(key);
  if (file) yield file;
}
