import { bind, type Binding } from "#core/feature.ts";
import { authorizeOwnCharacter } from "#core/own-character.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { getWaypoint, setWaypoint, waypointChanged, waypointTopic } from "./ingame.contract.ts";
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
        if (type !== waypointChanged.id) return [];
        const { character } = payload as { character: number };
        return [{ key: String(character), data: { character } }];
      },
    },
  ];
}
