import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { call } from "../../kit/api.ts";
import { shippedIcons } from "../../kit/icons.ts";
import type { Settings } from "../../kit/settings.ts";
import type { OptionProof, ProofKit, Running } from "../proof.ts";

const drawing = '<path d="M1 2h3"/>';
const setOf = (prefix: string) => JSON.stringify({ prefix, icons: { car: { body: drawing } } });

/** A program in a folder with the shipped sets in `icons` and one of its own in `drawings`. */
async function startWithIcons(kit: ProofKit, settings: Settings = {}): Promise<Running> {
  const place = await kit.place(settings);
  cpSync(shippedIcons, path.join(place.folder, "icons"), { recursive: true });
  mkdirSync(path.join(place.folder, "drawings"));
  writeFileSync(path.join(place.folder, "drawings", "city.json"), setOf("city"));
  return { place, program: await kit.serve(place), url: place.url };
}

/** Stands in for a public icon service. */
async function startService(kit: ProofKit): Promise<{ readonly url: string; readonly asked: string[] }> {
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

async function icon({ url }: Running, set: string, name: string): Promise<string | number> {
  const { status, body } = await call(url, `/api/icons/${set}.json?icons=${name}`);
  return status === 200 ? String(body.icons[name]?.body) : status;
}

export const proofs: readonly OptionProof[] = [
  {
    option: "icons.path",
    first: { value: "./icons", observed: "/api/icons gives the shipped set" },
    second: { value: "./drawings", observed: "it gives the set of that folder, and the shipped one is not found" },
    async run(kit) {
      const [usual, own] = [await startWithIcons(kit), await startWithIcons(kit, { "icons.path": "./drawings" })];
      assert.match(String(await icon(usual, "tabler", "user")), /<path/);
      assert.equal(await icon(usual, "city", "car"), 404);
      assert.equal(await icon(own, "city", "car"), drawing);
      assert.equal(await icon(own, "tabler", "user"), 404);
    },
  },
  {
    option: "icons.proxy",
    first: { value: "false", observed: "icons come from the local sets alone; the service is not asked" },
    second: { value: "true", observed: "icons of any set come from the service, asked once for each" },
    async run(kit) {
      const service = await startService(kit);
      const settings = { "icons.apiUrl": service.url };
      const [local, proxied] = [
        await startWithIcons(kit, settings),
        await startWithIcons(kit, { ...settings, "icons.proxy": true }),
      ];
      assert.equal(await icon(local, "mdi", "car"), 404);
      assert.deepEqual(service.asked, []);
      assert.equal(await icon(proxied, "mdi", "car"), drawing);
      assert.equal(await icon(proxied, "mdi", "car"), drawing);
      assert.deepEqual(service.asked, ["/mdi.json?icons=car"]);
    },
  },
  {
    option: "icons.apiUrl",
    first: { value: "an address", observed: "icons are fetched there" },
    second: { value: "another address, with a folder", observed: "they are fetched there, below that folder" },
    async run(kit) {
      const [one, other] = [await startService(kit), await startService(kit)];
      const [first, second] = await kit.pair(
        { "icons.proxy": true, "icons.apiUrl": one.url },
        { "icons.proxy": true, "icons.apiUrl": `${other.url}/api/` },
      );
      assert.equal(await icon(first, "mdi", "car"), drawing);
      assert.deepEqual([one.asked, other.asked], [["/mdi.json?icons=car"], []]);
      assert.equal(await icon(second, "mdi", "car"), drawing);
      assert.deepEqual(other.asked, ["/api/mdi.json?icons=car"]);
    },
  },
];
