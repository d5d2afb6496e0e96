import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person } from "@rollcall/testkit/api.ts";
import { makeInstance, type Instance, type Program, serve, usualConfig } from "@rollcall/testkit/program.ts";
import { type Listener, startTabletPage } from "@rollcall/testkit/tablet.ts";
import { describeInBrowsers } from "./inBrowsers.ts";

const box = "main [class*=panel]";

describe("opened where sessions cannot work", () => {
  let instance: Instance;
  let program: Program;
  let outer: Listener;
  let login: { username: string; password: string };

  beforeAll(async () => {
    outer = await startTabletPage(0, () => `${instance.url}/`);
    instance = await makeInstance({
      config: (ports) =>
        usualConfig(ports)
          .replace("127.0.0.1:" + ports.port, `:${ports.port}`)
          .replace(/origins: \[(.*)\]/, `origins: [$1, "http://127.0.0.1:${outer.port}"]`),
    });
    program = await serve(instance);
    login = await person(instance, { username: "framed" });
  }, 60_000);
  afterAll(async () => {
    outer?.close();
    await program?.stop();
    instance?.remove();
  });

  describeInBrowsers((open) => {
    test("any other address shows the option, its value, the address seen, and a way to the right one", async () => {
      const page = await open();
      for (const host of ["127.0.0.1", "127.0.0.2"]) {
        const seen = `http://${host}:${instance.port}`;
        await page.goto(`${seen}/citizens?q=lind`);
        await page.waitForSelector(box);
        const text = await page.innerText("main");
        expect(text).toContain("http.origins");
        expect(text).toContain(instance.url);
        expect(text).toContain(seen);
      }
      await page.click("main a");
      await page.waitForURL(`${instance.url}/citizens?q=lind`);
      await page.waitForSelector("input[name=username]");
    });

    test("in a frame of another site over http, the sign-in names http.publicURL and not the browser's settings", async () => {
      const page = await open();
      await page.goto(`http://127.0.0.1:${outer.port}/`);
      const frame = await (await page.waitForSelector("iframe")).contentFrame();
      await frame!.fill("input[name=username]", login.username);
      await frame!.fill("input[name=password]", login.password);
      await frame!.press("input[name=password]", "Enter");
      const alert = await (await frame!.waitForSelector("[role=alert]")).innerText();
      expect(alert).toContain("http.publicURL");
      expect(alert).not.toContain("third-party");
    });
  });
});
