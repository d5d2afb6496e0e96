import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { call } from "@rollcall/testkit/api.ts";
import { picture } from "@rollcall/testkit/chat.ts";
import type { OptionProof, Stage } from "../proof.ts";

interface Site {
  readonly picture: string;
  fetches(): number;
}

/** A site of its own on this loopback address, so that each option sees its own requests. */
async function startSite(stage: Stage, address: string): Promise<Site> {
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches += 1;
    response.end(picture);
  }).listen(0, address);
  await once(server, "listening");
  stage.defer(() => server.close());
  return { picture: `http://${address}:${(server.address() as AddressInfo).port}/pictures/map.png`, fetches: () => fetches };
}

/** The address under which the program serves a picture; null when it refuses. `start` makes the picture another one. */
async function addressOf(stage: Stage, url: string): Promise<string | null> {
  const { cookie } = await stage.person("looker");
  const body = { size: 64, urls: [`${url}?${stage.program.child.pid}`] };
  return (await call(stage.url, "/api/image-proxy/addresses", { cookie, body })).body.addresses[0] as string | null;
}

async function shows({ url }: Stage, address: string | null): Promise<boolean> {
  const { status, headers } = await call(url, address ?? "/nowhere");
  return status === 200 && headers.get("content-type") === "image/webp";
}

const option = (name: string) => `imageProxy.options.${name}`;
/** Addresses of the sites of the three options; the first is allowed by the second value of `allowHosts` alone. */
const hosts = { allow: "127.0.0.2", deny: "127.0.0.5", cache: "127.0.0.9" } as const;

export const proofs: readonly OptionProof[] = [
  {
    option: "imageProxy.options.allowHosts",
    first: { value: "[]", observed: "no address is given out for a picture, and nothing is fetched" },
    second: { value: "[127.0.0.2]", observed: "the picture is fetched, re-encoded and served from Rollcall's origin" },
    group: "records",
    async play(stage) {
      const site = await startSite(stage, hosts.allow);
      const others = [hosts.deny, hosts.cache];
      return {
        settings: [{ [option("allowHosts")]: others }, { [option("allowHosts")]: [...others, hosts.allow] }],
        async observe(value) {
          const before = site.fetches();
          const address = await addressOf(stage, site.picture);
          assert.equal(await addressOf(stage, "http://127.0.0.3/x.png"), null);
          if (value === 0) assert.equal(address, null);
          else assert.ok(await shows(stage, address));
          assert.equal(site.fetches() - before, value);
        },
      };
    },
  },
  {
    option: "imageProxy.options.denyHosts",
    first: { value: "[]", observed: "a picture of an allowed host is shown" },
    second: { value: "[127.0.0.4/30]", observed: "of the same host, allowed too, nothing is fetched" },
    group: "records",
    async play(stage) {
      const site = await startSite(stage, hosts.deny);
      return {
        settings: [{}, { [option("denyHosts")]: ["127.0.0.4/30"] }],
        async observe(value) {
          const before = site.fetches();
          const address = await addressOf(stage, site.picture);
          if (value === 0) assert.ok(await shows(stage, address));
          else assert.equal(address, null);
          assert.equal(site.fetches() - before, 1 - value);
        },
      };
    },
  },
  {
    option: "imageProxy.options.minimumCacheDuration",
    first: { value: "30m", observed: "a picture shown twice is asked of its origin once" },
    second: { value: "1ms", observed: "its origin is asked for it each time" },
    group: "records",
    async play(stage) {
      const site = await startSite(stage, hosts.cache);
      return {
        settings: [{}, { [option("minimumCacheDuration")]: "1ms" }],
        async observe(value) {
          const before = site.fetches();
          const address = await addressOf(stage, site.picture);
          assert.ok(await shows(stage, address));
          // A fixed wait for the time that the option sets.
          await pause(5);
          assert.ok(await shows(stage, address));
          assert.equal(site.fetches() - before, value + 1);
        },
      };
    },
  },
];
