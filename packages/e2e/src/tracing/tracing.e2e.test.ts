import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person, type Person } from "@rollcall/testkit/api.ts";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { createScope, type ConfiguredInstance } from "@rollcall/testkit/settings.ts";
import { receiveGrpc, receiveHttp, type ReceivedSpan, type Receiver } from "@rollcall/testkit/server/telemetry.ts";

const own = (span: ReceivedSpan) => span.resource["service.name"] === "rollcall-web";

/** A span of the browser for this call, with the server's span below it. */
function pairOf(browserSpans: readonly ReceivedSpan[], serverSpans: readonly ReceivedSpan[], name: string) {
  const below = new Map(serverSpans.filter((span) => !own(span)).map((span) => [span.parentSpanId, span]));
  return browserSpans
    .filter((span) => own(span) && span.name === name)
    .map((span) => [span, below.get(span.spanId)] as const)
    .find(([, server]) => server !== undefined);
}

describe.each(["direct", "relayed"] as const)("traces from the browser, %s", (way) => {
  const scope = createScope();
  let instance: ConfiguredInstance;
  let who: Person;
  let collector: Receiver;
  /** The address that browsers post to. */
  let browsersCollector: Receiver;

  beforeAll(async () => {
    collector = way === "direct" ? await receiveHttp() : await receiveGrpc();
    browsersCollector = way === "direct" ? await receiveHttp() : collector;
    instance = await scope.instance({
      "otlp.enabled": true,
      "otlp.type": way === "direct" ? "otlptracehttp" : "otlptracegrpc",
      "otlp.url": collector.url,
      "otlp.ratio": 1,
      "otlp.compression": "gzip",
      "otlp.headers": { "x-server-key": "secret-of-the-server" },
      "otlp.frontend.url": way === "direct" ? `${browsersCollector.url}/v1/traces` : "/api/traces",
      "otlp.frontend.headers": { "x-community": "Los Testos" },
      "updateCheck.enabled": false,
    });
    await scope.serve(instance);
    who = await person(instance, { username: "traced" });
  }, 60_000);
  afterAll(async () => {
    await scope.end();
    await collector?.close();
    await browsersCollector?.close();
  });

  describe.skipIf(noCurrent).each(currentOnly)("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    }, 60_000);
    afterAll(async () => await browser?.close());

    test("the browser's call and the server's work for it are one trace, without errors", async () => {
      collector.exports.length = 0;
      browsersCollector.exports.length = 0;
      const page = await (await openContext(browser)).newPage();
      page.setDefaultTimeout(20_000);
      const found = complaints(page);
      await signInPage(page, instance.url, who.username, who.password);
      await page.waitForSelector("main h1");
      const name = "GET /api/auth/characters";
      await browsersCollector.seen((spans) => spans.some((span) => own(span) && span.name === name));
      const [browserSpan, serverSpan] = await collector.seen((spans) => pairOf(browsersCollector.spans(), spans, name));
      expect(serverSpan?.traceId).toBe(browserSpan.traceId);
      expect(browserSpan).toMatchObject({
        kind: 3,
        parentSpanId: "",
        attributes: { "http.response.status_code": 200, "url.template": "/api/auth/characters" },
        resource: { "service.name": "rollcall-web", "deployment.environment.name": "dev" },
      });
      expect(serverSpan).toMatchObject({ kind: 2, resource: { "service.name": "rollcall" } });
      const posted = browsersCollector.exports.find(({ spans }) => spans.some(own));
      if (way === "direct") {
        expect(posted?.path).toBe("/v1/traces");
        expect(posted?.headers).toMatchObject({ "x-community": "Los Testos", "content-type": "application/json" });
        expect(posted?.headers).not.toHaveProperty("cookie");
        expect(posted?.headers).not.toHaveProperty("x-server-key");
      } else {
        expect(posted?.headers).toMatchObject({ "x-server-key": "secret-of-the-server" });
        expect(posted?.compressed).toBe(true);
      }
      expect(found).toEqual([]);
      await page.context().close();
    }, 60_000);
  });
});
