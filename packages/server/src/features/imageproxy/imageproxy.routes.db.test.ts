import { afterAll, beforeAll, expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { pictureAddresses, proxiedPicture } from "./imageproxy.contract.ts";
import { respondWith, type Origin, pictureOf, startOrigin } from "./imageproxy.testkit.ts";

describeApps(
  "image proxy",
  (get) => {
    let origin: Origin;
    beforeAll(async () => {
      origin = await startOrigin(respondWith(await pictureOf(300, 300)));
    });
    afterAll(async () => await origin.stop());
    const site = () => `http://127.0.0.1:${origin.port}/${get().kind}.png`;

    async function addressOf(url: string, size = 128): Promise<string> {
      const { cookie } = await get().world.actor();
      const { output } = await get().app.call(pictureAddresses, { body: { size, urls: [url, "http://8.8.8.8/"] } }, { cookie });
      expect(output.addresses[1]).toBeNull();
      return output.addresses[0] ?? "";
    }

    test("a signed URL serves the picture to anonymous clients, who can cache it", async () => {
      const address = await addressOf(site());
      const answer = await get().app.request("GET", address);
      expect([answer.status, answer.headers["content-type"], answer.headers["x-content-type-options"]]).toEqual([
        200,
        "image/webp",
        "nosniff",
      ]);
      expect(answer.headers["cache-control"]).toMatch(/^public, max-age=1[78]\d\d$/);
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
      const again = await get().app.request("GET", address, { headers: { "if-none-match": String(answer.headers["etag"]) } });
      expect([again.status, origin.requests.filter((one) => one.includes(get().kind)).length]).toEqual([304, 1]);
    });

    test("nothing is fetched without a valid signature", async () => {
      const before = origin.requests.length;
      const address = new URL(await addressOf(site()), "http://here.invalid");
      const { url = "", until, mark = "" } = Object.fromEntries(address.searchParams);
      const query = { url, size: 64, until: Number(until), mark };
      const answer = await get().app.call(proxiedPicture, { query });
      expect([answer.status, answer.body.code, origin.requests.length]).toEqual([404, "imageproxy.markInvalid", before]);
      expect((await get().app.request("GET", `/api/image-proxy?url=${encodeURIComponent(url)}`)).status).toBe(400);
      expect((await get().app.request("GET", `/api/image-proxy/http://127.0.0.1/`)).status).toBe(404);
    });

    test("requests are counted in the metrics, which only the admin listener exposes", async () => {
      await get().app.request("GET", await addressOf(site()));
      const text = await get().app.process.container.metrics.expose();
      expect(text).toMatch(/rollcall_imageproxy_requests_total\{outcome="memory"\} [1-9]/);
      expect(text).toMatch(/rollcall_imageproxy_fetched_bytes_total [1-9]/);
      for (const route of ["/api/image-proxy/metrics", "/metrics"])
        expect((await get().app.request("GET", route)).text).not.toContain("rollcall_imageproxy");
    });
  },
  { ROLLCALL_IMAGEPROXY_OPTIONS_ALLOWHOSTS: "127.0.0.1" },
);
