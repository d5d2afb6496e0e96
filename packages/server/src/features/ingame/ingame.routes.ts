import type { PayloadOf } from "#core/contract/index.ts";
import { bind, type Binding } from "#core/feature.ts";
import { authorizeOwnCharacter } from "#core/own-character.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { gamerequestsDelivered } from "#features/gamerequests/gamerequests.contract.ts";
import { getWaypoint, setWaypoint, waypointChanged, waypointRequest, waypointTopic } from "./ingame.contract.ts";
import type { IngameService } from "./ingame.service.ts";

export function ingameRoutes(service: IngameService): Binding[] {
  return [
    bind(getWaypoint, async (call) => await service.waypoint(call.viewer().characterId)),
    bind(setWaypoint, async (call, { body }) => await service.setWaypoint(call, body.target)),
  ];
}

export function ingameTopics(): TopicBinding[] {
  return [
    {
      topic: waypointTopic,
      authorize: authorizeOwnCharacter,
      project({ type, payload }) {
        const character = characterOf(type, payload);
        return character === null ? [] : [{ key: String(character), data: { character } }];
      },
    },
  ];
}

/** Whose waypoint an event has changed. */
function characterOf(type: string, payload: unknown): number | null {
  if (type === waypointChanged.id) return (payload as PayloadOf<typeof waypointChanged>).character;
  if (type !== gamerequestsDelivered.id) return null;
  const { kind, key } = payload as PayloadOf<typeof gamerequestsDelivered>;
  return kind === waypointRequest.id && key !== null ? Number(key) : null;
}
