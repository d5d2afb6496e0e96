import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterEach, expect, test } from "vitest";
import type { Storage } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createStorage } from "#infra/files/index.ts";
import { createIds } from "#infra/ids.ts";
import { startObjectStore, storeKeys } from "#testkit/object-store.ts";
import { recordingLog } from "#testkit/silence.ts";
import { describeApps } from "#testkit/suite.ts";
import { filesApi } from "./files.api.ts";
import { FilesCleaner } from "./files.clean.service.ts";

const ids = createIds(systemClock);
const orphan = `avatars/202611/${ids.next()}`;
const ownKeys = [orphan, `${orphan}-t`, `logos/202610/${ids.next()}`, `probe/${ids.next()}-3`];
const foreignKeys = [
  ...["foreign.txt", "Thumbs .db", "rollcall.db", "backups/rollcall-2026-11-20.tar.gz", "backups/db/a.sql", "photos/202610/cat"],
  ...["avatars/notes.txt", "avatars/202611/cat", `avatars/2026/${ids.next()}`, `unknown/202611/${ids.next()}`, "probe/mine"],
];

interface Backend {
  readonly storage: Storage;
  put(key: string): Promise<void>;
  keys(): Promise<string[]>;
}

describeApps("a sweep of a storage that is shared", (get) => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  const open = (type: Storage["kind"], folder: string, endpoint: string | null): Storage => {
    const objectstore = { ...storeKeys, endpoint, region: "us-east-1", prefix: null, retries: 0 };
    const settings = { type, filesystem: { path: folder, prefix: null }, objectstore };
    const storage = createStorage(settings, { clock: systemClock, ids });
    ends.push(async () => await storage.close());
    return storage;
  };

  const backends: Record<Storage["kind"], () => Promise<Backend>> = {
    async filesystem() {
      const folder = mkdtempSync(path.join(tmpdir(), "rollcall-shared-"));
      ends.push(async () => rmSync(folder, { recursive: true }));
      return {
        storage: open("filesystem", folder, null),
        async put(key) {
          mkdirSync(path.dirname(path.join(folder, key)), { recursive: true });
          writeFileSync(path.join(folder, key), key);
        },
        async keys() {
          const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
          return found.map((one) => path.relative(folder, path.join(one.parentPath, one.name)));
        },
      };
    },
    async objectstore() {
      const store = await startObjectStore();
      ends.push(async () => await store.close());
      const { bucketName: Bucket, accessKeyID, secretAccessKey } = storeKeys;
      const credentials = { accessKeyId: accessKeyID, secretAccessKey };
      const client = new S3Client({ endpoint: store.endpoint, region: "us-east-1", forcePathStyle: true, credentials });
      ends.push(async () => client.destroy());
      return {
        storage: open("objectstore", "", store.endpoint),
        put: async (Key) => void (await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }))),
        keys: async () => ((await client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key = "" }) => Key),
      };
    },
  };

  test.each(["filesystem", "objectstore"] as const)(
    "(%s) removes only objects of Rollcall, and logs the others once",
    async (kind) => {
      const { storage, put, keys } = await backends[kind]();
      for (const key of [...ownKeys, ...foreignKeys]) await put(key);
      const { ports } = get().app.process.container;
      const log = recordingLog();
      const later = { ...systemClock, now: () => Date.now() + 3 * 24 * 60 * 60_000 };
      const { own } = get().app.process.assembly.api(filesApi);
      const cleaner = new FilesCleaner({ ...ports, own, storage, log, clock: later });
      await cleaner.sweep(new AbortController().signal);
      expect((await keys()).toSorted()).toEqual(foreignKeys.toSorted());
      const logged = log.lines.filter(({ fields }) => "foreign" in fields);
      const first = "Thumbs .db, avatars/2026/, avatars/202611/cat, avatars/notes.txt, backups/ and 5 more";
      expect(logged).toEqual([
        {
          level: "info",
          fields: { foreign: 10 },
          message: `kept objects in the storage that Rollcall did not create: ${first}`,
        },
      ]);
      expect(log.lines.filter(({ fields }) => "removed" in fields)).toMatchObject([{ fields: { removed: 4 } }]);
    },
  );
});
