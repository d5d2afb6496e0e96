import { readdirSync } from "node:fs";
import path from "node:path";
import { startObjectStore, storeKeys, type TestObjectStore } from "../../server/src/testkit/object-store.ts";
import { pngBomb, pngNoise } from "../../server/src/testkit/pictures.ts";
import type { Answer, Person } from "./api.ts";
import type { Settings } from "./settings.ts";

export { pngBomb, pngNoise, startObjectStore, storeKeys, type TestObjectStore };

/** A small valid picture. */
export const samplePicture = async (): Promise<Buffer> => await pngBomb(64, 64);

/** Uploads a file over real HTTP; `to` is a kind and an owner, or `new` and a kind. */
export async function uploadTo(base: string, who: Person, to: string, bytes: Uint8Array, name: string): Promise<Answer> {
  const response = await fetch(`${base}/api/files/${to}?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "x-rollcall": "1", authorization: `Bearer ${who.token}`, "content-type": "application/octet-stream" },
    body: new Uint8Array(bytes),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}

/** Uploads an avatar over real HTTP. */
export async function uploadAvatar(base: string, who: Person, bytes: Uint8Array, name = "me.png"): Promise<Answer> {
  return await uploadTo(base, who, `citizens.avatar/${who.characterId}`, bytes, name);
}

/** Settings of a program that stores in this object store. */
export const storedIn = (store: Pick<TestObjectStore, "endpoint">, more: Settings = {}): Settings => ({
  "storage.type": "objectstore",
  "storage.objectstore.endpoint": store.endpoint,
  "storage.objectstore.useSSL": false,
  "storage.objectstore.accessKeyID": storeKeys.accessKeyID,
  "storage.objectstore.secretAccessKey": storeKeys.secretAccessKey,
  "storage.objectstore.bucketName": storeKeys.bucketName,
  ...more,
});

/** The last segment of a storage key, in the form that the program creates. */
export const fileName = (n: number): string => `01KA7Q${String(n).padStart(20, "0")}`;

/** Every file below a folder, relative to it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
    .sort();
}
