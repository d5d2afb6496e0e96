import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { call, person } from "../../kit/api.ts";
import type { Place } from "../../kit/program.ts";
import { until } from "../../kit/until.ts";
import { filesBelow, samplePicture, startObjectStore, storedIn, type TestObjectStore, uploadAvatar } from "../../kit/uploads.ts";
import type { OptionProof, ProofKit, Running } from "../proof.ts";

async function storeFor(kit: ProofKit): Promise<TestObjectStore> {
  const store = await startObjectStore();
  kit.defer(async () => await store.close());
  return store;
}

/** Uploads a picture as somebody new; what the server answered. */
async function upload({ place, url }: Pick<Running, "place" | "url">) {
  const who = await person(place, { username: `uploader${Math.trunc(performance.now())}` });
  return await uploadAvatar(url, who, await samplePicture());
}

async function uploaded(running: Pick<Running, "place" | "url">): Promise<void> {
  const { status, text } = await upload(running);
  assert.equal(status, 200, text);
}

/** Paths of the objects that were put, without the ones that only try the storage out. */
const puts = (store: TestObjectStore) =>
  store.requests.filter((line) => line.startsWith("PUT ") && !line.includes("/probe/")).map((line) => line.slice(4));

/** What `/readyz` says of the storage, once it says `state`. */
async function storageIs(place: Place, state: string): Promise<string> {
  const part = await until(`the storage is ${state}`, async () => {
    const { body } = await call(place.adminUrl, "/readyz");
    return body.parts.find((one: { part: string; state: string }) => one.part === "storage" && one.state === state);
  });
  return String(part.reason);
}

/** An upload with the first value shows in the one store, with the second in the other. */
const inStore =
  (settings: (store: TestObjectStore) => readonly [object, object], seen: readonly [RegExp, RegExp]) => async (kit: ProofKit) => {
    const store = await storeFor(kit);
    for (const [i, more] of settings(store).entries()) {
      store.forget();
      await uploaded(await kit.start(storedIn(store, more as never)));
      assert.equal(puts(store).length, 2);
      for (const put of puts(store)) assert.match(put, seen[i]!);
    }
  };

/** The first value works, the second leaves the storage degraded for this reason. */
const worksThenNot = (first: object, second: object, reason: RegExp) => async (kit: ProofKit) => {
  const store = await storeFor(kit);
  await uploaded(await kit.start(storedIn(store, first as never)));
  const { place } = await kit.start(storedIn(store, second as never));
  assert.match(await storageIs(place, "degraded"), reason);
};

const proof = (
  option: string,
  [value, observed]: readonly [string, string],
  [other, seen]: readonly [string, string],
  run: OptionProof["run"],
): OptionProof => ({
  option: `storage.${option}`,
  first: { value, observed },
  second: { value: other, observed: seen },
  run,
});

const metric = async (place: Place) =>
  /^rollcall_storage_files\{namespace="avatars"\} 1$/m.test((await call(place.adminUrl, "/metrics")).text);

