import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { natsCluster, ownNats } from "@rollcall/testkit/servers.ts";
import type { OptionProof } from "../proof.ts";

interface Streams {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly config: { readonly num_replicas: number };
    }[];
  }[];
}

const streamsOf = ({ account_details: accounts }: Streams) =>
  (accounts ?? []).flatMap(({ stream_detail: streams }) => streams ?? []);
const page = "/jsz?accounts=1&streams=1&config=1";

export const proofs: readonly OptionProof[] = [
  {
    option: "nats.url",
    first: { value: "embedded:", observed: "the streams are in a file beside the database" },
    second: {
      value: "nats://USER:PASSWORD@127.0.0.1:PORT",
      observed:
        "the NATS server shows a connection of this user and the streams; there is no such file; a wrong password is refused in one line",
    },
    async run(kit) {
      const nats = await ownNats(["--user", "city", "--pass", "p@ss:w/rd?"]);
      kit.defer(async () => await nats.remove());
      await nats.start();
      const url = `nats://city:${encodeURIComponent("p@ss:w/rd?")}@127.0.0.1:${nats.port}`;
      const [a, b] = [await kit.usual(), await kit.start({ "nats.url": url })];
      const fileOf = (folder: string) => readdirSync(path.join(folder, "data")).filter((name) => name.endsWith(".broker"));
      assert.equal(fileOf(a.instance.folder).length, 1);
      assert.deepEqual(fileOf(b.instance.folder), []);
      assert.equal(existsSync(path.join(b.instance.folder, "data", "rollcall.db")), true);
      const { connections } = await nats.monitor<{ connections: { authorized_user: string }[] }>("/connz?auth=1");
      assert.deepEqual(
        connections.map(({ authorized_user: user }) => user),
        ["city"],
      );
      assert.ok(streamsOf(await nats.monitor<Streams>(page)).length > 0);
      const refused = kit.launch(await kit.instance({ "nats.url": `nats://city:wrong@127.0.0.1:${nats.port}` }));
      assert.equal(await refused.exited, 1);
      assert.match(refused.stderr(), /nats\.url: .* refused the user name, password or token/);
    },
  },
  {
    option: "nats.replicas",
    first: { value: "1", observed: "in a cluster of three NATS servers each stream has one copy" },
    second: {
      value: "3",
      observed:
        "each stream, also those that were there, has three copies; with a single server the start is refused in one line naming nats.replicas",
    },
    async run(kit) {
      const [cluster, single] = await Promise.all([natsCluster(), ownNats()]);
      kit.defer(async () => await Promise.all([cluster.remove(), single.remove()]));
      await single.start();
      const refused = kit.launch(await kit.instance({ "nats.url": `nats://127.0.0.1:${single.port}`, "nats.replicas": 3 }));
      const { instance, program } = await kit.start({ "nats.url": cluster.url, "nats.replicas": 1 });
      const copies = async () => {
        const found = await Promise.all(cluster.nodes.map(async (node) => streamsOf(await node.monitor<Streams>(page))));
        return new Map(found.flat().map(({ name, config }) => [name, config.num_replicas]));
      };
      const before = await copies();
      assert.ok(before.size > 0);
      assert.deepEqual(new Set(before.values()), new Set([1]));
      await program.stop();
      instance.set({ "nats.url": cluster.url, "nats.replicas": 3 });
      await kit.serve(instance);
      const after = await copies();
      assert.deepEqual([...after.keys()].toSorted(), [...before.keys()].toSorted());
      assert.deepEqual(new Set(after.values()), new Set([3]));
      assert.equal(await refused.exited, 1);
      assert.match(refused.stderr(), /nats\.replicas: 3 copies need at least 3 NATS servers/);
    },
  },
];
