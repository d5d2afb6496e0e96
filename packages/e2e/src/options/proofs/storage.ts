import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { call } from "@rollcall/testkit/api.ts";
import type { Instance } from "@rollcall/testkit/program.ts";
import type { Settings } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";
import {
  filesBelow,
  samplePicture,
  startObjectStore,
  storedIn,
  storeKeys,
  type TestObjectStore,
  uploadAvatar,
} from "@rollcall/testkit/uploads.ts";
import {
  type OptionProof,
  player,
  type ProofKit,
  type Running,
  type SharedProof,
  type SingleProof,
  type Stage,
} from "../proof.ts";

async function storeFor(scope: Pick<ProofKit, "defer">): Promise<TestObjectStore> {
  const store = await startObjectStore();
  scope.defer(async () => await store.close());
  return store;
}

/** Uploads a picture as a new person. */
async function uploaded({ instance, url }: Running): Promise<void> {
  const who = await player(instance, `uploader${Math.trunc(performance.now())}`);
  const { status, text } = await uploadAvatar(url, who, await samplePicture());
  assert.equal(status, 200, text);
}

/** Uploads a picture in a shared program. */
const upload = async (stage: Stage, username = "uploader") =>
  await uploadAvatar(stage.url, await stage.person(username), await samplePicture());

/** Paths of the stored objects, without those of the storage check. */
const puts = (store: TestObjectStore) =>
  store.requests.filter((line) => line.startsWith("PUT ") && !line.includes("/probe/")).map((line) => line.slice(4));

/** The storage's part of `/readyz`, once it has `state`. */
async function storageIs(instance: Instance, state: string): Promise<string> {
  const part = await until(`the storage is ${state}`, async () => {
    const { body } = await call(instance.adminUrl, "/readyz");
    return body.parts.find((one: { part: string; state: string }) => one.part === "storage" && one.state === state);
  });
  return String(part.reason);
}

interface Stores {
  readonly one: TestObjectStore;
  readonly other: TestObjectStore;
  /** What an upload put into each. */
  put(): Promise<{ readonly one: string[]; readonly other: string[] }>;
}

const endpoint = "storage.objectstore.endpoint";
const bare = (store: TestObjectStore) => store.endpoint.replace("http://", "");

/** The two object stores that the options of the group share. */
async function storesOf(stage: Stage): Promise<Stores> {
  const [one, other] = await stage.once("stores", async () => [await storeFor(stage), await storeFor(stage)] as const);
  return {
    one,
    other,
    async put() {
      for (const store of [one, other]) store.forget();
      const { status, text } = await upload(stage);
      assert.equal(status, 200, text);
      return { one: puts(one), other: puts(other) };
    },
  };
}

const proof = (
  option: string,
  [value, observed]: readonly [string, string],
  [other, seen]: readonly [string, string],
  run: SingleProof["run"],
): OptionProof => ({
  option: `storage.${option}`,
  first: { value, observed },
  second: { value: other, observed: seen },
  run,
});

const shared = (
  group: string,
  option: string,
  [value, observed]: readonly [string, string],
  [other, seen]: readonly [string, string],
  play: SharedProof["play"],
): OptionProof => ({
  option: `storage.${option}`,
  first: { value, observed },
  second: { value: other, observed: seen },
  group,
  play,
});

/** An option of the object store, in a program that has one from its first start. */
const inStore = (
  option: string,
  first: readonly [string, string],
  second: readonly [string, string],
  settings: (stores: Stores) => readonly [Settings, Settings],
  observe: (stores: Stores, value: number, stage: Stage) => Promise<void>,
): OptionProof =>
  shared("store", `objectstore.${option}`, first, second, async (stage) => {
    const stores = await storesOf(stage);
    return {
      settings: settings(stores),
      async observe(value) {
        if (!isDegraded(stage)) await observe(stores, value, stage);
      },
    };
  });

/** The first value works, the second, set alone, leaves the storage degraded for this reason. */
const worksThenNot = (
  option: string,
  first: readonly [string, string],
  second: readonly [string, string],
  [usual, other]: readonly [unknown, unknown],
  reason: RegExp,
): OptionProof =>
  shared("store", `objectstore.${option}`, first, second, async (stage) => {
    const stores = await storesOf(stage);
    return {
      alone: true,
      settings: [
        { [`storage.objectstore.${option}`]: usual },
        { [endpoint]: bare(stores.one), [`storage.objectstore.${option}`]: other },
      ],
      async observe(value) {
        if (value === 1) assert.match(await storageIs(stage.instance, "degraded"), reason);
        else if (!isDegraded(stage)) await stores.put();
      },
    };
  });

