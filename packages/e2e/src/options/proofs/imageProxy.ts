import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { call, person } from "../../kit/api.ts";
import { startStandIn, type StandIn } from "../../kit/provider.ts";
import type { OptionProof, ProofKit, Running } from "../proof.ts";

let people = 0;

/** Where the program shows the picture of an address; null when it will not. */
async function addressOf({ place, url }: Running, picture: string): Promise<string | null> {
  people += 1;
  const { cookie } = await person(place, { username: `looks${people}` });
  const body = { size: 64, urls: [picture] };
  return (await call(url, "/api/image-proxy/addresses", { cookie, body })).body.addresses[0] as string | null;
}

async function startSite(kit: ProofKit): Promise<StandIn & { readonly picture: string; fetches(): number }> {
  const site = await startStandIn();
  kit.defer(() => site.close());
  const fetches = () => site.asked.filter((line) => line.includes("/pictures/")).length;
  return Object.assign(site, { picture: `${site.url}/pictures/map.png`, fetches });
}

async function shows({ url }: Running, address: string | null): Promise<boolean> {
  const { status, headers } = await call(url, address ?? "/nowhere");
  return status === 200 && headers.get("content-type") === "image/webp";
}

const allowed = { "imageProxy.options.allowHosts": ["127.0.0.1"] };

export const proofs: readonly OptionProof[] = [
  {
    option: "imageProxy.options.allowHosts",
    first: { value: "[]", observed: "no address is given out for a picture, and nothing is fetched" },
    second: { value: "[127.0.0.1]", observed: "the picture is fetched, made anew and served from the own origin" },
    async run(kit) {
      const site = await startSite(kit);
      const [none, one] = await kit.pair({}, allowed);
      assert.equal(await addressOf(none, site.picture), null);
      assert.equal(site.fetches(), 0);
      assert.ok(await shows(one, await addressOf(one, site.picture)));
      assert.equal(site.fetches(), 1);
      assert.equal(await addressOf(one, "http://127.0.0.3/x.png"), null);
    },
  },
  {
    option: "imageProxy.options.denyHosts",
    first: { value: "[]", observed: "a picture of an allowed host is shown" },
    second: { value: "[127.0.0.0/8]", observed: "of the same host, allowed too, nothing is fetched" },
    async run(kit) {
      const site = await startSite(kit);
      const [open, closed] = await kit.pair(allowed, { ...allowed, "imageProxy.options.denyHosts": ["127.0.0.0/8"] });
      assert.equal(await addressOf(closed, site.picture), null);
      assert.equal(site.fetches(), 0);
      assert.ok(await shows(open, await addressOf(open, site.picture)));
    },
  },
  {
    option: "imageProxy.options.minimumCacheDuration",
    first: { value: "30m", observed: "a picture shown twice is asked of its origin once" },
    second: { value: "1ms", observed: "its origin is asked for it each time" },
    async run(kit) {
      const [longSite, shortSite] = [await startSite(kit), await startSite(kit)];
      const [long, short] = await kit.pair(allowed, { ...allowed, "imageProxy.options.minimumCacheDuration": "1ms" });
      for (const [running, site, fetches] of [
        [long, longSite, 1],
        [short, shortSite, 2],
      ] as const) {
        const address = await addressOf(running, site.picture);
        assert.ok(await shows(running, address));
        // The time that the option names has to go by.
        await pause(5);
        assert.ok(await shows(running, address));
        assert.equal(site.fetches(), fetches);
      }
    },
  },
];
