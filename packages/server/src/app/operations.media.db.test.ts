import { expect, test } from "vitest";
import { syncLicences } from "#features/licences/licences.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";

describeApps("the type of a body", (get) => {
  const send = async (type: string) => {
    const body = JSON.stringify({ items: [{ type: "boat", label: "Boot für Ärzte" }] });
    const headers = { "content-type": type };
    const answer = await get().app.request(syncLicences.method, syncLicences.path, { token: testSecrets.sync, headers, body });
    return [answer.status, answer.body.code];
  };

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; charset=utf8",
  ])("%s is read", async (type) => {
    expect(await send(type)).toEqual([200, undefined]);
  });

  test.each([
    "application/json; charset=iso-8859-1",
    "application/json; a=b; Charset = 'utf-16'",
    'application/json; charset="windows-1252"',
    "text/plain",
    "text/plain; charset=utf-8",
  ])("%s is refused with 415", async (type) => {
    expect(await send(type)).toEqual([415, "system.unsupportedMediaType"]);
  });
});
