import { expect, test } from "vitest";
import { gamerequestsDelivered } from "#features/gamerequests/gamerequests.contract.ts";
import { toastRequest, waypointChanged, waypointRequest } from "./ingame.contract.ts";
import { ingameTopics } from "./ingame.routes.ts";

const [waypoints] = ingameTopics();

test.each([
  ["sent or ended", waypointChanged.id, { character: 12 }, true],
  ["fetched by the game server", gamerequestsDelivered.id, { id: "a", kind: waypointRequest.id, key: "12" }, true],
  ["another request", gamerequestsDelivered.id, { id: "b", kind: toastRequest.id, key: "12" }, false],
])("who follows a waypoint reads it again when it was %s: %s", (_what, type, payload, concerned) => {
  const messages = waypoints?.project?.({ type, payload } as never);
  expect(messages).toEqual(concerned ? [{ key: "12", data: { character: 12 } }] : []);
});