export const proofs: readonly OptionProof[] = [
  proof("type", ["filesystem", "an upload lies in the folder"], ["objectstore", "it lies in the bucket"], async (kit) => {
    const store = await storeFor(kit);
    const folder = await kit.start({});
    await uploaded(folder);
    assert.match(filesBelow(path.join(folder.place.folder, "data", "files"))[0] ?? "", /^avatars\/\d{6}\/\w{26}$/);
    assert.deepEqual(store.requests, []);
    const bucket = await kit.start(storedIn(store));
    await uploaded(bucket);
    assert.match(puts(store)[0] ?? "", /^\/rollcall\/avatars\/\d{6}\/\w{26}$/);
    assert.deepEqual(filesBelow(path.join(bucket.place.folder, "data", "files")), []);
  }),
  proof("filesystem.path", ["data/files", "an upload lies there"], ["data", "it lies there"], async (kit) => {
    const usual = await kit.start({});
    await uploaded(usual);
    assert.equal(filesBelow(path.join(usual.place.folder, "data", "files")).length, 2);
    const other = await kit.place({ "storage.filesystem.path": "elsewhere" });
    mkdirSync(path.join(other.folder, "elsewhere"));
    await kit.serve(other);
    await uploaded({ place: other, url: other.url });
    assert.equal(filesBelow(path.join(other.folder, "elsewhere")).length, 2);
  }),
  proof(
    "filesystem.prefix",
    ["(none)", "an upload lies in avatars/"],
    ["deep/er", "it lies in deep/er/avatars/"],
    async (kit) => {
      for (const [prefix, seen] of [
        [undefined, /^avatars\//],
        ["deep/er", /^deep\/er\/avatars\//],
      ] as const) {
        const running = await kit.start(prefix === undefined ? {} : { "storage.filesystem.prefix": prefix });
        await uploaded(running);
        for (const file of filesBelow(path.join(running.place.folder, "data", "files"))) assert.match(file, seen);
      }
    },
  ),
  proof(
    "objectstore.endpoint",
    ["http://127.0.0.1:<one>", "uploads come to that store"],
    ["127.0.0.1:<other>", "they come to the other one, without a scheme too"],
    async (kit) => {
      const [one, other] = [await storeFor(kit), await storeFor(kit)];
      await uploaded(await kit.start(storedIn(one)));
      assert.deepEqual([puts(one).length, other.requests.length], [2, 0]);
      one.forget();
      const bare = other.endpoint.replace("http://", "");
      await uploaded(await kit.start(storedIn(one, { "storage.objectstore.endpoint": bare })));
      assert.equal(puts(other).length, 2);
      assert.deepEqual(puts(one), []);
    },
  ),
  proof(
    "objectstore.region",
    ["us-east-1", "requests are signed for us-east-1"],
    ["eu-west-9", "they are signed for eu-west-9"],
    async (kit) => {
      const store = await storeFor(kit);
      await uploaded(await kit.start(storedIn(store)));
      assert.equal(store.region(), "us-east-1");
      await uploaded(await kit.start(storedIn(store, { "storage.objectstore.region": "eu-west-9" })));
      assert.equal(store.region(), "eu-west-9");
    },
  ),
  proof(
    "objectstore.accessKeyID",
    ["(the right id)", "uploads work"],
    ["(another)", "the storage is degraded: InvalidAccessKeyId"],
    worksThenNot({}, { "storage.objectstore.accessKeyID": "nobody" }, /InvalidAccessKeyId/),
  ),
  proof(
    "objectstore.secretAccessKey",
    ["(the right secret)", "uploads work"],
    ["(another)", "the storage is degraded: SignatureDoesNotMatch"],
    worksThenNot({}, { "storage.objectstore.secretAccessKey": "another-secret" }, /SignatureDoesNotMatch/),
  ),
  proof(
    "objectstore.useSSL",
    ["false", "a store that speaks plain http is reached at an endpoint without scheme"],
    ["true", "it is not: TLS is spoken to it"],
    async (kit) => {
      const store = await storeFor(kit);
      const bare = { "storage.objectstore.endpoint": store.endpoint.replace("http://", "") };
      await uploaded(await kit.start(storedIn(store, bare)));
      const { place } = await kit.start(storedIn(store, { ...bare, "storage.objectstore.useSSL": true }));
      assert.match(await storageIs(place, "degraded"), /^https:.*(SSL|EPROTO|wrong version|packet length)/i);
    },
  ),
  proof(
    "objectstore.bucketName",
    ["rollcall", "uploads are put into that bucket"],
    ["another", "into the other one"],
    inStore(() => [{}, { "storage.objectstore.bucketName": "another" }], [/^\/rollcall\/avatars\//, /^\/another\/avatars\//]),
  ),
  proof(
    "objectstore.prefix",
    ["(none)", "keys begin with the namespace"],
    ["up/loads", "with up/loads/ before it"],
    inStore(
      () => [{}, { "storage.objectstore.prefix": "up/loads" }],
      [/^\/rollcall\/avatars\//, /^\/rollcall\/up\/loads\/avatars\//],
    ),
  ),
  proof(
    "objectstore.retries",
    ["3", "a store that fails twice gets three tries of the same request, and the upload passes"],
    ["0", "it gets one, and the upload is refused with 503"],
    async (kit) => {
      const store = await storeFor(kit);
      for (const [retries, tries, answer] of [
        [3, 3, 200],
        [0, 1, 503],
      ] as const) {
        const running = await kit.start(storedIn(store, { "storage.objectstore.retries": retries }));
        await storageIs(running.place, "ok");
        const who = await person(running.place, { username: "retrier" });
        store.forget();
        store.failNext(2);
        assert.equal((await uploadAvatar(running.url, who, await samplePicture())).status, answer);
        const [first] = puts(store);
        assert.equal(puts(store).filter((one) => one === first).length, tries);
        store.failNext(0);
      }
    },
  ),
  proof(
    "objectstore.checkOnStartup",
    ["false", "with a store that refuses to delete the start goes on, degraded"],
    ["true", "the start is refused in one line that says so"],
    async (kit) => {
      const store = await storeFor(kit);
      store.refuse(/^DELETE/);
      const settings = storedIn(store, { "storage.objectstore.retries": 0 });
      const { place } = await kit.start(settings);
      assert.match(await storageIs(place, "degraded"), /cannot delete/);
      for (const [step, pattern] of [
        ["delete", /^DELETE/],
        ["read", /^GET/],
        ["write", /^PUT/],
      ] as const) {
        store.refuse(pattern);
        const refused = kit.launch(await kit.place({ ...settings, "storage.objectstore.checkOnStartup": true }));
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
    ["true", "/metrics tells how much is stored"],
    ["false", "it does not, although the interval passed"],
    async (kit) => {
      const every = { "storage.metricsInterval": "1s" };
      const [on, off] = await kit.pair(every, { ...every, "storage.metricsEnabled": false });
      await uploaded(off);
      await uploaded(on);
      await until("measured", async () => await metric(on.place), 20_000);
      assert.doesNotMatch((await call(off.place.adminUrl, "/metrics")).text, /rollcall_storage_files/);
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
      await until("measured", async () => await metric(often.place), 20_000);
      assert.equal(await metric(seldom.place), false);
    },
  ),
];
