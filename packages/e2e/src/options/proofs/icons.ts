import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { call } from "@rollcall/testkit/api.ts";
import { shippedIcons } from "@rollcall/testkit/icons.ts";
import type { OptionProof, Stage } from "../proof.ts";

const drawing = '<path d="M1 2h3"/>';
const setOf = (prefix: string) => JSON.stringify({ prefix, icons: { car: { body: drawing } } });

/** A stub of a public icon service. */
async function startService(kit: Stage): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const prefix = /\/(\w+)\.json\?icons=car$/.exec(url)?.[1];
    response.writeHead(prefix === undefined ? 404 : 200, { "content-type": "application/json" }).end(setOf(prefix ?? ""));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  kit.defer(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function icon({ url }: Stage, set: string, name: string): Promise<string | number> {
  const { status, body } = await call(url, `/api/icons/${set}.json?icons=${name}`);
  return status === 200 ? String(body.icons[name]?.body) : status;
}

export const proofs: readonly OptionProof[] = [
  {
    option: "icons.path",
    first: { value: "./icons", observed: "/api/icons gives the shipped set" },
    second: { value: "./drawings", observed: "it gives the set of that folder, and the shipped one is not found" },
    group: "web",
    play(stage) {
      const { folder } = stage.instance;
      cpSync(shippedIcons, path.join(folder, "icons"), { recursive: true });
      mkdirSync(path.join(folder, "drawings"));
      writeFileSync(path.join(folder, "drawings", "city.json"), setOf("city"));
      return {
        settings: [{}, { "icons.path": "./drawings" }],
        async observe(value) {
          const [shipped, own] = [await icon(stage, "tabler", "user"), await icon(stage, "city", "car")];
          if (value === 0) assert.match(String(shipped), /<path/);
          assert.deepEqual([value === 0 ? 404 : shipped, own], [404, value === 0 ? 404 : drawing]);
        },
      };
    },
  },
  {
    option: "icons.proxy",
    first: { value: "false", observed: "icons come from the local sets alone; the service is not asked" },
    second: { value: "true", observed: "icons of any set come from the service, asked once for each" },
    group: "records",
    async play(stage) {
      const service = await startService(stage);
      return {
        settings: [{ "icons.apiUrl": service.url }, { "icons.apiUrl": service.url, "icons.proxy": true }],
        async observe(value) {
          service.asked.length = 0;
          const set = `set${stage.program.child.pid}`;
          for (let i = 0; i < 2; i += 1) assert.equal(await icon(stage, set, "car"), value === 0 ? 404 : drawing);
          assert.deepEqual(service.asked, value === 0 ? [] : [`/${set}.json?icons=car`]);
        },
      };
    },
  },
  {
    option: "icons.apiUrl",
    first: { value: "an address", observed: "icons are fetched there" },
    second: { value: "another address, with a folder", observed: "they are fetched there, below that folder" },
    group: "log",
    async play(stage) {
      const [one, other] = [await startService(stage), await startService(stage)];
      return {
        settings: [one.url, `${other.url}/api/`].map((url) => ({ "icons.proxy": true, "icons.apiUrl": url })),
        async observe(value) {
          for (const { asked } of [one, other]) asked.length = 0;
          const set = `set${stage.program.child.pid}`;
          assert.equal(await icon(stage, set, "car"), drawing);
          const expected = value === 0 ? [[`/${set}.json?icons=car`], []] : [[], [`/api/${set}.json?icons=car`]];
          assert.deepEqual([one.asked, other.asked], expected);
        },
      };
    },
  },
];