/** Whether one of the options that make the storage fail has its second value in this start. */
const isDegraded = ({ settings }: Stage) =>
  settings["storage.objectstore.useSSL"] === true ||
  settings["storage.objectstore.accessKeyID"] !== storeKeys.accessKeyID ||
  settings["storage.objectstore.secretAccessKey"] !== storeKeys.secretAccessKey;

const metric = async (instance: Instance) =>
  /^rollcall_storage_files\{namespace="avatars"\} 1$/m.test((await call(instance.adminUrl, "/metrics")).text);

/** Files below the folder of uploads, and the new ones of an upload. */
async function filesOfUpload(stage: Stage, username: string): Promise<string[]> {
  const files = () => filesBelow(stage.instance.folder).filter((file) => /\bavatars\//.test(file));
  const before = new Set(files());
  const { status, text } = await upload(stage, username);
  assert.equal(status, 200, text);
  return files().filter((file) => !before.has(file));
}

export const proofs: readonly OptionProof[] = [
  shared(
    "web",
    "type",
    ["filesystem", "an upload lies in the folder"],
    ["objectstore", "it lies in the bucket"],
    async (stage) => {
      const store = await storeFor(stage);
      return {
        alone: true,
        settings: [{}, storedIn(store)],
        async observe(value) {
          store.forget();
          const files = await filesOfUpload(stage, "typist");
          const objects = puts(store);
          if (value === 1) assert.match(objects[0] ?? "", /^\/rollcall\/avatars\/\d{6}\/\w{26}$/);
          else assert.match(files[0] ?? "", /^data\/files\/avatars\/\d{6}\/\w{26}$/);
          assert.deepEqual(value === 1 ? files : store.requests, []);
        },
      };
    },
  ),
  shared("records", "filesystem.path", ["data/files", "an upload lies there"], ["elsewhere", "it lies there"], (stage) => {
    const folders = ["data/files", "elsewhere"];
    mkdirSync(path.join(stage.instance.folder, "elsewhere"));
    return {
      settings: [{}, { "storage.filesystem.path": "elsewhere" }],
      async observe(value) {
        const files = await filesOfUpload(stage, "pathfinder");
        assert.equal(files.length, 2);
        for (const file of files) assert.ok(file.startsWith(`${folders[value]}/`), file);
      },
    };
  }),
  shared(
    "records",
    "filesystem.prefix",
    ["(none)", "an upload lies in avatars/"],
    ["deep/er", "it lies in deep/er/avatars/"],
    (stage) => ({
      settings: [{}, { "storage.filesystem.prefix": "deep/er" }],
      async observe(value) {
        const files = await filesOfUpload(stage, "prefixer");
        assert.equal(files.length, 2);
        const seen = [/^(?:data\/files|elsewhere)\/avatars\//, /^(?:data\/files|elsewhere)\/deep\/er\/avatars\//][value]!;
        for (const file of files) assert.match(file, seen);
      },
    }),
  ),
  inStore(
    "endpoint",
    ["http://127.0.0.1:<one>", "uploads come to that store"],
    ["127.0.0.1:<other>", "they come to the other one, without a scheme too"],
    ({ one, other }) => [
      { "storage.type": "objectstore", [endpoint]: one.endpoint },
      { "storage.type": "objectstore", [endpoint]: bare(other) },
    ],
    async ({ put }, value) => {
      const { one, other } = await put();
      assert.deepEqual([one.length, other.length], value === 0 ? [2, 0] : [0, 2]);
    },
  ),
  inStore(
    "region",
    ["us-east-1", "requests are signed for us-east-1"],
    ["eu-west-9", "they are signed for eu-west-9"],
    () => [{}, { "storage.objectstore.region": "eu-west-9" }],
    async ({ one, other, put }, value) => {
      const used = (await put()).one.length > 0 ? one : other;
      assert.equal(used.region(), ["us-east-1", "eu-west-9"][value]);
    },
  ),
  worksThenNot(
    "accessKeyID",
    ["(the right id)", "uploads work"],
    ["(another)", "the storage is degraded: InvalidAccessKeyId"],
    [storeKeys.accessKeyID, "nobody"],
    /InvalidAccessKeyId/,
  ),
  worksThenNot(
    "secretAccessKey",
    ["(the right secret)", "uploads work"],
    ["(another)", "the storage is degraded: SignatureDoesNotMatch"],
    [storeKeys.secretAccessKey, "another-secret"],
    /SignatureDoesNotMatch/,
  ),
  worksThenNot(
    "useSSL",
    ["false", "a store that speaks plain http is reached at an endpoint without scheme"],
    ["true", "it is not: TLS is spoken to it"],
    [false, true],
    /^https:.*(SSL|EPROTO|wrong version|packet length)/i,
  ),
  inStore(
    "bucketName",
    ["rollcall", "uploads are put into that bucket"],
    ["another", "into the other one"],
    () => [{ "storage.objectstore.bucketName": storeKeys.bucketName }, { "storage.objectstore.bucketName": "another" }],
    async ({ put }, value) => {
      const { one, other } = await put();
      for (const key of [...one, ...other]) assert.match(key, [/^\/rollcall\//, /^\/another\//][value]!);
    },
  ),
  inStore(
    "prefix",
    ["(none)", "keys begin with the namespace"],
    ["up/loads", "with up/loads/ before it"],
    () => [{}, { "storage.objectstore.prefix": "up/loads" }],
    async ({ put }, value) => {
      const { one, other } = await put();
      for (const key of [...one, ...other]) assert.match(key, [/^\/\w+\/avatars\//, /^\/\w+\/up\/loads\/avatars\//][value]!);
    },
  ),
  inStore(
    "retries",
    ["3", "a store that fails twice gets three tries of the same request, and the upload passes"],
    ["0", "it gets one, and the upload is refused with 503"],
    () => [{ "storage.objectstore.retries": 3 }, { "storage.objectstore.retries": 0 }],
    async ({ one, other }, value, stage) => {
      await storageIs(stage.instance, "ok");
      await stage.person("retrier");
      for (const store of [one, other]) {
        store.forget();
        store.failNext(2);
      }
      const { status } = await upload(stage, "retrier");
      for (const store of [one, other]) store.failNext(0);
      assert.equal(status, [200, 503][value]);
      const sent = [...puts(one), ...puts(other)];
      assert.equal(sent.filter((key) => key === sent[0]).length, [3, 1][value]);
    },
  ),
  proof(
    "objectstore.checkOnStartup",
    ["false", "with a store that refuses to delete the server starts, degraded"],
    ["true", "the start is refused in one line that says so"],
    async (kit) => {
      const store = await storeFor(kit);
      store.refuse(/^DELETE/);
      const settings = storedIn(store, { "storage.objectstore.retries": 0 });
      const { instance } = await kit.start(settings);
      assert.match(await storageIs(instance, "degraded"), /cannot delete/);
      for (const [step, pattern] of [
        ["delete", /^DELETE/],
        ["read", /^GET/],
        ["write", /^PUT/],
      ] as const) {
        store.refuse(pattern);
        const refused = kit.launch(await kit.instance({ ...settings, "storage.objectstore.checkOnStartup": true }));
        assert.equal(await refused.exited, 1);
        assert.match(
          refused.stderr(),
          new RegExp(`storage.objectstore.checkOnStartup: ${store.endpoint}: cannot ${step}: .*SlowDown`),
        );
      }
      store.refuse(null);
      await kit.start({ ...settings, "storage.objectstore.checkOnStartup": true });
    },
  ),
  proof(
    "metricsEnabled",
    ["true", "/metrics reports how much is stored"],
    ["false", "it does not, after the interval passed"],
    async (kit) => {
      const every = { "storage.metricsInterval": "1s" };
      const [on, off] = await kit.pair(every, { ...every, "storage.metricsEnabled": false });
      await uploaded(off);
      await uploaded(on);
      await until("measured", async () => await metric(on.instance), 20_000);
      assert.doesNotMatch((await call(off.instance.adminUrl, "/metrics")).text, /rollcall_storage_files/);
    },
  ),
  proof(
    "metricsInterval",
    ["1s", "an upload shows in /metrics within seconds"],
    ["10m", "meanwhile it does not"],
    async (kit) => {
      const [often, seldom] = await kit.pair({ "storage.metricsInterval": "1s" }, { "storage.metricsInterval": "10m" });
      await uploaded(seldom);
      await uploaded(often);
      await until("measured", async () => await metric(often.instance), 20_000);
      assert.equal(await metric(seldom.instance), false);
    },
  ),
];
