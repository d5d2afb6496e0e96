import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setCommunityZone } from "#core/time.ts";
import { dayIn } from "./days.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

it("days are those of the community, whatever the zone of the browser", () => {
  vi.setSystemTime(Date.UTC(2026, 9, 24, 12));
  setCommunityZone("Pacific/Kiritimati");
  expect([dayIn(0), dayIn(1), dayIn(30)]).toEqual(["2026-10-25", "2026-10-26", "2026-11-24"]);
  setCommunityZone("Pacific/Pago_Pago");
  vi.setSystemTime(Date.UTC(2026, 9, 24, 6));
  expect([dayIn(0), dayIn(-1)]).toEqual(["2026-10-23", "2026-10-22"]);
});
