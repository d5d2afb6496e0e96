import { expect, test } from "vitest";
import { rateLimits } from "#infra/http/rate.ts";
import { describeApps } from "#testkit/suite.ts";
import { downloadExport, requestExport } from "./exports.contract.ts";

describeApps(
  "the rates of exports",
  (get) => {
    test("downloads, which an opened address can cause too, take nothing from the requests", async () => {
      const { app, world } = get();
      const { cookie, characterId } = await world.actor({ rights: { "audit.view": true } });
      for (let id = 1; id <= rateLimits.export.burst + 1; id += 1)
        expect((await app.call(downloadExport, { params: { id: 900_000 + id } }, { cookie })).status).toBe(404);
      const body = { kind: "audit.entries", filter: { action: "access." }, characterId, language: "en" } as const;
      expect((await app.call(requestExport, { body }, { cookie })).status).toBe(200);
    });
  },
  {},
  { rates: rateLimits },
);
